import { expect, it } from 'vitest';
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

/** Requests of these users arrive in one turn of the loop; each computes for so long. Gives their order, and how many began at once. */
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
