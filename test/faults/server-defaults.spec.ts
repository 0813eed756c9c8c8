/** A server, a database or a role may have defaults that mean something else by the same statement, or end it early. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { command } from '../support/command.js';
import { createDatabase, templateName, urlOf } from '../support/database.js';
import { PgBouncer, pgbouncerPath, pgbouncerVersion } from '../support/pgbouncer.js';
import { Service } from '../support/service.js';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function run(url: string, ...statements: string[]): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let result!: pg.QueryResult;
    for (const statement of statements) result = await client.query(statement);
    return result;
  } finally {
    await client.end();
  }
}

/** A database that connects with such defaults. */
async function databaseWith(defaults: Record<string, string>, template?: string): Promise<string> {
  const name = `defaults_${randomBytes(6).toString('hex')}`;
  const server = inject('databaseUrl');
  await createDatabase(server, name, template);
  stops.push(() => run(server, `drop database ${name} with (force)`));
  await run(server, ...Object.entries(defaults).map((each) => `alter database ${name} set ${each.join(' = ')}`));
  return urlOf(server, name);
}

async function pooled(url: string): Promise<string> {
  const pooler = await PgBouncer.to(url, { pool_mode: 'transaction' });
  stops.push(() => pooler.stop());
  return pooler.url;
}

async function addressOf(env: Record<string, string>): Promise<string> {
  const service = Service.spawn(env);
  stops.push(() => {
    service.kill('SIGINT');
    return service.ended;
  });
  return service.address();
}

const headers = { authorization: `Basic ${btoa('admin:admin')}`, 'content-type': 'application/json' };

const otherwise = {
  default_transaction_isolation: "'repeatable read'",
  array_nulls: 'off',
  transform_null_equals: 'on',
  gin_fuzzy_search_limit: '1',
};

/** In a transaction, and by single statements: one of a request and one of the background. */
const written = ['general', 'login_attempt', 'setting'];

const ways: readonly [string, boolean, (url: string) => Promise<string>][] = [
  ['directly', true, async (url) => url],
  [`through ${pgbouncerVersion}`, pgbouncerPath !== undefined, pooled],
];

describe.each(ways)('defaults that give statements another meaning, %s', (_, isThere, reach) => {
  it.runIf(isThere)('have no part in what is read and written', { timeout: 120_000 }, async () => {
    const url = await databaseWith(otherwise, templateName);
    await run(
      url,
      'create table seen (isolation text, written text)',
      `create function see() returns trigger language plpgsql as $$ begin
         insert into seen values (current_setting('transaction_isolation'), tg_table_name); return null; end $$`,
      ...written.map(
        (table) => `create trigger see after insert or update on ${table} for each statement execute function see()`,
      ),
    );
    const address = await addressOf({ DATABASE_URL: await reach(url) });
    const plain = await addressOf({ DATABASE_URL: await databaseWith({}, templateName) });
    const searched = async (at: string): Promise<unknown> => {
      const answer = await fetch(`${at}/api/v1/Search?q=links&format=json&take=1000`, { headers });
      const { Items } = (await answer.json()) as { Items?: { Id: number }[] };
      return [answer.status, Items?.map(({ Id }) => Id).sort()];
    };
    expect(await searched(address)).toEqual(await searched(plain));

    const body = JSON.stringify({ Name: 'Read what is there', Project: { Id: 8 } });
    const made = await fetch(`${address}/api/v1/UserStories?format=json`, { method: 'POST', headers, body });
    expect(made.status).toBe(201);
    const wrong = await fetch(`${address}/api/v1/Context`, { headers: { authorization: `Basic ${btoa('admin:no')}` } });
    expect(wrong.status).toBe(401);
    const seen = async () => (await run(url, 'select distinct written, isolation from seen order by 1')).rows;
    await expect.poll(seen).toEqual(written.map((table) => ({ written: table, isolation: 'read committed' })));
  });

  it.runIf(isThere)('let commands do their work', { timeout: 120_000 }, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'worktrack-defaults-'));
    stops.push(async () => rmSync(directory, { recursive: true }));
    const [full, empty] = [await databaseWith(otherwise), await databaseWith(otherwise)];
    const archive = join(directory, 'all.tar');
    const steps: [string, string[]][] = [
      [await reach(full), ['migrate']],
      [await reach(full), ['seed', '--generals', '50']],
      [await reach(full), ['doctor']],
      [await reach(full), ['backup', archive]],
      [await reach(empty), ['restore', archive]],
      [await reach(empty), ['doctor']],
    ];
    for (const [DATABASE_URL, args] of steps)
      expect([args, await command({ DATABASE_URL, DATA_DIR: directory }, args)]).toEqual([
        args,
        expect.objectContaining({ code: 0 }),
      ]);
  });
});

