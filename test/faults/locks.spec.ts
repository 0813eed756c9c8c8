/**
 * Locks that somebody else holds for long, and statements that take too long: what waits is bounded, is told so, and
 * leaves nothing behind.
 */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../src/runtime/free-port.js';
import { lockWaiters } from '../support/connections.js';
import { bareDatabase } from '../support/empty-database.js';
import { adminHeaders } from '../support/ledger.js';
import { Service, until } from '../support/service.js';

let service: Service;
let base: string;
let metrics: string;
let locking: pg.Client;
let project: number;

beforeAll(async () => {
  const DATABASE_URL = await bareDatabase('locked_tables');
  const port = await freePort('127.0.0.1');
  metrics = `http://127.0.0.1:${port}/metrics`;
  const env = { DB_POOL: '4', STATEMENT_TIMEOUT: '2', WAITING_TIMEOUT: '1', METRICS_PORT: String(port) };
  service = Service.spawn({ DATABASE_URL, ...env });
  base = await service.address();
  locking = new pg.Client(DATABASE_URL);
  await locking.connect();
  project = (await post('Projects', { Name: 'locked' })).id;
}, 60_000);
afterAll(async () => {
  await locking.end();
  service.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
});

interface Answered {
  readonly status: number;
  readonly retryAfter: boolean;
  readonly id: number;
}

async function ask(path: string, init: RequestInit = {}): Promise<Answered> {
  const answer = await fetch(`${base}/api/v1/${path}`, { headers: adminHeaders, ...init });
  const body = (await answer.json()) as { Id: number };
  return { status: answer.status, retryAfter: answer.headers.has('retry-after'), id: body.Id };
}

const get = (path: string) => ask(`${path}?format=json`);
const post = (path: string, body: unknown) =>
  ask(`${path}?format=json&include=[Id]`, { method: 'POST', body: JSON.stringify(body) });
const times = <T>(count: number, make: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)));

/** Refused for now: whoever follows `Retry-After` is served later. */
const isBusy = ({ status, retryAfter }: Answered) => [429, 503].includes(status) && retryAfter;

async function servesAll(): Promise<void> {
  await until(async () => (await get('Severities')).status === 200);
  expect((await times(16, () => get('Severities'))).map(({ status }) => status)).toEqual(Array(16).fill(200));
}

beforeEach(() => servesAll());

it('F11: 200 requests meet a table that is locked', { timeout: 120_000 }, async () => {
  await locking.query('begin; lock table severity in access exclusive mode');
  const answers = times(200, () => get('Severities'));
  await lockWaiters(locking);
  expect((await fetch(`${base}/health/live`)).status).toBe(200);
  expect((await answers).filter((answer) => !isBusy(answer))).toEqual([]);
  await locking.query('commit');
  await servesAll();
});

it('F12: a write of a row that somebody holds is refused, stores nothing, and works later', {
  timeout: 120_000,
}, async () => {
  const { id } = await post('UserStories', { Name: 'held', Project: { Id: project } });
  await locking.query('begin');
  await locking.query('select from general where id = $1 for update', [id]);
  const [held, other] = await Promise.all([
    post(`UserStories/${id}`, { Name: 'changed' }),
    post('Tags', { Name: 'meanwhile' }),
  ]);
  expect([isBusy(held), other.status]).toEqual([true, 201]);
  await locking.query('commit');
  expect((await locking.query('select name from general where id = $1', [id])).rows).toEqual([{ name: 'held' }]);
  expect((await post(`UserStories/${id}`, { Name: 'changed' })).status).toBe(200);
});

it('F12: bulks that lock the same rows in opposite order, beside one who does so by hand', {
  timeout: 120_000,
}, async () => {
  const stories = await times(2, (at) => post('UserStories', { Name: `s${at}`, Project: { Id: project } }));
  const [first, second] = stories.map(({ id }) => id) as [number, number];
  await locking.query('begin');
  await locking.query('select from general where id = $1 for update', [second]);
  const bulks = times(2, (at) =>
    post(
      'UserStories/bulk',
      (at ? [first, second] : [second, first]).map((Id) => ({ Id, Name: `by ${at}` })),
    ),
  );
  await lockWaiters(locking);
  // With this, one of them may wait for the other for ever; the server ends one.
  await locking.query('select from general where id = $1 for update', [first]).catch(() => undefined);
  await locking.query('rollback');
  const answers = await bulks;
  expect(answers.filter((answer) => answer.status !== 200 && !isBusy(answer))).toEqual([]);
  const { rows } = await locking.query('select distinct name from general where id = any($1)', [[first, second]]);
  const isChanged = answers.some(({ status }) => status === 200);
  expect(rows.length).toBe(isChanged ? 1 : 2);
});

it('a deletion does not wait for somebody who holds what was deleted long ago', async () => {
  const { id } = await post('Roles', { Name: 'goes' });
  await locking.query(`insert into taken_along (kind, id, date) values ('TestStep', 1, now() - interval '2 days')`);
  await locking.query('begin; delete from taken_along');
  expect((await ask(`Roles/${id}?format=json`, { method: 'DELETE' })).status).toBe(200);
  await locking.query('commit');
});

it('F22: a storm of statements that take too long is counted and leaves nothing behind', {
  timeout: 120_000,
}, async () => {
  const timedOut = async () =>
    Number(
      /worktrack_refusals_total\{.*statement_timeout.*\} (\d+)/.exec(await (await fetch(metrics)).text())?.[1] ?? 0,
    );
  const before = await timedOut();
  await locking.query('begin; lock table severity in access exclusive mode');
  for (let round = 0; round < 3; round++) {
    const answers = await times(40, (at) => get(at % 5 ? 'Roles' : 'Severities'));
    const wrong = answers.filter((answer, at) => !isBusy(answer) && (at % 5 === 0 || answer.status !== 200));
    expect(wrong).toEqual([]);
  }
  await locking.query('commit');
  await servesAll();
  expect(await timedOut()).toBeGreaterThan(before);
  const { rows } = await locking.query(
    `select state from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state like '%transaction%'`,
  );
  expect(rows).toEqual([]);
});
