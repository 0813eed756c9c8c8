import { expect, it } from 'vitest';
import { migrations } from './migrations.js';

it('are listed in the order of their numbers, in which they run, and no two have the same', () => {
  const numbers = migrations.map(({ name }) => Number(/\d{13}$/.exec(name)![0]));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});

it('go by the names of their classes', () => {
  expect(migrations.map((Migration) => new Migration().name)).toEqual(migrations.map(({ name }) => name));
});
