/** What balancers are told of a database that takes no writes, and of a parameter that is wrong. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const ready = async (query = '') => {
  const { status, text } = await app.raw(`/health/ready${query}`);
  return [status, text];
};
const ok = [200, '{"status":"ok"}'];
const reasons = '"reasons":["database read-only"]';

/** Of connections that are made from now on. */
const setReadOnly = (value: 'on' | 'off') =>
  app.rows(`do $$ begin
    execute format('alter database %I set default_transaction_read_only = ${value}', current_database());
    perform pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid();
  end $$`);

it('F27: a database that takes no writes serves reads', async () => {
  expect([await ready(), await ready('?for=writes'), await ready('?for=reads')]).toEqual([ok, ok, ok]);
  await setReadOnly('on');
  await eventually(async () =>
    expect(await ready('?for=writes')).toEqual([503, `{"status":"unavailable",${reasons}}`]),
  );
  expect(await ready()).toEqual([200, `{"status":"ok",${reasons}}`]);
  await app.rows('set session characteristics as transaction read write');
  await setReadOnly('off');
  await eventually(async () => expect(await ready('?for=writes')).toEqual(ok));
});

it('a database that takes no writes keeps its connections, whoever tries to write', async () => {
  await setReadOnly('on');
  const write = async () => (await app.post('/api/v1/Tags', { Name: 'refused' })).status;
  const connections = () =>
    app.rows(`select pid from pg_stat_activity
      where datname = current_database() and query not like '%pg_stat_activity%' order by pid`);
  await eventually(async () => {
    expect(await write()).toBe(503);
    const before = await connections();
    expect(before).not.toEqual([]);
    for (let at = 0; at < 5; at += 1) expect([await write(), await connections()]).toEqual([503, before]);
  });
  await app.rows('set session characteristics as transaction read write');
  await setReadOnly('off');
  await eventually(async () => expect(await write()).toBe(201));
});

it('any other purpose is refused', async () => {
  expect((await app.raw('/health/ready?for=fun&format=json')).status).toBe(400);
});
