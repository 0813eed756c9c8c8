import { expect, it } from 'vitest';
import { LastAskers } from './last-askers.js';

const [ada, bob, cleo] = [1, 2, 3];

it.each<[what: string, asked: [owner: number, at: number][], owner: number, now: number, hasOthers: boolean]>([
  ['nobody has asked', [], ada, 0, false],
  ['one alone has asked', [[ada, 0]], ada, 0, false],
  ['another one has asked', [[bob, 0]], ada, 1000, true],
  ['another one asked longer ago', [[bob, 0]], ada, 1001, false],
  [
    'another one asked before',
    [
      [bob, 500],
      [ada, 900],
      [ada, 1400],
    ],
    ada,
    1500,
    true,
  ],
  [
    'another one asked too long before',
    [
      [bob, 500],
      [ada, 900],
      [ada, 1400],
    ],
    ada,
    1501,
    false,
  ],
  [
    'one who has asked is asked about by another',
    [
      [bob, 500],
      [ada, 900],
      [ada, 1400],
    ],
    bob,
    2400,
    true,
  ],
  [
    'three ask',
    [
      [ada, 0],
      [bob, 0],
      [cleo, 500],
    ],
    cleo,
    1000,
    true,
  ],
])('%s', (_, asked, owner, now, hasOthers) => {
  const askers = new LastAskers<number>();
  for (const [one, at] of asked) askers.note(one, at);
  expect(askers.hasOthers(owner, now)).toBe(hasOthers);
});
