/**
 * What many and slow requests of one user cost others: connections, places to wait, readiness. Rows E24, F11 and E6 of
 * hostile input.
 */
import type { PoolClient } from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DatabasePool } from '../../src/database/pool.js';
import { PRIMARY_POOL } from '../../src/database/pools.js';
import { WaitingRoom } from '../../src/database/waiting-room.js';
import { StatementCache } from '../../src/query/compile/statement-cache.js';
import { type Answer, TestApp } from '../support/app.js';
import { lockWaiters } from '../support/connections.js';

vi.setConfig({ testTimeout: 60_000 });

let app: TestApp;
let locking: PoolClient;
/** Every test has a service of its own size. */
async function start(env: Record<string, string>): Promise<void> {
  app = await TestApp.start(env);
  locking = await app.database.connect();
}
afterEach(async () => {
  locking.release(true);
  await app.stop();
});

/** What reads the table waits until `unlock`. */
async function lock(table: 'severity' | 'general' | 'custom_field'): Promise<void> {
  await locking.query(`begin; lock table ${table} in access exclusive mode`);
  waiting = table === 'severity' ? waitingStatements : takenPlaces;
}
const unlock = () => locking.query('commit');

const slow = (as: string) => app.ask('/api/v1/Severities?format=json', { as });
const quick = (as: string) => app.ask('/api/v1/Roles?format=json', { as });
const times = <T>(count: number, act: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => act(at));
const statusOf = async (answer: Promise<Answer>) => (await answer).status;
const statusesOf = (answers: Promise<Answer>[]) => Promise.all(answers.map(statusOf));
const all200 = (answers: unknown[]) => answers.map(() => 200);

const takenPlaces = () => (app.nest.get(WaitingRoom) as unknown as { total: number }).total;
/** Without what is looked up first, for a moment. */
const waitingStatements = () => app.nest.get<DatabasePool>(PRIMARY_POOL).waitingRequests;
/** Those that come to rest at the locked table. */
let waiting: () => number;
/** Asks once more, and once that waits again. */
async function oneByOne(count: number, act: (at: number) => Promise<Answer>): Promise<Promise<Answer>[]> {
  const answers: Promise<Answer>[] = [];
  for (let before = waiting(); answers.length < count; ) {
    answers.push(act(answers.length));
    await expect.poll(waiting).toBe(before + answers.length);
  }
  return answers;
}

const refusal = async (answer: Promise<Answer>) => {
  const { status, headers, json } = await answer;
  return [status, headers.get('retry-after'), json.Message];
};
const userIsRefused = [429, '1', expect.stringContaining('Too many requests of this user wait')];
const everybodyIsRefused = [503, '1', expect.stringContaining('The service is busy')];

async function expectServiceAnswers(): Promise<void> {
  expect(await statusOf(app.raw('/health/live'))).toBe(200);
  expect(await statusOf(app.raw('/health/ready'))).toBe(200);
  expect(await statusOf(quick('nobody at all:and no password'))).toBe(401);
}

