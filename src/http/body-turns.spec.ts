import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BodyTurns } from './body-turns.js';

const [ada, bob] = [1, 2];
const bounds = { short: 10, bytes: 100, waiting: 3, milliseconds: 1000 };

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
  end(): void;
}

/** A body of a user. */
async function body(userId: number, bytes: number): Promise<Body> {
  const entered: Body = { outcome: 'waits', end: () => undefined };
  turns.enter(userId, bytes).then(
    (end) => Object.assign(entered, { outcome: 'begun', end }),
    (error) => {
      entered.outcome = error.code;
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
  const waiting = [await body(ada, 100), await body(bob, 100), await body(ada, 100)];
  expect((await body(bob, 100)).outcome).toBe(503);
  await vi.advanceTimersByTimeAsync(bounds.milliseconds);
  expect(waiting.map(({ outcome }) => outcome)).toEqual([503, 503, 503]);
  await ended(first);
  expect((await body(bob, 100)).outcome).toBe('begun');
});
