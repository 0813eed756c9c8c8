/** On which connections a pool runs statements, and when it opens them. */
import type { PoolClient } from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { DatabasePool } from '../../src/database/pool.js';
import { sessionSettings } from '../../src/database/session.js';

let pool: DatabasePool;

beforeEach(() => {
  const settings = sessionSettings({ timeZone: 'UTC' });
  pool = new DatabasePool({ connectionString: inject('databaseUrl'), max: 4, settings });
});
afterEach(() => pool.end());

const pids = 'select pg_backend_pid() as pid';
const pidOf = async (text: string): Promise<number> => (await pool.rowsFor<{ pid: number }>(1, text, []))[0]!.pid;
const nothing = async (): Promise<void> => {};

it('a statement runs again where it ran before, also when another connection was used since', async () => {
  await pool.openUpTo(3, nothing);
  const texts = ['a', 'b', 'c'].map((name) => `${pids} /* ${name} */`);
  const first: number[] = [];
  for (const text of texts) first.push(await pidOf(text));
  expect(new Set(first).size).toBe(3);
  for (const at of [0, 2, 1, 1, 0, 2]) expect(await pidOf(texts[at]!)).toBe(first[at]);
});

it('transactions have no text, and run where the last one ran', async () => {
  await pool.openUpTo(3, nothing);
  const borrowed = async (): Promise<number> => {
    const client = await pool.borrow(1);
    const { rows } = await client.query(pids);
    client.release();
    return rows[0].pid;
  };
  const first = await borrowed();
  for (const name of ['a', 'b', 'c']) await pidOf(`${pids} /* ${name} */`);
  expect(await borrowed()).toBe(first);
});

it('connections are opened one after the other, prepared, and lent when they are', async () => {
  const prepared: PoolClient[] = [];
  await pool.openUpTo(3, async (client) => {
    expect(prepared).not.toContain(client);
    prepared.push(client);
    expect(pool.connectionsInUse).toBe(1);
    // Another is lent at once, from those that are there.
    await pool.query(pids);
  });
  expect(prepared.length).toBeGreaterThan(1);
  expect([pool.totalCount, pool.idleCount, pool.connectionsInUse]).toEqual([3, 3, 0]);
});

it('a connection whose preparation fails is given back, and no more are opened', async () => {
  const failing = (client: PoolClient): Promise<unknown> => client.query('select * from "no such table"');
  await expect(pool.openUpTo(3, failing)).rejects.toMatchObject({ code: '42P01' });
  expect([pool.totalCount, pool.connectionsInUse]).toEqual([1, 0]);
});
