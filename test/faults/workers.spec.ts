/** The service as several processes: one port, one end, and whoever is lost on the way is replaced. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { lockWaiters } from '../support/connections.js';
import { bareDatabase } from '../support/empty-database.js';
import { processes, workers } from '../support/processes.js';
import { Service, until } from '../support/service.js';

const headers = { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };

let DATABASE_URL: string;
let database: pg.Client;
let service: Service;
let address: string;

beforeAll(async () => {
  DATABASE_URL = await bareDatabase('with_workers');
  database = new pg.Client(DATABASE_URL);
  await database.connect();
});
afterAll(() => database.end());

beforeEach(async () => {
  service = Service.spawn({ DATABASE_URL, WORKERS: '2', DB_POOL: '1' });
  address = await service.address();
});
afterEach(async () => {
  service.kill('SIGKILL');
  await service.ended;
});

const areGone = (pids: number[]): boolean => !processes().some(({ pid }) => pids.includes(pid));

const roles = (signal?: AbortSignal): Promise<Response> =>
  fetch(`${address}/api/v1/Roles?format=json`, { headers, signal });

/**
 * A connection to a process that was killed fails; one that is handed over to it in that very moment is never answered.
 */
const isAnswered = (): Promise<boolean> =>
  roles(AbortSignal.timeout(1000)).then(
    ({ status }) => status === 200,
    () => false,
  );

/** Two requests that wait for the database at the same time; with one connection each, in two processes. */
async function twoUnderWay(): Promise<Promise<Response>[]> {
  await Promise.all([until(isAnswered), until(isAnswered)]);
  await database.query('begin; lock table role in access exclusive mode');
  const answers = [roles(), roles()];
  await lockWaiters(database, 2);
  return answers;
}

it('serves one port from two processes, which both finish what they do when they are told to stop', {
  timeout: 120_000,
}, async () => {
  const both = workers(service);
  expect(both).toHaveLength(2);
  const answers = await twoUnderWay();
  service.kill('SIGTERM');
  service.kill('SIGINT');
  await database.query('commit');
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await service.ended).toEqual({ code: 0, signal: null });
  expect(areGone(both)).toBe(true);
  expect(service.output).not.toContain('Another one');
});

it('replaces workers that are killed, and goes on meanwhile', { timeout: 120_000 }, async () => {
  const [first, second] = workers(service) as [number, number];
  process.kill(first, 'SIGKILL');
  await until(isAnswered);
  const replaced = await until(() => workers(service).find((pid) => pid !== first && pid !== second));
  process.kill(second, 'SIGKILL');
  // Now by the one that took the place of the first.
  await until(isAnswered);
  await until(() => workers(service).find((pid) => pid !== second && pid !== replaced));
  expect(service.output.match(/A worker ended by signal SIGKILL. Another one takes its place./g)).toHaveLength(2);
  service.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
});

it('leaves no worker behind when it is killed itself, but lets them finish what they do', {
  timeout: 120_000,
}, async () => {
  const both = workers(service);
  const answers = await twoUnderWay();
  service.kill('SIGKILL');
  await service.ended;
  await database.query('commit');
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  await until(() => areGone(both));
});

it('ends with one line when its workers cannot listen', { timeout: 120_000 }, async () => {
  const second = Service.spawn({ DATABASE_URL, WORKERS: '2', PORT: new URL(address).port });
  expect(await second.ended).toEqual({ code: 1, signal: null });
  const { port } = new URL(address);
  expect(second.output).toBe(`worktrack: The port ${port} is in use already; set PORT to another one.\n`);
});
