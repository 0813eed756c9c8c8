import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LoopTurns } from './loop-turns.js';

const [ada, bob, cleo] = [1, 2, 3];

/** Time passes where a test says so. */
class Loop extends LoopTurns {
  private time = 1;
  override now = (): number => this.time;

  compute(milliseconds: number): void {
    this.time += milliseconds;
  }
}

/**
 * Requests of these users arrive in one turn of the loop; each computes for so long. Gives their order, and how many
 * began at once.
 */
async function begun(users: number[], milliseconds: number): Promise<{ order: number[]; atOnce: number }> {
  const turns = new Loop();
  const order: number[] = [];
  const all = users.map(async (user) => {
    const turn = turns.take(user);
    if (turn) await turn;
    order.push(user);
    turns.compute(milliseconds);
  });
  const atOnce = order.length;
  await Promise.all(all);
  return { order, atOnce };
}

it('requests that take little time begin at once', async () => {
  expect((await begun([ada, ada, bob], 0)).atOnce).toBe(3);
});

it('behind one that takes long the others wait, and users have turns', async () => {
  const { order, atOnce } = await begun([ada, ada, ada, ada, bob, bob, cleo], 5);
  expect(atOnce).toBe(1);
  expect(order).toEqual([ada, ada, bob, cleo, ada, bob, ada]);
});

it('whoever had least of the time comes first', async () => {
  const turns = new Loop();
  const order: string[] = [];
  const ask = async (user: number, milliseconds: number, name: string): Promise<void> => {
    await turns.take(user);
    order.push(name);
    turns.compute(milliseconds);
  };
  await Promise.all([ask(ada, 5, 'long'), ask(bob, 5, 'long')]);
  await Promise.all([
    ...Array.from({ length: 3 }, (_, at) => ask(ada, 5, `ada ${at}`)),
    ...Array.from({ length: 3 }, (_, at) => ask(cleo, 1, `cleo ${at}`)),
  ]);
  expect(order.slice(2)).toEqual(['ada 0', 'cleo 0', 'cleo 1', 'cleo 2', 'ada 1', 'ada 2']);
});

it('of those that waited together each begins in turn', async () => {
  const turns = new Loop();
  const order: number[] = [];
  let turned = 0;
  const immediate = (): void => {
    turned += 1;
    if (order.length < 4) setImmediate(immediate);
  };
  setImmediate(immediate);
  const all = [ada, ada, bob, cleo].map(async (user) => {
    await turns.next(user);
    order.push(user);
    turns.compute(5);
  });
  expect(order).toEqual([]);
  await Promise.all(all);
  expect(order).toEqual([ada, bob, cleo, ada]);
  expect(turned).toBeGreaterThanOrEqual(3);
});

describe('whoever had most of the time in long steps', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A request that computes for so long. Gives whether it has begun. */
  async function request(turns: Loop, user: number, milliseconds: number) {
    const one = { begun: false };
    const begin = (): void => {
      one.begun = true;
      turns.compute(milliseconds);
    };
    const turn = turns.take(user);
    if (turn) void turn.then(begin);
    else begin();
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    return one;
  }

  it('rests for three times as long while others ask', async () => {
    const turns = new Loop();
    await request(turns, bob, 0);
    for (const milliseconds of [80, 30]) await request(turns, ada, milliseconds);
    const [next, other] = [await request(turns, ada, 0), await request(turns, bob, 0)];
    expect([next.begun, other.begun]).toEqual([false, true]);
    vi.advanceTimersByTime(89);
    await new Promise(setImmediate);
    expect(next.begun).toBe(false);
    vi.advanceTimersByTime(1);
    await vi.waitFor(() => expect(next.begun).toBe(true));
  });

  it('goes on at once where nobody else asks', async () => {
    const turns = new Loop();
    await request(turns, bob, 0);
    turns.compute(1001);
    await request(turns, ada, 110);
    expect((await request(turns, ada, 0)).begun).toBe(true);
  });

  it('goes on at once where another had more', async () => {
    const turns = new Loop();
    await request(turns, cleo, 0);
    await request(turns, bob, 150);
    await request(turns, ada, 110);
    expect((await request(turns, ada, 0)).begun).toBe(true);
  });
});

it('between two that take long the loop turns', async () => {
  let turned = 0;
  const immediate = (): void => {
    turned += 1;
    if (turned < 100) setImmediate(immediate);
  };
  setImmediate(immediate);
  await begun([ada, ada, ada, ada], 5);
  expect(turned).toBeGreaterThanOrEqual(3);
});

it('nobody waits once all have begun', async () => {
  const turns = new Loop();
  expect(turns.take(ada)).toBeUndefined();
  turns.compute(5);
  await turns.take(bob);
  await new Promise(setImmediate);
  expect(turns.take(cleo)).toBeUndefined();
});
