import { expect, it } from 'vitest';
import { standbyName, waitedFor } from './standby-names.js';

const standbys = ['One', 'two', 'a b', 'c"d', 'twice', 'twice'];

it.each<[string, string[]]>([
  ['', []],
  ['one', ['one']],
  ['one, two', []],
  ['*', []],
  ['FIRST 2 (one, two)', ['one', 'two']],
  ['FIRST 1 (one, two)', []],
  ['first 1(One)', ['one']],
  ['ANY 2 ("a b", "c""d")', ['a b', 'c"d']],
  ['any 1 (one, two)', []],
  ['2 (one, two)', ['one', 'two']],
  ['1 (*)', []],
  ['twice', []],
  ['FIRST 2 (one, twice)', []],
  ['FIRST 2 (one, absent)', ['one']],
])('every commit waits, by %j, for %j', (setting, names) => {
  expect(waitedFor(setting, standbys)).toEqual(names);
});

it.each<[string, string | undefined]>([
  ['user=me host=h application_name=One port=1', 'one'],
  ["user=me application_name='a \\'b' port=1", "a 'b"],
  ['user=me fallback_application_name=walreceiver port=1', 'walreceiver'],
  ['fallback_application_name=walreceiver application_name=two', 'two'],
  ['user=application_name', undefined],
  ['', undefined],
])('a replica connected by %j is called %j', (connection, name) => {
  expect(standbyName(connection)).toBe(name);
});
