/** Answers of the database whose texts are counted while they come. */
import { EventEmitter } from 'node:events';
import type { PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { type Block, blockBytes, blocks } from '../../src/bytes/block-pool.js';
import { release } from '../../src/bytes/text-bytes.js';
import { DatabasePool } from '../../src/database/pool.js';
import { queryTextRows, type TextRow } from '../../src/database/text-query.js';
import { AnswerRoom, HeldAnswer, type Receiver, usualAnswerBounds } from '../../src/http/answer-room.js';

/** Whoever waits does so until there is room: no time ends it. */
const forever = Number.MAX_SAFE_INTEGER;
const bounds = {
  ...usualAnswerBounds,
  answer: 2 ** 26,
  bytes: 2 ** 20,
  short: 0,
  patience: forever,
  patienceWithin: forever,
  still: forever,
};
const nothing: Receiver = { goOn: () => undefined, fail: () => undefined };

class Response extends EventEmitter {
  closed = false;
  destroy(): void {
    this.closed = true;
    this.emit('close');
  }
}

let pool: DatabasePool;
let client: PoolClient;
let room: AnswerRoom;
beforeAll(() => {
  pool = new DatabasePool({ connectionString: inject('databaseUrl'), settings: {}, max: 1 });
});
afterAll(() => pool.end());
beforeEach(async () => {
  room = new AnswerRoom(bounds);
  client = await pool.borrow(1);
});
afterEach(() => {
  vi.restoreAllMocks();
  client.release();
});

const answer = (): HeldAnswer => new HeldAnswer(room, new Response() as never);

/** Two answers hold all of the memory, and one of them the place beyond it. */
function fill(): HeldAnswer[] {
  const holders = [answer(), answer()];
  for (const holder of holders) holder.add({ bytes: bounds.bytes, memory: bounds.bytes }, nothing);
  return holders;
}

const lengths = (rows: TextRow[]): number[] => rows.map(([text]) => text!.length);

function releaseAll(rows: TextRow[]): void {
  for (const [text] of rows) release(text!);
}

/** Blocks taken from now on and not given back: those of earlier tests go back whenever they are collected. */
function usedFromNow(): Set<Block> {
  const used = new Set<Block>();
  const [take, give] = [blocks.take.bind(blocks), blocks.give.bind(blocks)];
  vi.spyOn(blocks, 'take').mockImplementation(() => {
    const block = take();
    used.add(block);
    return block;
  });
  vi.spyOn(blocks, 'give').mockImplementation((block) => {
    used.delete(block);
    give(block);
  });
  return used;
}

const total = (numbers: number[]): number => numbers.reduce((sum, one) => sum + one, 0);

describe('an answer whose last row finds no room', () => {
  it.each<[what: string, text: string, rows: number[]]>([
    ['texts', "select repeat('x', 655) from generate_series(1, 101)", Array(101).fill(655)],
    [
      'bytes in blocks',
      "select repeat('x', n) from (values (20000), (20000), (20000), (20000), (100)) row (n)",
      [20000, 20000, 20000, 20000, 100],
    ],
  ])('is complete: nothing waits, and nothing is taken from it (%s)', async (_, text, expected) => {
    const held = answer();
    const others: HeldAnswer[] = [];
    const add = held.add.bind(held);
    let come = 0;
    held.add = (amount, receiver) => {
      come += amount.bytes;
      if (come === total(expected)) others.push(...fill());
      return add(amount, receiver);
    };
    const rows = await queryTextRows(client, { text }, held);
    expect([others.length, room.isWaiting(held)]).toEqual([2, false]);
    // The connection is read from again.
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    // Nobody is told any more.
    held.fail(new Error('no room') as never);
    expect(lengths(rows)).toEqual(expected);
    expect(held.bytes).toBeGreaterThan(64 * 1024);
    for (const holder of [held, ...others]) holder.leave();
    expect(room.held).toBe(0);
    releaseAll(rows);
  });
});

it.each([
  [16_384, 16_384],
  [16_385, 32_768],
  [20_000, 32_768],
  [100_000, 114_688],
])('a value of %d bytes counts as the blocks that it takes', async (bytes, memory) => {
  const held = answer();
  const used = usedFromNow();
  const rows = await queryTextRows(client, { text: `select repeat('x', ${bytes}) from generate_series(1, 5)` }, held);
  expect(used.size * blockBytes).toBe(held.bytes);
  expect([lengths(rows), held.bytes]).toEqual([Array(5).fill(bytes), 5 * memory]);
  releaseAll(rows);
  expect(used.size).toBe(0);
});
