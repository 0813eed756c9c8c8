/** On which connection a statement runs. */
import { expect, it } from 'vitest';
import { StatementHomes } from './statement-homes.js';

const idle = ['a', 'b', 'c'].map((name) => ({ client: { name } }));
const [a, b, c] = idle.map(({ client }) => client) as [object, object, object];

it.each<[string, [object, string][], string, number]>([
  ['is where it ran before', [[a, 'x']], 'x', 0],
  [
    'is the last of those where it ran',
    [
      [a, 'x'],
      [b, 'x'],
      [a, 'x'],
    ],
    'x',
    1,
  ],
  [
    'is for a new one the last of those that ran the fewest',
    [
      [b, 'x'],
      [c, 'x'],
      [c, 'y'],
    ],
    'z',
    0,
  ],
  [
    'counts each statement of a connection once',
    [
      [a, 'x'],
      [a, 'x'],
      [b, 'x'],
      [b, 'y'],
      [c, 'x'],
      [c, 'y'],
    ],
    'z',
    0,
  ],
  ['is the last where nothing ran', [], 'x', 2],
  ['tells transactions, which have no text, from statements', [[b, '']], '', 1],
])('%s', (_, runs, text, place) => {
  const homes = new StatementHomes<object>();
  for (const [connection, ran] of runs) homes.note(connection, ran);
  expect(homes.bestOf(idle as never, text)).toBe(place);
});
