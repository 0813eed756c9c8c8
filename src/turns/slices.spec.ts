import { describe, expect, it } from 'vitest';
import { atOnce, eachInSlices, inOwnTurn, inSlices, inTurns, type Sliced } from './slices.js';

/** Longer than what one turn of the event loop has for such work. */
function busy(): void {
  const end = performance.now() + 10;
  while (performance.now() < end);
}

function* long(steps: number, note: () => void): Sliced<string> {
  for (let step = 0; step < steps; step += 1) {
    busy();
    note();
    yield;
  }
  return 'done';
}

/** Counts the turns of the event loop until `stop` is called. */
function turns(): { count: number; stop(): void } {
  const counted = {
    count: 0,
    stop: () => clearImmediate(next),
  };
  const turn = () => {
    counted.count += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return counted;
}

describe('work in slices', () => {
  it('that is short ends without a turn of the event loop', async () => {
    const counted = turns();
    expect(await inSlices(long(0, () => undefined))).toBe('done');
    expect(counted.count).toBe(0);
    counted.stop();
  });

  it('lets the event loop turn between two slices', async () => {
    const counted = turns();
    const seen: number[] = [];
    expect(await inSlices(long(5, () => seen.push(counted.count)))).toBe('done');
    expect(new Set(seen).size).toBe(5);
    counted.stop();
  });

  it('has one slice in each turn, however much work there is', async () => {
    const counted = turns();
    const seen: number[] = [];
    const works = [1, 2, 3, 4].map(() => inSlices(long(3, () => seen.push(counted.count))));
    await Promise.all([...works, eachInSlices([1, 2, 3], () => seen.push(counted.count) && busy())]);
    expect(new Set(seen).size).toBe(seen.length);
    counted.stop();
  });

  it('that cannot be cut has turns of its own, beside slices', async () => {
    const counted = turns();
    const seen: number[] = [];
    const note = () => {
      busy();
      seen.push(counted.count);
    };
    const whole = Array.from({ length: 4 }, () => inOwnTurn(note));
    const beside = [1, 2].map(() => inSlices(long(3, note)));
    await Promise.all([...whole, ...beside]);
    expect(seen).toHaveLength(10);
    expect(new Set(seen).size).toBe(seen.length);
    counted.stop();
  });

  it('fails as the work does', async () => {
    function* failing(): Sliced<never> {
      yield;
      throw new Error('refused');
    }
    await expect(inSlices(failing())).rejects.toThrow('refused');
    await expect(inSlices(long(1, () => undefined))).resolves.toBe('done');
  });

  it('gives one of many in each turn, as long as each takes, in order', async () => {
    const counted = turns();
    const seen: number[] = [];
    const given: number[] = [];
    for await (const one of inTurns([1, 2, 3])) {
      seen.push(counted.count);
      given.push(one);
      busy();
    }
    expect(given).toEqual([1, 2, 3]);
    expect(new Set(seen).size).toBe(3);
    counted.stop();
  });

  it('can be done at once', () => expect(atOnce(long(2, () => undefined))).toBe('done'));
});
