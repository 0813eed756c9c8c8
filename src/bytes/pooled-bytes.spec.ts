import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BlockPool, blockBytes } from './block-pool.js';
import { PooledBytes } from './pooled-bytes.js';

/** Bytes that tell their place. */
const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => (at * 7919) % 251));

function pooled(all: Buffer, chunk: number): PooledBytes {
  const made = new PooledBytes();
  for (let at = 0; at < all.length; at += chunk) {
    const copy = Buffer.from(all.subarray(at, at + chunk));
    made.append(copy);
    copy.fill(0);
  }
  return made;
}

describe('bytes in blocks', () => {
  it.each([
    [0, 1],
    [1, 1],
    [1000, 7],
    [blockBytes, blockBytes],
    [blockBytes + 1, 4096],
    [3 * blockBytes - 1, 2 * blockBytes],
    [3 * blockBytes, 65_000],
  ])('%d that come in chunks of %d are the same, in order', (length, chunk) => {
    const all = bytes(length);
    const made = pooled(all, chunk);
    expect(made.length).toBe(length);
    expect(Buffer.concat([...made.views()]).equals(all)).toBe(true);
    expect(made.toString('latin1')).toBe(all.toString('latin1'));
    expect(Buffer.concat([...made.drain()]).equals(all)).toBe(true);
  });

  it('are copied before their blocks are used again', () => {
    const all = bytes(9 * blockBytes);
    const copies: Buffer[] = [];
    for (const copy of pooled(all, 1000).drain()) {
      copies.push(copy);
      pooled(Buffer.alloc(5 * blockBytes), blockBytes);
    }
    expect(copies.map(({ length }) => length / blockBytes)).toEqual([4, 4, 1]);
    expect(Buffer.concat(copies).equals(all)).toBe(true);
  });

  it('are gone when they are released or drained', () => {
    const [released, drained] = [pooled(bytes(100), 10), pooled(bytes(100), 10)];
    released.release();
    expect([...drained.drain()]).toHaveLength(1);
    for (const gone of [released, drained]) {
      expect([gone.length, [...gone.views()], [...gone.drain()], gone.toString()]).toEqual([0, [], [], '']);
      gone.release();
    }
  });
});

describe('the pool', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('uses blocks again, and gives back the memory that nothing uses', () => {
    const pool = new BlockPool();
    const first = pool.take();
    const region = pool.reserved;
    const others = Array.from({ length: region / blockBytes }, () => pool.take());
    expect(pool.reserved).toBe(2 * region);
    expect(new Set([first, ...others]).size).toBe(others.length + 1);
    expect(pool.used).toBe(others.length + 1);
    pool.give(first);
    expect(pool.take()).toBe(first);
    for (const block of others) pool.give(block);
    vi.advanceTimersByTime(10_000);
    expect(pool.reserved).toBe(region);
    pool.give(first);
    vi.advanceTimersByTime(10_000);
    expect([pool.reserved, first.length, vi.getTimerCount()]).toEqual([0, 0, 0]);
  });
});
