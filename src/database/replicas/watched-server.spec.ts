import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { forward, ProtocolProxy } from '../../../test/support/protocol-proxy.js';
import { DatabasePool } from '../pool.js';
import { WatchedServer } from './watched-server.js';

let proxy: ProtocolProxy;
let pool: DatabasePool;
let watched: WatchedServer;
beforeEach(async () => {
  const url = inject('databaseUrl');
  proxy = await ProtocolProxy.start(url);
  const connectionString = proxy.urlOf(new URL(url).pathname.slice(1));
  pool = new DatabasePool({ connectionString, settings: {}, max: 1 });
  watched = new WatchedServer(pool, true);
  await watched.ask();
});
afterEach(async () => {
  proxy.decide = () => forward;
  await pool.end();
  await proxy.stop();
});

const processOf = async (): Promise<number> => (await pool.query('select pg_backend_pid() as pid')).rows[0].pid;

it('a process that stood still itself takes no server for silent', async () => {
  const before = await processOf();
  const asking = watched.ask();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  await watched.ask();
  expect(watched.status).toBeDefined();
  expect(await asking).toBeDefined();
  expect(await processOf()).toBe(before);
});

it('a server that owes an answer when it is to be asked again for long is silent: its connections break', async () => {
  const before = await processOf();
  proxy.decide = () => ({ kind: 'swallow' });
  const asking = watched.ask();
  for (let at = 0; at < 7; at += 1) {
    expect(watched.status).toBeDefined();
    await watched.ask();
    proxy.decide = () => forward;
  }
  expect(watched.status).toBeUndefined();
  // It is asked once more, on another connection.
  expect(await asking).toBeDefined();
  expect(await processOf()).not.toBe(before);
});
