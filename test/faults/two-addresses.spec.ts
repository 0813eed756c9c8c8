/** MIGRATE_DATABASE_URL beside DATABASE_URL: both lead to one database, or nothing is done. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { command } from '../support/command.js';
import { PgBouncer, pgbouncerPath, pgbouncerVersion } from '../support/pgbouncer.js';
import { ScratchDatabase } from '../support/scratch-database.js';
import { Service } from '../support/service.js';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-two-addresses-'));
const role = `limited_${randomBytes(6).toString('hex')}`;
let [served, other, empty]: ScratchDatabase[] = [];
beforeAll(async () => {
  [served, other] = [await ScratchDatabase.create(), await ScratchDatabase.create()];
  empty = await ScratchDatabase.empty();
  await run(
    inject('databaseUrl'),
    `create role ${role} login password '${role}' in role pg_write_all_data, pg_read_all_data`,
  );
});
afterAll(async () => {
  for (const database of [served, other, empty]) await database?.drop();
  await run(inject('databaseUrl'), `drop role ${role}`);
  rmSync(directory, { recursive: true });
});

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const changed = (url: string, parts: Partial<URL>): string => Object.assign(new URL(url), parts).href;

function start(env: Record<string, string>): Service {
  const service = Service.spawn({ DATA_DIR: directory, ...env });
  stops.push(() => {
    service.kill('SIGKILL');
    return service.ended;
  });
  return service;
}

const line =
  'worktrack: MIGRATE_DATABASE_URL leads to another database than DATABASE_URL: set both to the same one, or unset MIGRATE_DATABASE_URL.\n';

describe('another database', { timeout: 60_000 }, () => {
  const refused = (): [string, Record<string, string>][] => [
    ['made ready', { DATABASE_URL: served!.url, MIGRATE_DATABASE_URL: other!.url }],
    ['empty', { DATABASE_URL: served!.url, MIGRATE_DATABASE_URL: empty!.url }],
    ['beside an empty one', { DATABASE_URL: empty!.url, MIGRATE_DATABASE_URL: served!.url }],
  ];

  it('ends a start before anything is made in it', async () => {
    for (const [name, env] of refused()) {
      const service = start(env);
      expect([name, await service.ended, service.output]).toEqual([name, { code: 1, signal: null }, line]);
    }
    const client = new pg.Client(empty!.url);
    await client.connect();
    expect((await client.query(`select from pg_class where relname = 'migration'`)).rowCount).toBe(0);
    await client.end();
  });

  it.each([
    ['backup', join(directory, 'other.tar')],
    ['doctor'],
    ['migrate'],
    ['user', 'list'],
    ['seed', '--generals', '1'],
  ])('is refused by %s', async (...args) => {
    const [[, env]] = refused() as [[string, Record<string, string>]];
    expect(await command({ DATA_DIR: directory, ...env }, args)).toEqual({ code: 1, stdout: '', stderr: line });
  });

  it.runIf(pgbouncerPath)(`is seen through ${pgbouncerVersion}`, async () => {
    const pooler = await PgBouncer.to(served!.url, { pool_mode: 'transaction', default_pool_size: '2' });
    stops.push(() => pooler.stop());
    const service = start({ DATABASE_URL: pooler.url, MIGRATE_DATABASE_URL: other!.url });
    expect([await service.ended, service.output]).toEqual([{ code: 1, signal: null }, line]);
    const right = { DATA_DIR: directory, DATABASE_URL: pooler.url, MIGRATE_DATABASE_URL: served!.url };
    expect(await command(right, ['user', 'list'])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('the same database', { timeout: 60_000 }, () => {
  it('is served and examined by two of its addresses', async () => {
    const env = {
      DATABASE_URL: changed(served!.url, { hostname: 'localhost' }),
      MIGRATE_DATABASE_URL: changed(served!.url, { hostname: '127.0.0.1' }),
    };
    await start(env).address();
    expect(await command({ DATA_DIR: directory, ...env }, ['doctor'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('is used by commands while DATABASE_URL leads nowhere, and a start ends', async () => {
    const env = { DATABASE_URL: changed(served!.url, { port: '1' }), MIGRATE_DATABASE_URL: served!.url };
    const cause = 'The database of DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1.\n';
    const { code, stderr } = await command({ DATA_DIR: directory, ...env }, ['user', 'list']);
    expect([code, stderr]).toEqual([
      0,
      `It is not sure that DATABASE_URL leads to the database of MIGRATE_DATABASE_URL. ${cause}`,
    ]);
    const service = start(env);
    expect([(await service.ended).code, service.output]).toEqual([1, `worktrack: ${cause}`]);
  });
});

describe('to a role that may not know which database it is', { timeout: 60_000 }, () => {
  const address = () => changed(served!.url, { username: role, password: role });
  beforeAll(() => run(served!.url, 'revoke execute on function pg_control_system() from public'));

  it('the same one is used', async () => {
    const env = { DATABASE_URL: address(), MIGRATE_DATABASE_URL: served!.url };
    await start(env).address();
    expect(await command({ DATA_DIR: directory, ...env }, ['user', 'list'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('well-known passwords of what is served count, and not those of another database', async () => {
    await run(
      other!.url,
      `update general_user set password_hash = null`,
      `delete from setting where name = 'demo-data'`,
    );
    const env = { DATABASE_URL: address(), MIGRATE_DATABASE_URL: other!.url, HOST: '0.0.0.0' };
    expect(await start(env).address()).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  it.each([
    ['no tables', []],
    ['tables of another program', ['create table general_user (id int)', 'create table setting (key text)']],
  ])('a database with %s is another one', async (_what, statements) => {
    await run(empty!.url, 'revoke execute on function pg_control_system() from public', ...statements);
    const limited = changed(empty!.url, { username: role, password: role });
    const service = start({ DATABASE_URL: limited, MIGRATE_DATABASE_URL: served!.url });
    expect([await service.ended, service.output]).toEqual([{ code: 1, signal: null }, line]);
  });
});