describe.each(ways)('session_replication_role = replica of a database, %s', (_, isThere, reach) => {
  it.runIf(isThere)('ends starts and commands with one line', { timeout: 120_000 }, async () => {
    const replica = { session_replication_role: 'replica' };
    const [full, empty] = [await databaseWith(replica, templateName), await databaseWith(replica)];
    const why =
      "worktrack: DATABASE_URL cannot be used: session_replication_role is 'replica', so no trigger fires and no foreign key is checked. Reset it for the role and the database.";
    for (const args of [['doctor', '--fix'], ['migrate', '--check'], ['seed'], ['user', 'list']])
      expect(await command({ DATABASE_URL: await reach(full) }, args)).toMatchObject({
        code: 1,
        stderr: `${why}\n`,
      });
    for (const url of [full, empty]) {
      const service = Service.spawn({ DATABASE_URL: await reach(url) });
      stops.push(async () => service.kill('SIGKILL'));
      expect(await service.ended).toMatchObject({ code: 1 });
      await expect.poll(() => service.output).toBe(`${why}\n`);
    }
    expect((await run(empty, `select from pg_class where relname = 'general'`)).rowCount).toBe(0);
  });
});

describe('a database that is not encoded as UTF8', () => {
  it.each([
    ['LATIN1', ['migrate']],
    ['SQL_ASCII', ['seed']],
  ])('%s is refused in one line by %j', { timeout: 60_000 }, async (encoding, args) => {
    const server = inject('databaseUrl');
    const name = `encoded_${randomBytes(6).toString('hex')}`;
    await run(
      server,
      `create database ${name} template template0 encoding '${encoding}' locale_provider libc locale 'C'`,
    );
    stops.push(() => run(server, `drop database ${name} with (force)`));
    const { code, stderr } = await command({ DATABASE_URL: urlOf(server, name) }, args);
    const why = `The schema cannot be made: The database is encoded as ${encoding}, not as UTF8.`;
    expect([code, stderr]).toEqual([1, `worktrack: ${why}\n`]);
  });
});

/** What watches it has no limits itself. */
async function databaseLimited(limits: Record<string, string>): Promise<{ url: string; watcher: pg.Client }> {
  const url = await databaseWith(limits);
  const watcher = new pg.Client(url);
  await watcher.connect();
  stops.push(() => watcher.end());
  await watcher.query('set lock_timeout = 0; set idle_session_timeout = 0; set transaction_timeout = 0');
  return { url, watcher };
}

describe('a first start', { timeout: 120_000 }, () => {
  it('waits for that of another process, whatever lock_timeout is', async () => {
    const { url, watcher } = await databaseLimited({ lock_timeout: "'50ms'" });
    await watcher.query("begin; select pg_advisory_xact_lock(hashtext('worktrack.prepare'))");
    const starting = addressOf({ DATABASE_URL: url });
    starting.catch(() => undefined);
    const waiting = `select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()
      and clock_timestamp() - query_start > interval '200 ms'`;
    await expect.poll(async () => (await run(url, waiting)).rowCount).toBe(1);
    await watcher.query('commit');
    expect((await fetch(`${await starting}/health/ready?for=writes`)).status).toBe(200);
  });

  it('keeps the connections that it does not use meanwhile, whatever idle_session_timeout is', async () => {
    const { url, watcher } = await databaseLimited({ idle_session_timeout: "'2s'" });
    const address = await addressOf({ DATABASE_URL: url });
    const idle = `select from pg_stat_activity where state = 'idle' and pid <> pg_backend_pid()
      and datname = current_database() and clock_timestamp() - state_change > interval '3 s'`;
    await expect.poll(async () => (await watcher.query(idle)).rowCount).toBeGreaterThan(0);
    expect((await fetch(`${address}/health/ready?for=writes`)).status).toBe(200);
  });
});

const limits = Object.fromEntries(
  ['statement', 'lock', 'transaction', 'idle_in_transaction_session', 'idle_session'].map((of) => [
    `${of}_timeout`,
    "'1s'",
  ]),
);

describe.each(ways)('limits of time of a database, %s', (_, isThere, reach) => {
  it.runIf(isThere)('end no command that takes longer', { timeout: 120_000 }, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'worktrack-limits-'));
    stops.push(async () => rmSync(directory, { recursive: true }));
    const archive = join(directory, 'all.tar');
    const source = await databaseWith({}, templateName);
    expect(await command({ DATABASE_URL: source }, ['backup', archive])).toMatchObject({ code: 0 });

    const { url, watcher } = await databaseLimited(limits);
    // ANALYZE works out what is indexed. What belongs to an extension lets a database be empty.
    await watcher.query(`set statement_timeout = 0; create schema aside; create table aside.slow as select 1.3 as seconds;
      create function aside.slept(seconds numeric) returns numeric immutable language plpgsql
        as $$ begin perform pg_sleep(seconds); return seconds; end $$;
      create index on aside.slow (aside.slept(seconds));
      alter extension plpgsql add table aside.slow`);
    const DATABASE_URL = await reach(url);
    const restored = { code: 0, stderr: expect.stringContaining('Triggers and foreign keys come back.') };
    expect(await command({ DATABASE_URL }, ['restore', archive])).toMatchObject(restored);

    // The list of the files is read outside of transactions.
    await watcher.query(`alter table attachment rename to attachment_rows;
      create view attachment as select a.* from pg_sleep(1.3) left join attachment_rows a on true`);
    const { stdout, stderr } = await command({ DATABASE_URL, DATA_DIR: directory }, ['doctor', '--json']);
    // What lies in the way of the table is found, too.
    const checks = new Set(JSON.parse(stdout).map(({ check }: { check: string }) => check));
    expect([stderr, [...checks]]).toEqual(['', ['schema']]);
  });
});
