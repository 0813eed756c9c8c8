import { expect, it } from 'vitest';
import { Places, withQuarters } from './places.js';

const [ada, bob, cleo, dan] = [1, 2, 3, 4];

/** What becomes of each of these users in turn, who stay: 0 for a place. */
function entering(places: Places, users: readonly number[]): number[] {
  return users.map((user) => {
    try {
      places.enter(user);
      return 0;
    } catch (refusal) {
      return (refusal as { httpStatus: number }).httpStatus;
    }
  });
}

it.each<[rule: string, users: number[], outcomes: number[]]>([
  ['a user has so many', [ada, ada, ada], [0, 0, 429]],
  ['all together have so many', [ada, ada, bob, bob, bob], [0, 0, 0, 0, 429]],
  ['a user who has none finds one all the same', [ada, ada, bob, bob, cleo, cleo], [0, 0, 0, 0, 0, 503]],
  ['but not any number of them', [ada, ada, bob, bob, cleo, dan], [0, 0, 0, 0, 0, 503]],
])('%s', (_, users, outcomes) => {
  expect(entering(new Places({ all: 4, ofUser: 2, spare: 1 }, 'things are done'), users)).toEqual(outcomes);
});

it('a place that was left is free, once', () => {
  const places = new Places({ all: 2, ofUser: 1, spare: 0 }, 'things are done');
  const leave = places.enter(ada);
  expect(entering(places, [bob, cleo])).toEqual([0, 503]);
  leave();
  leave();
  expect(entering(places, [cleo, ada])).toEqual([0, 503]);
});

it('a quarter of all is for one user, and as much is kept', () => {
  expect([2, 16, 128].map(withQuarters)).toEqual([
    { all: 2, ofUser: 1, spare: 1 },
    { all: 16, ofUser: 4, spare: 4 },
    { all: 128, ofUser: 32, spare: 32 },
  ]);
});
