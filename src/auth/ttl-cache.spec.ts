import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { TtlCache } from './ttl-cache.js';

const recentOf = (milliseconds: number) => new TtlCache<string, { value: number }>({ entries: 2, milliseconds });

/** Counts its calls, each of which answers after a moment. */
function source(milliseconds = 5) {
  const state = { calls: 0 };
  const ask = async () => {
    const value = ++state.calls;
    await sleep(milliseconds);
    return { value };
  };
  return { state, ask };
}

it('asks once for all who want the same at once', async () => {
  const recent = recentOf(1_000);
  const { state, ask } = source();
  const answers = await Promise.all(Array.from({ length: 64 }, () => recent.load('a', ask)));
  expect(state.calls).toBe(1);
  expect(new Set(answers).size).toBe(1);
  expect(recent.get('a')).toEqual({ value: 1 });
});

it('keeps what it loaded for its time, counted from the question', async () => {
  const recent = recentOf(400);
  await recent.load('a', source(200).ask);
  expect(recent.get('a')).toEqual({ value: 1 });
  await sleep(250);
  expect(recent.get('a')).toBeUndefined();
});

it('loads anew when told to, whatever it keeps', async () => {
  const recent = recentOf(1_000);
  const { ask } = source();
  await recent.load('a', ask);
  expect(await recent.load('a', ask)).toEqual({ value: 2 });
  expect(recent.get('a')).toEqual({ value: 2 });
});

it('keeps nothing that does not exist, and forgets what no longer does', async () => {
  const recent = recentOf(1_000);
  await recent.load('a', source().ask);
  expect(await recent.load('a', async () => undefined)).toBeUndefined();
  expect(recent.get('a')).toBeUndefined();
});

it('keeps nothing of a load that failed', async () => {
  const recent = recentOf(1_000);
  await expect(recent.load('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await recent.load('a', source().ask)).toEqual({ value: 1 });
});

it('keeps no more than its number of entries', async () => {
  const recent = recentOf(1_000);
  for (const key of ['a', 'b', 'c']) await recent.load(key, source(0).ask);
  expect(recent.get('a')).toBeUndefined();
  expect(recent.get('c')).toBeDefined();
});

it('keeps nothing of a load that began before it was cleared', async () => {
  const recent = recentOf(1_000);
  const { state, ask } = source();
  const before = recent.load('a', ask);
  recent.clear();
  const after = recent.load('a', ask);
  expect(await before).toEqual({ value: 1 });
  expect(recent.get('a')).not.toEqual({ value: 1 });
  expect(await after).toEqual({ value: 2 });
  expect(recent.get('a')).toEqual({ value: 2 });
  expect(state.calls).toBe(2);
});