describe('E24: slow requests of one user', () => {
  it.each([1, 2, 3, 8])('on all of %i connections hold up nobody else', async (connections) => {
    await start({ DB_POOL: String(connections) });
    await lock('severity');
    const asked = times(10, () => slow('alice'));
    await lockWaiters(locking, connections);
    expect(await statusOf(quick('bruno'))).toBe(200);
    const others = times(10, () => quick('elena'));
    expect(await statusesOf(others)).toEqual(all200(others));
    await expectServiceAnswers();
    await unlock();
    expect(await statusesOf(asked)).toEqual(all200(asked));
  });

  it('that write hold up nobody else', async () => {
    await start({ DB_POOL: '4' });
    const made = await app.json('/api/v1/Tags?format=json&take=1');
    const { Id } = made.Items[0];
    await locking.query(`begin; select from tag where id = ${Id} for update`);
    const asked = times(10, (at) => app.post(`/api/v1/Tags/${Id}?format=json`, { Name: `slow ${at}` }));
    await lockWaiters(locking, 4);
    expect(await statusOf(quick('bruno'))).toBe(200);
    const other = await app.post(
      '/api/v1/Comments?format=json',
      { Description: 'quick', General: { Id: 8 } },
      { as: 'bruno' },
    );
    expect(other.status, other.text).toBe(201);
    await expectServiceAnswers();
    await unlock();
    expect(await statusesOf(asked)).toEqual(all200(asked));
  });

  it.each([
    1, 4,
  ])('and of others, on all connections beside %i, leave credentials and readiness to be looked up', async (connections) => {
    await start({ DB_POOL: String(connections) });
    await lock('severity');
    const asked = times(5, () => slow('alice'));
    await lockWaiters(locking, connections);
    asked.push(...['bruno', 'elena'].flatMap((as) => times(5, () => slow(as))));
    await lockWaiters(locking, connections + 1);
    await expectServiceAnswers();
    await unlock();
    expect(await statusesOf(asked)).toEqual(all200(asked));
  });
});

describe('E6: many requests of one user', () => {
  it.each([1, 2, 3, 8])('are all answered on 64 connections, with %i to the database', async (connections) => {
    await start({ DB_POOL: String(connections) });
    const asks: ((at: number) => Promise<Answer>)[] = [
      () => app.ask('/api/v1/UserStories?format=json&include=[Name,Tasks[Name]]'),
      (at) => app.post('/api/v1/Tags?format=json', { Name: `one of many ${at}` }),
      () => app.ask('/api/v2/UserStory?select={name,tasks:{name}}'),
      () => app.ask('/api/v1/Context?format=json'),
    ];
    const statuses = await statusesOf(times(64, (at) => asks[at % asks.length]!(at)));
    expect(statuses.filter((status) => status >= 300)).toEqual([]);
  });

  it('are refused once they take half of the places to wait, and others are not', async () => {
    await start({ DB_POOL: '4', WAITING_LIMIT: '8' });
    await lock('severity');
    const begun = times(4, () => slow('alice'));
    await lockWaiters(locking, 4);
    const queued = await oneByOne(4, () => slow('alice'));
    for (const answer of times(3, () => slow('alice'))) expect(await refusal(answer)).toEqual(userIsRefused);
    expect(await statusOf(quick('bruno'))).toBe(200);
    await unlock();
    expect(await statusesOf([...begun, ...queued])).toEqual(all200([...begun, ...queued]));
    expect(await statusOf(slow('alice'))).toBe(200);
  });
});

