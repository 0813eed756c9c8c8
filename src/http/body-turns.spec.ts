import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BodyTurns } from './body-turns.js';

const [ada, bob, cleo, dan] = [1, 2, 3, 4];
const bounds = { short: 10, running: 100, waiting: 4, waitingOfClient: 3, milliseconds: 1000 };

let turns: BodyTurns;
beforeEach(() => {
  vi.useFakeTimers();
  turns = new BodyTurns(bounds);
});
afterEach(() => {
  vi.useRealTimers();
});

interface Body {
  outcome: 'waits' | 'begun' | number;
  readonly client: EventEmitter;
  end(): void;
}

const outcomes = (...bodies: Body[]) => bodies.map(({ outcome }) => outcome);

/** A body of a user. */
async function body(userId: number, bytes: number): Promise<Body> {
  const client = Object.assign(new EventEmitter(), { destroyed: false });
  const entered: Body = { outcome: 'waits', client, end: () => undefined };
  turns.enter(userId, bytes, client).then(
    (end) => Object.assign(entered, { outcome: 'begun', end }),
    (error) => {
      entered.outcome = error.httpStatus;
    },
  );
  await settled();
  return entered;
}

const settled = () => vi.advanceTimersByTimeAsync(0);

async function ended(one: Body): Promise<void> {
  one.end();
  await settled();
}

it('short bodies never wait', async () => {
  await body(ada, 100);
  await body(ada, 100);
  expect((await body(ada, 10)).outcome).toBe('begun');
});

it('large bodies are taken up as far as they fit together', async () => {
  const bodies = [await body(ada, 60), await body(ada, 40), await body(ada, 11)];
  expect(bodies.map(({ outcome }) => outcome)).toEqual(['begun', 'begun', 'waits']);
  await ended(bodies[1]!);
  expect(bodies[2]!.outcome).toBe('begun');
});

it('one that is longer is taken up alone', async () => {
  const first = await body(ada, 50);
  const long = await body(ada, 5000);
  const other = await body(bob, 50);
  expect([long.outcome, other.outcome]).toEqual(['waits', 'waits']);
  await ended(first);
  expect([long.outcome, other.outcome]).toEqual(['begun', 'waits']);
  await ended(long);
  expect(other.outcome).toBe('begun');
});

it('users have turns', async () => {
  const first = await body(ada, 100);
  const [second, third, other] = [await body(ada, 100), await body(ada, 100), await body(bob, 100)];
  await ended(first);
  await ended(second);
  expect([third.outcome, other.outcome]).toEqual(['waits', 'begun']);
});

it('waiting is bounded in number and time', async () => {
  const first = await body(ada, 100);
  const waiting = [await body(ada, 100), await body(bob, 100), await body(cleo, 100), await body(dan, 100)];
  expect((await body(bob, 100)).outcome).toBe(503);
  await vi.advanceTimersByTimeAsync(bounds.milliseconds);
  expect(outcomes(...waiting)).toEqual([503, 503, 503, 503]);
  await ended(first);
  expect((await body(bob, 100)).outcome).toBe('begun');
});

it('a user has a share of the places, and gives way to users who have fewer', async () => {
  await body(ada, 100);
  const own = [await body(ada, 100), await body(ada, 100), await body(ada, 100), await body(ada, 100)];
  const others = [await body(bob, 100), await body(cleo, 100), await body(cleo, 100)];
  expect(outcomes(...own, ...others)).toEqual(['waits', 'waits', 503, 429, 'waits', 'waits', 503]);
});

it('one whose client leaves waits no longer', async () => {
  const first = await body(ada, 100);
  const [gone, next] = [await body(ada, 100), await body(ada, 100)];
  gone.client.emit('close');
  await settled();
  expect(outcomes(gone, next)).toEqual([503, 'waits']);
  await ended(first);
  expect(next.outcome).toBe('begun');
  for (const { client } of [first, gone, next]) expect(client.listenerCount('close')).toBe(0);
});

it.each<[what: string, go: (head: Body) => unknown]>([
  ['has waited too long', () => vi.advanceTimersByTimeAsync(bounds.milliseconds - 500)],
  ['is left by its client', ({ client }) => client.emit('close')],
])('those behind one that %s begin where they fit', async (_, go) => {
  await body(ada, 60);
  const long = await body(bob, 90);
  await vi.advanceTimersByTimeAsync(500);
  const behind = [await body(bob, 20), await body(cleo, 20), await body(ada, 20)];
  expect(outcomes(long, ...behind)).toEqual(['waits', 'waits', 'waits', 'waits']);
  await go(long);
  await settled();
  expect(outcomes(long, ...behind)).toEqual([503, 'begun', 'begun', 'waits']);
});
