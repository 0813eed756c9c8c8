/** Nothing of a manifest reaches a statement that was not checked, and what is wrong with it is one line. */
import { expect, it } from 'vitest';
import { isRangeOfDates, mustHaveRoom, parseManifest } from './manifest.js';

const manifest = {
  format: 'worktrack-backup',
  formatVersion: 1,
  createdAt: '2026-11-23T00:00:00.000Z',
  worktrack: '1.0.0',
  postgresql: '18.4',
  migrations: ['Schema1700000000001'],
  tables: [{ name: 'tag', columns: ['id', 'name'], rows: 1, parts: 1 }],
  partitions: [{ name: 'p', parent: 'record', bound: "FOR VALUES FROM ('2026-11-01') TO ('2026-12-01')" }],
  sequences: [{ name: 'tag_id_seq', last: '7', isCalled: true }],
};

it('is taken as it was written', () => expect(parseManifest(JSON.stringify(manifest))).toEqual(manifest));

it.each<[string, RegExp]>([
  ['', /damaged: its manifest is no JSON/],
  ['{', /damaged: its manifest is no JSON/],
  ['null', /no archive/],
  ['[]', /no archive/],
  ['{"format": "another"}', /no archive/],
  ['{"format": "worktrack-backup"}', /damaged: 'formatVersion' of its manifest is wrong/],
  ['{"format": "worktrack-backup", "formatVersion": 2}', /has the form 2; this version reads 1/],
])('%j is refused', (text, message) => expect(() => parseManifest(text)).toThrow(message));

const [table, partition, sequence] = [manifest.tables[0], manifest.partitions[0], manifest.sequences[0]];

it.each<[string, unknown]>([
  ['formatVersion', '1\n2'],
  ['createdAt', 7],
  ['migrations', undefined],
  ['migrations', ['a b']],
  ['tables', null],
  ['tables', {}],
  ['tables', [null]],
  ['tables', [{ ...table, name: 'tag\0; drop table tag' }]],
  ['tables', [{ ...table, name: 't'.repeat(64) }]],
  ['tables', [{ ...table, name: 7 }]],
  ['tables', [{ ...table, columns: [] }]],
  ['tables', [{ ...table, columns: undefined }]],
  ['tables', [{ ...table, columns: ['id\0'] }]],
  ['tables', [{ ...table, rows: -1 }]],
  ['tables', [{ ...table, parts: 0.5 }]],
  ['tables', [{ ...table, parts: '1' }]],
  ['partitions', [{ ...partition, bound: null }]],
  ['partitions', [{ ...partition, parent: null }]],
  ['sequences', [{ ...sequence, last: 7 }]],
  ['sequences', [{ ...sequence, isCalled: 'yes' }]],
])("a wrong '%s' (%j) is refused by its name", (name, value) =>
  expect(() => parseManifest(JSON.stringify({ ...manifest, [name]: value }))).toThrow(
    `The archive is damaged: '${name}' of its manifest is wrong. Nothing was restored.`,
  ));

it.each<[string, boolean]>([
  ['DEFAULT', true],
  ["FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00')", true],
  ["FOR VALUES FROM (MINVALUE) TO ('2020-01-01 00:00:00+00')", true],
  ["FOR VALUES FROM ('2020-01-01 00:00:00+00') TO (MAXVALUE)", true],
  ["FOR VALUES FROM ('-infinity') TO ('0001-01-01 00:00:00+00 BC')", true],
  ["FOR VALUES FROM ('2020-01-01 00:00:00+00') TO ('infinity')", true],
  ['DEFAULT); drop table tag', false],
  ["FOR VALUES FROM ('2026-11-01') TO (now())", false],
  ["FOR VALUES IN ('a')", false],
])('%s is a bound of dates: %s', (bound, is) => expect(isRangeOfDates(bound)).toBe(is));

it('has room for two million files, which is asked before they are read', () => {
  expect(() => mustHaveRoom(2_000_000)).not.toThrow();
  expect(() => mustHaveRoom(2_600_000)).toThrow('An archive has room for two million files, and 2600000 are attached.');
});
