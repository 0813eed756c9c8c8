import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gatherMs, mostTogether, WriteGroups } from './write-groups.js';

type End = (outcome: (entry: string) => Promise<string>) => void;

/** Transactions that end when told to. */
class Transactions {
  readonly begun: string[][] = [];
  private readonly ends: End[] = [];
  private readonly ways: (() => void)[] = [];
  readonly groups = new WriteGroups<string, string>(
    (entries, makeWay) => {
      this.begun.push([...entries]);
      this.ways.push(makeWay);
      const ended = new Promise<Parameters<End>[0]>((resolve) => this.ends.push(resolve));
      return entries.map(async (entry) => (await ended)(entry));
    },
    (first, chosen, next) => first[0] === next[0] && !chosen.includes(next),
  );

  async end(outcome = async (entry: string): Promise<string> => `${entry}!`): Promise<void> {
    this.ends.shift()!(outcome);
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** The latest transaction is about to commit. */
  commit(): void {
    this.ways.at(-1)!();
  }

  newlyBegun(): string[][] {
    return this.begun.splice(0);
  }
}

const named = (count: number): string[] => Array.from({ length: count }, (_, at) => `a${at}`);

describe('writes of one key', () => {
  it('share the next transaction behind one that is under way', async () => {
    const transactions = new Transactions();
    const answers = named(5).map((entry) => transactions.groups.join('k', entry));
    expect(transactions.newlyBegun()).toEqual([['a0']]);
    await transactions.end();
    expect(transactions.newlyBegun()).toEqual([['a1', 'a2', 'a3', 'a4']]);
    await transactions.end();
    expect(await Promise.all(answers)).toEqual(['a0!', 'a1!', 'a2!', 'a3!', 'a4!']);
    expect(transactions.newlyBegun()).toEqual([]);
  });

  it('are not carried out once they were withdrawn', async () => {
    const transactions = new Transactions();
    const { groups } = transactions;
    const answers = ['a0', 'a1'].map((entry) => groups.join('k', entry));
    expect(['a0', 'a1', 'a1'].map((entry) => groups.withdraw('k', entry))).toEqual([false, true, false]);
    expect(groups.withdraw('other', 'a0')).toBe(false);
    await transactions.end();
    expect(await answers[0]).toBe('a0!');
    expect(transactions.newlyBegun()).toEqual([['a0']]);
    void groups.join('k', 'a2');
    expect(transactions.newlyBegun()).toEqual([['a2']]);
  });

  it('wait for the end of those under way while these are more', async () => {
    const transactions = new Transactions();
    for (const entry of named(4)) void transactions.groups.join('k', entry);
    await transactions.end();
    expect(transactions.newlyBegun()).toEqual([['a0'], ['a1', 'a2', 'a3']]);
    transactions.commit();
    for (const entry of ['b0', 'b1']) void transactions.groups.join('k', entry);
    expect(transactions.newlyBegun()).toEqual([]);
    void transactions.groups.join('k', 'b2');
    expect(transactions.newlyBegun().flat()).toContain('b0');
  });

  it('begin while the one before them commits', async () => {
    const transactions = new Transactions();
    for (const entry of named(3)) void transactions.groups.join('k', entry);
    transactions.commit();
    expect(transactions.newlyBegun()).toEqual([['a0'], ['a1', 'a2']]);
    void transactions.groups.join('k', 'a3');
    await transactions.end();
    expect(transactions.newlyBegun()).toEqual([]);
    await transactions.end();
    expect(transactions.newlyBegun()).toEqual([['a3']]);
  });

  it('share one in the order in which they came, so many at most', async () => {
    const transactions = new Transactions();
    for (const entry of named(mostTogether + 18)) void transactions.groups.join('k', entry);
    await transactions.end();
    await transactions.end();
    const all = named(mostTogether + 18);
    expect(transactions.newlyBegun()).toEqual([['a0'], all.slice(1, -17), all.slice(-17)]);
  });

  it('go together only where they fit, and nobody waits for ever', async () => {
    const transactions = new Transactions();
    for (const entry of ['a0', 'a2', 'b1', 'a2', 'a3', 'b2']) void transactions.groups.join('k', entry);
    for (let at = 0; at < 4; at += 1) await transactions.end();
    expect(transactions.newlyBegun()).toEqual([['a0'], ['a2', 'a3'], ['b1', 'b2'], ['a2']]);
  });

  it('fail each for itself', async () => {
    const transactions = new Transactions();
    const answers = named(3).map((entry) => transactions.groups.join('k', entry));
    const settled = Promise.allSettled(answers);
    await transactions.end();
    await transactions.end(async (entry) => {
      if (entry === 'a1') throw new Error('no');
      return entry;
    });
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('behind several that went together', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  /** One alone, and eight together that end. */
  async function nineEnded(): Promise<Transactions> {
    const transactions = new Transactions();
    for (const entry of named(9)) void transactions.groups.join('k', entry);
    await transactions.end();
    await transactions.end();
    transactions.newlyBegun();
    return transactions;
  }

  it('half as many begin at once', async () => {
    const transactions = await nineEnded();
    for (const entry of named(3)) void transactions.groups.join('k', entry);
    expect(transactions.newlyBegun()).toEqual([]);
    void transactions.groups.join('k', 'a3');
    expect(transactions.newlyBegun()).toEqual([['a0', 'a1', 'a2', 'a3']]);
  });

  it('fewer wait a moment, once', async () => {
    const transactions = await nineEnded();
    void transactions.groups.join('k', 'a0');
    await vi.advanceTimersByTimeAsync(gatherMs - 1);
    void transactions.groups.join('k', 'a1');
    expect(transactions.newlyBegun()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(transactions.newlyBegun()).toEqual([['a0', 'a1']]);
    await transactions.end();
    void transactions.groups.join('k', 'a2');
    expect(transactions.newlyBegun()).toEqual([['a2']]);
  });

  it('one that comes later waits for nobody', async () => {
    const transactions = await nineEnded();
    await vi.advanceTimersByTimeAsync(gatherMs);
    void transactions.groups.join('k', 'a0');
    expect(transactions.newlyBegun()).toEqual([['a0']]);
  });

  it('those of another key wait for nobody', async () => {
    const transactions = await nineEnded();
    void transactions.groups.join('l', 'a0');
    expect(transactions.newlyBegun()).toEqual([['a0']]);
  });
});

it('one that takes long is not waited for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const transactions = new Transactions();
  for (const entry of named(3)) void transactions.groups.join('k', entry);
  await vi.advanceTimersByTimeAsync(99);
  expect(transactions.newlyBegun()).toEqual([['a0']]);
  await vi.advanceTimersByTimeAsync(1);
  expect(transactions.newlyBegun()).toEqual([['a1', 'a2']]);
  vi.useRealTimers();
});

it('those of other keys do not wait for them', () => {
  const transactions = new Transactions();
  for (const key of ['k', 'l', 'm']) for (const entry of named(2)) void transactions.groups.join(key, entry);
  expect(transactions.newlyBegun()).toEqual([['a0'], ['a0'], ['a0']]);
});
