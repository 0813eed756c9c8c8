import { expect, it } from 'vitest';
import { RecentTimes } from './recent-times.js';

const [ada, bob, cleo] = [1, 2, 3];

it.each<[string, [user: number, ms: number, at: number][], boolean]>([
  ['nothing', [], false],
  ['little', [[ada, 99, 0]], false],
  ['much', [[ada, 101, 0]], true],
  [
    'much bit by bit',
    [
      [ada, 60, 0],
      [ada, 60, 0],
    ],
    true,
  ],
  ['much a while ago', [[ada, 101, -500]], false],
  [
    'as much as another',
    [
      [ada, 500, 0],
      [bob, 500, 0],
    ],
    false,
  ],
  [
    'less than two others together',
    [
      [ada, 500, 0],
      [bob, 300, 0],
      [cleo, 300, 0],
    ],
    false,
  ],
  [
    'more than another, who took more before',
    [
      [ada, 500, 0],
      [bob, 900, -1000],
    ],
    true,
  ],
])('%s', (_, times, isMost) => {
  const recent = new RecentTimes<number>(100);
  for (const [user, ms, at] of times.toSorted((one, other) => one[2] - other[2])) recent.add(user, ms, at);
  expect(recent.isMost(ada, 0)).toBe(isMost);
});
