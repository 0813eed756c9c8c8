/**
 * The service with several addresses in DATABASE_URL while another server takes over: writes go to the new one, and
 * none is lost or done twice.
 */
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeApp, createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/config.js';
import { basic } from '../support/app.js';
import { type ClusterServer, ReplicatedPostgres } from '../support/replicated-postgres.js';
import { until } from '../support/service.js';

let cluster: ReplicatedPostgres;
let app: Awaited<ReturnType<typeof createApp>>;
let base: string;
let next: ClusterServer;
beforeAll(async () => {
  cluster = await ReplicatedPostgres.start(1);
  next = cluster.replicas[0]!;
  // The one that takes writes comes last.
  const DATABASE_URL = cluster.primary.url.replace('127.0.0.1:', `127.0.0.1:1,127.0.0.1:${next.port},127.0.0.1:`);
  app = await createApp(loadConfig({ DATABASE_URL, LOG_LEVEL: 'silent', DB_POOL: '4' }));
  await app.listen(0, '127.0.0.1');
  base = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
}, 180_000);
afterAll(async () => {
  if (app) await closeApp(app);
  await cluster?.stop();
});

const headers = { authorization: basic('admin'), 'content-type': 'application/json', accept: 'application/json' };

async function write(name: string): Promise<number> {
  const answer = await fetch(`${base}/api/v1/Tags`, { method: 'POST', headers, body: JSON.stringify({ Name: name }) });
  await answer.text();
  return answer.status;
}

/** Writes one after another until it is told to end; gives what each was answered. */
function ledger(prefix: string) {
  const answers = new Map<string, number>();
  let isOver = false;
  const run = async (lane: number): Promise<void> => {
    for (let at = 0; !isOver; at += 1) {
      const name = `${prefix} ${lane} ${at}`;
      answers.set(name, await write(name));
    }
  };
  const lanes = Promise.all([0, 1, 2].map(run));
  const end = async (): Promise<void> => {
    isOver = true;
    await lanes;
  };
  return { answers, end };
}

/** Whatever was answered with 201 is there once, and what was refused is not there, unless it may be. */
async function expectLedger(answers: ReadonlyMap<string, number>, server: ClusterServer): Promise<void> {
  const rows = await server.rows('select name, count(*)::int as times from tag group by name');
  const stored = new Map(rows.map(({ name, times }) => [name, times]));
  for (const [name, status] of answers) {
    expect([201, 503]).toContain(status);
    if (status === 201) expect([name, stored.get(name)]).toEqual([name, 1]);
    else expect(stored.get(name) ?? 0).toBeLessThanOrEqual(1);
  }
}

const writesTo = async (server: ClusterServer, name: string) => {
  await until(async () => (await write(name)) === 201, 30);
  expect(await server.rows('select from tag where name = $1', [name])).toHaveLength(1);
};

it('writes go to the address that takes them', () => writesTo(cluster.primary, 'first'));

it('F27: go to the new one after a switch-over in good order', { timeout: 90_000 }, async () => {
  const { answers, end } = ledger('switch');
  await until(() => answers.size > 20);
  // The primary sends all that it has before it ends.
  await cluster.primary.end('INT');
  await next.rows('select pg_promote()');
  await writesTo(next, 'switched');
  await until(() => answers.size > 60);
  await end();
  await expectLedger(answers, next);
  expect([...answers.values()].filter((status) => status === 201).length).toBeGreaterThan(20);
});

it('F27: go on when connections lead to a server that takes no writes any more', { timeout: 60_000 }, async () => {
  expect(await write('before')).toBe(201);
  await next.rows('alter system set default_transaction_read_only = on');
  await next.rows('select pg_reload_conf()');
  await until(async () => (await write('refused')) === 503);
  const read = await fetch(`${base}/health/ready`);
  expect(read.status).toBe(503);
  await next.rows('alter system reset default_transaction_read_only');
  await next.rows('select pg_reload_conf()');
  await writesTo(next, 'after');
});
