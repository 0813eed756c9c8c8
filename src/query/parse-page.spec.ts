import { expect, it } from 'vitest';
import { type PageTexts, parsePage } from './parameters.js';

it.each<[PageTexts, number, number]>([
  [{}, 25, 0],
  [{ take: '0', skip: '0' }, 0, 0],
  [{ take: '1000' }, 1000, 0],
  [{ take: '1001' }, 1000, 0],
  [{ take: '999999999' }, 1000, 0],
  [{ take: '9'.repeat(1000) }, 1000, 0],
  [{ take: ' 5 ', skip: '\t007' }, 5, 7],
  [{ skip: '9007199254740991' }, 25, Number.MAX_SAFE_INTEGER],
])('reads %j', (texts, take, skip) => expect(parsePage(texts)).toEqual({ take, skip }));

it.each([
  '-1',
  '-0',
  '+5',
  '1.5',
  '1.0',
  '1e3',
  'abc',
  '0x10',
  '1,5',
  '1 0',
  '١٢',
  '５',
  'NaN',
  'Infinity',
  '',
  ' ',
  '5n',
])('refuses "%s" in both', (input) => {
  expect(() => parsePage({ take: input })).toThrow(`take: '${input}' is not a whole number of 0 or more.`);
  expect(() => parsePage({ skip: input })).toThrow(`skip: '${input}' is not a whole number of 0 or more.`);
});

it.each([
  '9007199254740992',
  '9223372036854775807',
  '9223372036854775808',
  '9'.repeat(60),
])('refuses to skip %s, which a number cannot hold exactly', (skip) =>
  expect(() => parsePage({ skip })).toThrow(`skip: '${skip}' is not a whole number of 0 or more.`));

it('says the names of the inner page', () => {
  const names = { take: 'innerTake', skip: 'innerSkip' };
  expect(() => parsePage({ take: 'x' }, names)).toThrow("innerTake: 'x' is not");
  expect(() => parsePage({ skip: 'x' }, names)).toThrow("innerSkip: 'x' is not");
});
