/**
 * Connections to the database that end or are reset, in every state of a request: the service stays, and serves again.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Replicas } from '../../src/database/replicas/replicas.js';
import { TestApp } from '../support/app.js';
import { expectAllConnections } from '../support/connections.js';
import {
  answering,
  authenticating,
  betweenStatements,
  CuttingProxy,
  connecting,
  type Moment,
  sending,
} from '../support/cutting-proxy.js';
import { eventually } from '../support/eventually.js';
import { until } from '../support/service.js';

const connections = 4;
const waysToBreak = ['cut', 'reset'] as const;

let app: TestApp;
let proxy: CuttingProxy;
let proxyOfReplica: CuttingProxy;

beforeAll(async () => {
  app = await TestApp.start(async (url) => {
    proxy = await CuttingProxy.to(url);
    return { DATABASE_URL: proxy.url, DB_POOL: String(connections) };
  });
});
afterAll(async () => {
  await app.stop();
  await proxy.stop();
});

let mark: string;
let marks = 0;
beforeEach(() => {
  marks += 1;
  mark = `mark${marks}mark`;
});

const read = () => app.ask(`/api/v1/UserStories?format=json&take=200&where=Name ne '${mark}'`);
const write = () => app.post('/api/v1/Tags?format=json', { Name: mark });

async function emptyPool(): Promise<void> {
  proxy.breakAll('cut');
  await expect.poll(() => proxy.connections).toBe(0);
}

const stored = async () => (await app.rows('select from tag where name = $1', [mark])).length;

describe.each(waysToBreak)('F30: a connection that is %s', (how) => {
  describe.each<[string, () => Moment, () => Promise<void>]>([
    ['while it is made', () => connecting, emptyPool],
    ['while the server asks for credentials', () => authenticating, emptyPool],
    ['while a statement is sent', () => sending(mark), async () => {}],
    ['while rows are read', () => answering(mark), async () => {}],
  ])('%s', (_, moment, prepare) => {
    it('does not show to whoever reads', async () => {
      await prepare();
      const broken = proxy.breakAt(moment(), how);
      const [answer] = await Promise.all([read(), broken]);
      expect([answer.status, answer.status === 200 ? answer.json.Items.length : answer.text]).toEqual([200, 200]);
      await expectAllConnections(app, connections);
    });

    it('writes all or nothing', async () => {
      await prepare();
      const broken = proxy.breakAt(moment(), how);
      const [answer] = await Promise.all([write(), broken]);
      expect([201, 503]).toContain(answer.status);
      if (answer.status === 201) expect(await stored()).toBe(1);
      await expectAllConnections(app, connections);
    });
  });

  it('between the statements of a transaction writes all or nothing', async () => {
    const [answer] = await Promise.all([write(), proxy.breakAt(betweenStatements, how)]);
    expect([201, 503]).toContain(answer.status);
    if (answer.status === 201) expect(await stored()).toBe(1);
    await expectAllConnections(app, connections);
  });

  it('while all idle is replaced', async () => {
    proxy.breakAll(how);
    expect((await read()).status).toBe(200);
    await expectAllConnections(app, connections);
  });

  it('again and again ends in 503 for those who ask meanwhile, and in nothing worse', async () => {
    proxy.newcomers = how;
    proxy.breakAll(how);
    const answers = await Promise.all([read(), read(), write(), read()]);
    proxy.newcomers = 'pass';
    for (const { status, headers, json } of answers) {
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(json.Message).toBe('The database cannot be reached at the moment. Try again.');
    }
    expect(await stored()).toBe(0);
    await eventually(async () => expect((await read()).status).toBe(200));
    await expectAllConnections(app, connections);
  });
});

describe.each(waysToBreak)('a replica that is %s', (how) => {
  it('serves nobody as long as it is gone, and nobody notices', async () => {
    const replica = await TestApp.start(async (url) => {
      proxyOfReplica = await CuttingProxy.to(url);
      return { READ_DATABASE_URL: proxyOfReplica.url, DB_POOL: String(connections) };
    });
    const { reads } = replica.nest.get(Replicas);
    const list = () => replica.ask('/api/v1/Severities', { headers: { 'x-read-after': '0' } });
    const isServed = async () => {
      const before = reads.replica;
      expect((await list()).status).toBe(200);
      return reads.replica > before;
    };
    await until(isServed);
    let isBroken = false;
    void proxyOfReplica.breakAt(answering('severity'), how).then(() => {
      isBroken = true;
    });
    await until(async () => {
      expect((await list()).status).toBe(200);
      return isBroken;
    });
    proxyOfReplica.newcomers = how;
    proxyOfReplica.breakAll(how);
    expect((await list()).status).toBe(200);
    await eventually(async () => {
      const { status, text } = await replica.raw('/health/ready');
      expect([status, text]).toEqual([200, '{"status":"ok","reasons":["replica away"]}']);
    });
    expect(await isServed()).toBe(false);
    proxyOfReplica.newcomers = 'pass';
    await until(isServed);
    await expectAllConnections(replica, connections);
    await replica.stop();
    await proxyOfReplica.stop();
  });
});

it('backends that an administrator ends, all of them and many times', async () => {
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  const statuses = new Set<number>();
  for (let round = 0; round < 15; round += 1) {
    const answers = Array.from({ length: 6 }, read);
    const ended = app.rows(terminate).catch(() => undefined);
    for (const { status } of await Promise.all(answers)) statuses.add(status);
    await ended;
  }
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  await eventually(async () => expect((await read()).status).toBe(200));
  await expectAllConnections(app, connections);
});

it('F30: a database that refuses connections and comes back', async () => {
  await proxy.refuse();
  proxy.breakAll('reset');
  const answer = await read();
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  const health = async () => [(await app.raw('/health/live')).status, (await app.raw('/health/ready')).status];
  await eventually(async () => expect(await health()).toEqual([200, 503]));
  await proxy.accept();
  expect((await read()).status).toBe(200);
  await eventually(async () => expect(await health()).toEqual([200, 200]));
  await expectAllConnections(app, connections);
});
