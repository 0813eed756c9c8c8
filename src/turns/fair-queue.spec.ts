import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { tooManyNow, unavailable } from '../errors.js';
import { type FairBounds, FairQueue } from './fair-queue.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const bounds: FairBounds = { running: 1, waiting: 4, waitingOfClient: 3, milliseconds: 1000 };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Tasks are named after their clients: `a1`. What became of each is in `events`. */
function trial(ranks: Record<string, number> = {}, changed: Partial<FairBounds> = {}) {
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  const queue = new FairQueue<string>(
    { ...bounds, ...changed },
    (full) => (full === 'client' ? tooManyNow('other', 'full', 1) : unavailable('full')),
    (client) => ranks[client] ?? 0,
  );
  const send = async (...names: string[]): Promise<void> => {
    for (const name of names) {
      const task = (): Promise<void> => {
        events.push(name);
        return new Promise((resolve) => void ends.set(name, resolve));
      };
      queue.run(name[0]!, task).catch(({ httpStatus }) => events.push(`${name}: ${httpStatus}`));
      await settled();
    }
  };
  const end = async (): Promise<void> => {
    ends.get(events.filter((event) => !event.includes(':')).at(-1)!)!();
    await settled();
  };
  return { queue, events, send, end };
}

it.each<[what: string, sent: string[], order: string[], ranks?: Record<string, number>, changed?: Partial<FairBounds>]>(
  [
    ['runs one client in order', ['a1', 'a2', 'a3'], ['a1', 'a2', 'a3']],
    ['gives turns to clients', ['a1', 'a2', 'a3', 'a4', 'b1'], ['a1', 'a2', 'b1', 'a3', 'a4']],
    ['prefers lower ranks', ['a1', 'a2', 'a3', 'b1', 'c1'], ['a1', 'c1', 'b1', 'a2', 'a3'], { a: 2, b: 1 }],
    ['bounds what waits of a client', ['a1', 'a2', 'a3', 'a4', 'a5'], ['a1', 'a5: 429', 'a2', 'a3', 'a4']],
    [
      'refuses the last one of the longest line when it is full',
      ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'],
      ['a1', 'a4: 503', 'a2', 'b1', 'c1', 'a3'],
    ],
    [
      'refuses whoever comes when it is full of others like him',
      ['a1', 'b1', 'c1', 'd1', 'e1', 'f1'],
      ['a1', 'f1: 503', 'b1', 'c1', 'd1', 'e1'],
    ],
    [
      'refuses the highest rank when it is full',
      ['a1', 'b1', 'c1', 'd1', 'e1', 'f1'],
      ['a1', 'c1: 503', 'b1', 'd1', 'e1', 'f1'],
      { c: 1 },
    ],
    [
      'refuses a higher rank that comes when it is full',
      ['a1', 'b1', 'c1', 'd1', 'e1', 'f1'],
      ['a1', 'f1: 503', 'b1', 'c1', 'd1', 'e1'],
      { f: 1 },
    ],
  ],
)('%s', async (_, sent, order, ranks, changed) => {
  const { events, send, end } = trial(ranks, changed);
  await send(...sent);
  while (events.length < sent.length) await end();
  await end();
  expect(events).toEqual(order);
});

it('runs a little more for clients of whom nothing runs', async () => {
  const { events, send, end } = trial({}, { spare: 1 });
  await send('a1', 'a2', 'b1', 'c1', 'b2');
  expect(events).toEqual(['a1', 'b1']);
  await end();
  expect(events).toEqual(['a1', 'b1', 'c1']);
  await end();
  expect(events).toEqual(['a1', 'b1', 'c1', 'b2']);
});

it('runs as many at once as it may', async () => {
  const { events, send } = trial({}, { running: 2 });
  await send('a1', 'a2', 'a3');
  expect(events).toEqual(['a1', 'a2']);
});

it('refuses what waits too long, and runs on', async () => {
  const { events, send, end } = trial();
  await send('a1', 'a2');
  vi.advanceTimersByTime(1000);
  await settled();
  await end();
  await send('a3');
  expect(events).toEqual(['a1', 'a2: 503', 'a3']);
});

it.each([true, false])('refuses whoever has left, before it waits: %s', async (isBefore) => {
  const { queue, events, send } = trial();
  await send('a1');
  const client = Object.assign(new EventEmitter(), { destroyed: isBefore });
  const waiting = queue.enter('b', 1, client).catch(({ httpStatus }) => events.push(`b: ${httpStatus}`));
  if (!isBefore) client.emit('close');
  await waiting;
  expect(events).toEqual(['a1', 'b: 503']);
});
