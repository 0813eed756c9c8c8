import { expect, it } from 'vitest';
import { nearest } from './near.js';

const fields = ['Id', 'Name', 'Description', 'EntityState', 'Project', 'TimeSpent', 'TimeRemain'];

it.each([
  ['Nam', 'Name'],
  ['naem', 'Name'],
  ['NAME', 'Name'],
  ['Naame', 'Name'],
  ['Projct', 'Project'],
  ['Porjcet', 'Project'],
  ['EntityStatus', 'EntityState'],
  ['timespend', 'TimeSpent'],
])('%s is near %s', (input, expected) => expect(nearest(input, fields)).toBe(expected));

it.each([
  ['ordrBy', 'orderBy'],
  ['order', 'orderBy'],
  ['weher', 'where'],
  ['spik', undefined],
  ['wehre', 'where'],
  ['wheree', 'where'],
  ['tk', undefined],
  ['page', undefined],
  ['name', undefined],
  ['type', undefined],
])('of parameters %s is near %s', (input, expected) =>
  expect(nearest(input, ['where', 'orderBy', 'take', 'skip'])).toBe(expected));

it.each([
  '',
  'I',
  'Ix',
  'Nope',
  'Prj',
  'Descr',
  'constructor',
  '__proto__',
  'x'.repeat(64),
  'Name'.repeat(100_000),
])('%.20s is near nothing', (input) => expect(nearest(input, fields)).toBeUndefined());

it('prefers fewer mistakes, then the name that comes first', () => {
  expect(nearest('orderbydes', ['orderBy', 'orderByDesc'])).toBe('orderByDesc');
  expect(nearest('abcx', ['abcd', 'abce'])).toBe('abcd');
});
