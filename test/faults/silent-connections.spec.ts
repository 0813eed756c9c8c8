/** Connections to the database that are swallowed on their way: nothing arrives any more, and nobody is told. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DatabaseClient } from '../../src/database/client.js';
import { PRIMARY_POOL } from '../../src/database/pools.js';
import { TestApp } from '../support/app.js';
import { expectAllConnections, lockWaiters } from '../support/connections.js';
import { CuttingProxy, sending } from '../support/cutting-proxy.js';
import { eventually } from '../support/eventually.js';

const connections = 4;

let app: TestApp;
let proxy: CuttingProxy;

beforeAll(async () => {
  app = await TestApp.start(async (url) => {
    proxy = await CuttingProxy.to(url);
    return { DATABASE_URL: proxy.url, DB_POOL: String(connections), STATEMENT_TIMEOUT: '1' };
  });
  await expectAllConnections(app, connections);
});
afterAll(async () => {
  await app.stop();
  await proxy.stop();
});

const read = () => app.ask('/api/v1/Severities?format=json');
const health = async () => [(await app.raw('/health/live')).status, (await app.raw('/health/ready')).status];

/** Within 15 s of the database being reachable. */
const healthyAgain = () =>
  eventually(async () => {
    expect((await read()).status).toBe(200);
    expect(await health()).toEqual([200, 200]);
  }, 15_000);

const clients = (): DatabaseClient[] => (app.nest.get(PRIMARY_POOL) as { _clients: DatabaseClient[] })._clients;

it('while all idle, whoever reads waits a moment and is answered', { timeout: 60_000 }, async () => {
  await expect.poll(() => clients().every(({ silentMs }) => silentMs >= 1000)).toBe(true);
  proxy.breakAll('swallow');
  expect((await Promise.all([read(), read()])).map(({ status }) => status)).toEqual([200, 200]);
  await expectAllConnections(app, connections);
});

it('are not confused with a process that was busy itself', { timeout: 60_000 }, async () => {
  const before = new Set(clients());
  const answers = [read(), read()];
  // Longer than a connection may say nothing.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000);
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  expect(clients().filter((client) => !before.has(client))).toEqual([]);
});

it('F5: with a statement under way, each of them is ended and replaced', { timeout: 60_000 }, async () => {
  const blocker = await app.database.connect();
  await blocker.query('begin; lock table severity in access exclusive mode');
  const answers = Array.from({ length: connections }, read);
  await lockWaiters(blocker, connections);
  proxy.breakAll('swallow');
  await blocker.query('commit');
  blocker.release();
  for (const { status, headers } of await Promise.all(answers))
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  await healthyAgain();
  await expectAllConnections(app, connections);
});

it('F5: in a transaction, whoever writes is told', { timeout: 60_000 }, async () => {
  const swallowed = proxy.breakAt(sending('swallowed tag'), 'swallow');
  const [answer] = await Promise.all([app.post('/api/v1/Tags', { Name: 'swallowed tag' }), swallowed]);
  expect(answer.status).toBe(503);
  await healthyAgain();
  await expectAllConnections(app, connections);
});

it('F5, F30: new ones, too: the service is alive but not ready, until they pass', { timeout: 60_000 }, async () => {
  proxy.newcomers = 'swallow';
  proxy.breakAll('swallow');
  await eventually(async () => expect(await health()).toEqual([200, 503]), 15_000);
  const answers = await Promise.all(Array.from({ length: connections + 2 }, read));
  for (const { status, headers } of answers) expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  proxy.newcomers = 'pass';
  await healthyAgain();
  await expectAllConnections(app, connections);
});
