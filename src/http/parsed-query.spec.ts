import { expect, it } from 'vitest';
import { parsedQueryFrom } from './parsed-query.js';

it.each([
  ['the same text', 'take=5&format=json', 'take=5&format=json'],
  ['a number against caches', 'take=5&_=1', 'take=5&_=2'],
  ['the name in another letter case', 'take=5', 'TAKE=5'],
  ['a credential', 'take=5&token=abc', 'take=5'],
  ['a credential in another letter case', 'take=5&ACCESS_TOKEN=abc', 'take=5'],
])('says the same: %s', (_, one, other) => {
  // What comes once is not kept.
  for (const text of [one, other]) parsedQueryFrom(text);
  expect(parsedQueryFrom(one)).toBe(parsedQueryFrom(other));
});

it.each([
  ['another value', 'take=5', 'take=6'],
  ['another parameter', 'where=Id%20eq%201', 'include=%5BId%5D'],
  ['a value that looks like another parameter', 'where=a%26take%3D5', 'where=a&take=5'],
])('says something else: %s', (_, one, other) => expect(parsedQueryFrom(one)).not.toBe(parsedQueryFrom(other)));

it('repeats for links what shapes the answer, and no credential', () => {
  const asked = parsedQueryFrom('format=json&Take=2&where=(Id%20gt%205)&token=secret&_=7');
  expect(asked.repeated).toBe('where=(Id%20gt%205)&format=json&');
  expect(asked.repeatedStyle).toBe('format=json&');
});
