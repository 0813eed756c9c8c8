/** What the soak says of its minutes: whether they are flat, or what grew. */
import { expect, it } from 'vitest';
import { verdictOf } from '../bench/soak.mjs';

const flat = { rss: 180, descriptors: 30, dead: 4000, live: 400_000, backends: { connections: 8, together: 200 } };

/** An hour; `change` makes a minute of it other than flat. */
const hour = (change: (minute: number) => object, minutes = 60) =>
  Array.from({ length: minutes }, (_, at) => ({ ...flat, ...change(at) }));

it.each([
  ['nothing changes', hour(() => ({})), 'flat'],
  ['memory is taken in the first minutes', hour((at) => ({ rss: at < 8 ? 100 : 180 })), 'flat'],
  ['dead rows come and go', hour((at) => ({ dead: (at % 5) * 2000 })), 'flat'],
  ['the system tells nothing', hour(() => ({ descriptors: undefined, rss: Number.NaN })), 'flat'],
  ['memory grows', hour((at) => ({ rss: 180 + at })), 'not flat, these grew: memory (197.5 MB to 231.5 MB)'],
  ['descriptors', hour((at) => ({ descriptors: 30 + at })), 'not flat, these grew: descriptors (47.5 to 81.5)'],
  [
    'connections and what they hold',
    hour((at) => ({ backends: { connections: 8 + at, together: 200 + 10 * at } })),
    'not flat, these grew: connections (25.5 to 59.5), memory of backends (375.0 MB to 715.0 MB)',
  ],
  [
    'dead rows',
    hour((at) => ({ dead: 4000 * at })),
    'not flat, these grew: dead rows (17.5 % of all to 51.5 % of all)',
  ],
  ['it was short', hour(() => ({}), 5), 'too short to tell what grows'],
])('%s', (_, minutes, verdict) => {
  expect(verdictOf(minutes)).toBe(verdict);
});