describe('F11: while requests wait for a lock', () => {
  it('no more of them wait than there are places, and the service answers', async () => {
    await start({ DB_POOL: '1', WAITING_LIMIT: '4' });
    await lock('severity');
    const begun = [slow('alice')];
    await lockWaiters(locking, 1);
    begun.push(slow('bruno'));
    await lockWaiters(locking, 2);
    const queued = await oneByOne(1, () => slow('alice'));
    const displaced = slow('alice');
    await expect.poll(waiting).toBe(2);
    expect(await refusal(slow('alice'))).toEqual(userIsRefused);
    queued.push(...(await oneByOne(1, () => slow('bruno'))));
    expect(await refusal(slow('bruno'))).toEqual(everybodyIsRefused);
    // Somebody who has none there takes the last place of whoever has most.
    queued.push(slow('elena'));
    expect(await refusal(displaced)).toEqual(userIsRefused);
    expect(await refusal(slow('farid'))).toEqual(everybodyIsRefused);
    await expectServiceAnswers();
    await unlock();
    expect(await statusesOf([...begun, ...queued])).toEqual(all200([...begun, ...queued]));
    expect(takenPlaces()).toBe(0);
  });

  it.each([
    'general',
    'custom_field',
  ] as const)('of %s, which all requests look up together, they are as bounded', async (table) => {
    await start({ DB_POOL: '4', WAITING_LIMIT: '4' });
    await lock(table);
    const first = quick('alice');
    await lockWaiters(locking, 1);
    const queued = [first, ...(await oneByOne(2 - waiting(), () => quick('alice')))];
    for (const answer of times(3, () => quick('alice'))) expect(await refusal(answer)).toEqual(userIsRefused);
    expect(await statusOf(app.raw('/health/ready'))).toBe(200);
    await unlock();
    // All at once they ask for what comes next, where one more than may wait.
    for (const status of await statusesOf(queued)) expect([200, 429]).toContain(status);
    expect(await statusOf(quick('alice'))).toBe(200);
    expect(takenPlaces()).toBe(0);
  });

  it('of custom fields, which all look up together, they leave a place to whoever comes later', async () => {
    await start({ DB_POOL: '4', WAITING_LIMIT: '8' });
    await lock('custom_field');
    const queued = await oneByOne(3, () => slow('alice'));
    const last = slow('alice');
    await expect.poll(waiting).toBe(4);
    queued.push(...(await oneByOne(2, () => slow('bruno'))));
    const later = slow('elena');
    expect(await refusal(last)).toEqual(userIsRefused);
    await unlock();
    expect(await statusesOf([later, ...queued])).toEqual(all200([later, ...queued]));
    expect(takenPlaces()).toBe(0);
  });

  it('of custom fields, they are compiled in turn afterwards', async () => {
    await start({ DB_POOL: '4' });
    await lock('custom_field');
    const { lookups } = app.nest.get(StatementCache);
    const asked = await oneByOne(40, (at) => app.ask(`/api/v1/Roles?format=json&take=${at + 1}`, { as: 'alice' }));
    const compiled: number[] = [];
    let before = lookups.miss;
    const turn = (): void => {
      compiled.push(lookups.miss - before);
      before = lookups.miss;
      if (compiled.reduce((sum, one) => sum + one, 0) < asked.length) setImmediate(turn);
    };
    turn();
    await unlock();
    expect(await statusesOf(asked)).toEqual(all200(asked));
    expect(Math.max(...compiled)).toBeLessThanOrEqual(8);
  });

  it('whoever has waited too long is told that the service is busy', async () => {
    await start({ DB_POOL: '1', WAITING_TIMEOUT: '1' });
    await lock('severity');
    const begun = slow('alice');
    await lockWaiters(locking, 1);
    expect(await refusal(slow('alice'))).toEqual(everybodyIsRefused);
    expect(takenPlaces()).toBe(0);
    await unlock();
    expect(await statusOf(begun)).toBe(200);
    expect(await statusOf(slow('bruno'))).toBe(200);
  });
});

describe('E5, F14: clients that leave while the database works for them', () => {
  const backends = async () => {
    const { rows } = await locking.query(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'worktrack' order by pid`,
    );
    return rows.map(({ pid }) => pid);
  };
  const lockRequests = async () => {
    const { rows } = await locking.query(`select count(*)::int as waiting from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`);
    return rows[0].waiting;
  };

  it.each([
    ['version 1', '/api/v1/Severities?format=json'],
    ['version 1, planned for its values', "/api/v1/Severities?where=(Name contains 'x')&format=json"],
    ['version 2', "/api/v2/Severity?where=name.contains('x')"],
  ])('its statement is ended, and its connection serves others: %s', async (_, path) => {
    await start({ DB_POOL: '2' });
    for (const as of ['alice', 'bruno']) expect(await statusOf(quick(as))).toBe(200);
    const before = await backends();
    expect(before.length).toBeGreaterThan(0);
    await lock('severity');
    const leaving = new AbortController();
    const left = app.ask(path, { as: 'alice', signal: leaving.signal }).catch((error: Error) => error.name);
    await lockWaiters(locking, 1);
    leaving.abort();
    expect(await left).toBe('AbortError');
    await expect.poll(lockRequests, { timeout: 20_000 }).toBe(0);
    await unlock();
    expect(await statusesOf(times(4, () => slow('alice')))).toEqual([200, 200, 200, 200]);
    expect(await backends()).toEqual(expect.arrayContaining(before));
  });
});
