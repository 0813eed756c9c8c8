/** Migrations beside other processes: those that migrate as well, and those that read and write meanwhile. */
import { randomBytes } from 'node:crypto';
import 'reflect-metadata';
import pg from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate, type Patience } from '../../src/database/migrate.js';
import { IndexMigration } from '../../src/database/migrations/index-migration.js';
import { migrations } from '../../src/database/migrations/migrations.js';
import { createDatabase, templateName, urlOf } from '../support/database.js';
import { schemaOf } from '../support/schema.js';
import { Service } from '../support/service.js';

const opened: { destroy(): Promise<unknown> }[] = [];
const databases: string[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.destroy()));
  for (const name of databases.splice(0)) await onServer(`drop database ${name} with (force)`);
});

async function onServer(text: string): Promise<void> {
  const client = new pg.Client(inject('databaseUrl'));
  await client.connect();
  await client.query(text);
  await client.end();
}

/** A database, empty or as the released migrations leave it. */
async function database(isMigrated: boolean): Promise<string> {
  const name = `migrated_${randomBytes(6).toString('hex')}`;
  await createDatabase(inject('databaseUrl'), name, isMigrated ? templateName : undefined);
  databases.push(name);
  return urlOf(inject('databaseUrl'), name);
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: '-c statement_timeout=10000' });
  await client.connect();
  client.on('error', () => undefined);
  opened.push({ destroy: () => client.end() });
  return client;
}

/** Statements of requests end after a minute. */
const source = (url: string, ...more: (new () => MigrationInterface)[]): Promise<DataSource> =>
  sourceWith(60_000, url, ...more);

async function sourceWith(
  statementTimeoutMs: number,
  url: string,
  ...more: (new () => MigrationInterface)[]
): Promise<DataSource> {
  const dataSource = createDataSource(url, { timeZone: 'UTC', pool: 2, statementTimeoutMs });
  dataSource.setOptions({ migrations: [...migrations, ...more] });
  await dataSource.initialize();
  opened.push(dataSource);
  return dataSource;
}

const names = (all: readonly { name: string }[]): string[] => all.map(({ name }) => name);

class AddColumn1800000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table beside (id int)');
    await runner.query('alter table general add column beside int');
  }
  async down(): Promise<void> {}
}

class TakesLong1800000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('select pg_sleep(1.3)');
    await runner.query('create table took_long (id int)');
  }
  async down(): Promise<void> {}
}

class Fails1800000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table half (id int)');
    await runner.query('alter table nowhere add column half int');
  }
  async down(): Promise<void> {}
}

const impatient = (pause: Patience['pause'], attempts = 100): Patience => ({ lockTimeoutMs: 50, attempts, pause });
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const exists = async (client: pg.Client, table: string): Promise<boolean> =>
  (await client.query('select to_regclass($1) is not null as is', [table])).rows[0].is;

describe('migrations', () => {
  it('F16: run once where two processes start at once', { timeout: 60_000 }, async () => {
    const url = await database(false);
    const both = await Promise.all([source(url), source(url)]);
    const lines: string[] = [];
    const tell = (line: string): void => void lines.push(line);
    const done = await Promise.all(both.map((one) => migrate(one, impatient(soon), { tell })));
    expect(done.flat().sort()).toEqual(names(migrations).sort());
    expect(lines).toEqual(['The database is empty: its schema is made.']);
    const { rows } = await (await open(url)).query('select name from migration order by id');
    expect(names(rows)).toEqual(names(migrations));
    expect(await migrate(both[0]!)).toEqual([]);
  });

  it('after the first can be undone, and run again', { timeout: 60_000 }, async () => {
    const url = await database(true);
    const asMade = await schemaOf(url);
    const one = await source(url);
    const [first, ...later] = names(migrations);
    for (const _ of later) await one.undoLastMigration();
    const { rows } = await (await open(url)).query('select name from migration order by id');
    expect(names(rows)).toEqual([first]);
    expect(await migrate(one)).toEqual(later);
    expect(await schemaOf(url)).toEqual(asMade);
  });

  it('take longer than a statement of a request may', async () => {
    const url = await database(true);
    expect(await migrate(await sourceWith(1000, url, TakesLong1800000000002))).toEqual(['TakesLong1800000000002']);
    expect(await exists(await open(url), 'took_long')).toBe(true);
  });

  it('take longer than the server lets a transaction take by default', async () => {
    const url = await database(true);
    for (const name of ['transaction_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'])
      await onServer(`alter database ${new URL(url).pathname.slice(1)} set ${name} = '1s'`);
    expect(await migrate(await source(url, TakesLong1800000000002))).toEqual(['TakesLong1800000000002']);
  });

  it('wait for another process that takes longer than that, too', async () => {
    const url = await database(true);
    const both = [sourceWith(1000, url, TakesLong1800000000002), sourceWith(1000, url, TakesLong1800000000002)];
    const [slow, quick] = [await both[0]!, await both[1]!];
    const done = await Promise.all([migrate(slow), migrate(quick, impatient(soon, 1))]);
    expect(done.flat()).toEqual(['TakesLong1800000000002']);
  });

  it('let readers through while one of them holds what they need', { timeout: 60_000 }, async () => {
    const url = await database(true);
    const [holder, other] = [await open(url), await open(url)];
    await holder.query('begin');
    await holder.query('select count(*) from general');
    let refusals = 0;
    const pause = async (): Promise<void> => {
      refusals += 1;
      // Nothing of it is left in between, and nobody waits.
      expect(await exists(other, 'beside')).toBe(false);
      expect((await other.query('select count(*)::int as n from general')).rows[0].n).toBeGreaterThan(0);
      if (refusals === 3) await holder.query('commit');
    };
    expect(await migrate(await source(url, AddColumn1800000000001), impatient(pause))).toEqual([
      'AddColumn1800000000001',
    ]);
    expect(refusals).toBe(3);
    expect((await other.query('select count(beside)::int as n from general')).rows).toEqual([{ n: 0 }]);
  });

  it('that do not get what they need leave nothing and name themselves', { timeout: 60_000 }, async () => {
    const url = await database(true);
    const holder = await open(url);
    await holder.query('begin');
    await holder.query('select count(*) from general');
    const migrating = migrate(await source(url, AddColumn1800000000001), impatient(soon, 3));
    await expect(migrating).rejects.toThrow(/^AddColumn1800000000001 .*lock/);
    expect(await exists(holder, 'beside')).toBe(false);
  });

  it('F16: that fail leave nothing and name themselves; those before them stay', async () => {
    const url = await database(true);
    const migrating = migrate(await source(url, TakesLong1800000000002, Fails1800000000003));
    await expect(migrating).rejects.toThrow(/^Fails1800000000003 .*nowhere/);
    const client = await open(url);
    expect([await exists(client, 'took_long'), await exists(client, 'half')]).toEqual([true, false]);
    const { rows } = await client.query('select name from migration order by id desc limit 1');
    expect(names(rows)).toEqual(['TakesLong1800000000002']);
  });
});

describe('an index of a large table', { timeout: 60_000 }, () => {
  class AddIndex1800000000005 extends IndexMigration {
    name = 'AddIndex1800000000005';
    indexes = [{ name: 'ix_tested', on: 'tag (lower(name)) where id > 0' }];
  }

  const stateOf = async (url: string) =>
    (
      await (
        await open(url)
      ).query(`select indisvalid as valid from pg_index where indexrelid = to_regclass('ix_tested')`)
    ).rows;

  /** Its making waits for somebody who has written to the table. */
  async function underWay(url: string) {
    const holder = await open(url);
    await holder.query('begin; update tag set name = name');
    const lines: string[] = [];
    const tell = (line: string): void => void lines.push(line);
    const migrating = migrate(await source(url, AddIndex1800000000005), impatient(soon), { tell });
    migrating.catch(() => undefined);
    await expect
      .poll(() => lines, { timeout: 20_000 })
      .toContainEqual(expect.stringMatching(/^ix_tested: waiting for writers/));
    return { holder, lines, migrating };
  }

  it('is made while others write, and tells how far it is', async () => {
    const url = await database(true);
    const { holder, lines, migrating } = await underWay(url);
    await (await open(url)).query(`insert into tag (name) values ('written meanwhile')`);
    await holder.query('commit');
    expect(await migrating).toEqual(['AddIndex1800000000005']);
    expect(await stateOf(url)).toEqual([{ valid: true }]);
    expect([lines[0], lines.at(-1)]).toEqual([
      'AddIndex1800000000005 begins.',
      expect.stringMatching(/^AddIndex1800000000005 took /),
    ]);
  });

  it('waits for no transaction that looks how far it is', async () => {
    const url = await database(true);
    const holder = await open(url);
    // A look takes so long that one is always under way.
    await holder.query(`create view public.pg_stat_progress_create_index as
      select looked.* from pg_catalog.pg_stat_progress_create_index looked, pg_sleep(0.7)`);
    const { pathname } = new URL(url);
    await holder.query(`alter database ${pathname.slice(1)} set search_path = public, pg_catalog`);
    const { holder: writer, migrating } = await underWay(url);
    const looks = async () =>
      (
        await holder.query(`select from pg_stat_activity
          where state = 'active' and pid <> pg_backend_pid() and query like '%pg_stat_progress_create_index%'`)
      ).rowCount;
    await expect.poll(looks, { interval: 20 }).toBe(1);
    await writer.query('commit');
    expect(await migrating).toEqual(['AddIndex1800000000005']);
    expect(await stateOf(url)).toEqual([{ valid: true }]);
  });

  it('is made where nobody can look how far it is', async () => {
    const url = await database(true);
    const client = await open(url);
    await client.query(`create view public.pg_stat_progress_create_index as
      select * from pg_catalog.pg_stat_progress_create_index where 1 / 0 = 1`);
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set search_path = public, pg_catalog`);
    const failed = async () =>
      (await client.query('select xact_rollback::int as n from pg_stat_database where datname = current_database()'))
        .rows[0].n;
    const before = await failed();
    const writer = await open(url);
    await writer.query('begin; update tag set name = name');
    const migrating = migrate(await source(url, AddIndex1800000000005), impatient(soon));
    migrating.catch(() => undefined);
    await expect.poll(failed, { timeout: 20_000 }).toBeGreaterThan(before);
    await writer.query('commit');
    expect(await migrating).toEqual(['AddIndex1800000000005']);
    expect(await stateOf(url)).toEqual([{ valid: true }]);
  });

  it('is made anew where an interruption left one that is not valid', async () => {
    const url = await database(true);
    const { holder, migrating } = await underWay(url);
    await (await open(url)).query(
      `select pg_terminate_backend(pid) from pg_stat_progress_create_index where index_relid = 'ix_tested'::regclass`,
    );
    await expect(migrating).rejects.toThrow(/^AddIndex1800000000005 failed/);
    await holder.query('commit');
    expect(await stateOf(url)).toEqual([{ valid: false }]);
    expect(await migrate(await source(url, AddIndex1800000000005))).toEqual(['AddIndex1800000000005']);
    expect(await stateOf(url)).toEqual([{ valid: true }]);
    expect(await migrate(await source(url, AddIndex1800000000005))).toEqual([]);
  });

  it('is waited for where a backend still makes it whose client is gone', async () => {
    const url = await database(true);
    const [holder, gone, looking] = [await open(url), await open(url), await open(url)];
    await holder.query('begin; update tag set name = name');
    const making = gone.query('create index concurrently ix_tested on tag (lower(name)) where id > 0');
    const idOf = async () => (await looking.query(`select to_regclass('ix_tested')::oid as id`)).rows[0].id;
    await expect.poll(idOf).not.toBeNull();
    const id = await idOf();
    const lines: string[] = [];
    const tell = (line: string): void => void lines.push(line);
    const migrating = migrate(await source(url, AddIndex1800000000005), impatient(soon), { tell });
    await expect.poll(() => lines, { timeout: 20_000 }).toContainEqual(expect.stringMatching(/waiting for writers/));
    await holder.query('commit');
    await Promise.all([making, migrating]);
    expect([await idOf(), await stateOf(url)]).toEqual([id, [{ valid: true }]]);
    expect(lines).not.toContainEqual(expect.stringMatching(/waits for what others are using/));
  });

  it('takes longer than the database lets anything take by default', async () => {
    class AddSlowIndex1800000000006 extends IndexMigration {
      name = 'AddSlowIndex1800000000006';
      indexes = [{ name: 'ix_slow', on: 'tag (slept(id)) where id = 1' }];
    }
    const url = await database(true);
    const client = await open(url);
    await client.query(`insert into tag (id, name) overriding system value values (1, 'slow') on conflict do nothing;
      create function slept(id bigint) returns bigint immutable language plpgsql
        as $$ begin perform pg_sleep(1.3); return id; end $$`);
    for (const name of ['transaction_timeout', 'statement_timeout', 'lock_timeout', 'idle_session_timeout'])
      await client.query(`alter database ${new URL(url).pathname.slice(1)} set ${name} = '1s'`);
    expect(await migrate(await source(url, AddSlowIndex1800000000006))).toEqual(['AddSlowIndex1800000000006']);
  });

  it('is made once where two processes migrate, and in an empty database along with its table', async () => {
    const url = await database(true);
    const both = await Promise.all([source(url, AddIndex1800000000005), source(url, AddIndex1800000000005)]);
    const done = await Promise.all(both.map((one) => migrate(one, impatient(soon))));
    expect([done.flat(), await stateOf(url)]).toEqual([['AddIndex1800000000005'], [{ valid: true }]]);
    const empty = await database(false);
    await migrate(await source(empty, AddIndex1800000000005));
    expect(await stateOf(empty)).toEqual([{ valid: true }]);
  });
});

describe('what an upgrade says', () => {
  const begins = 'SaysSo1800000000004 begins.';
  class SaysSo1800000000004 implements MigrationInterface {
    async up(): Promise<void> {}
    async down(): Promise<void> {}
  }

  it('names each migration as it begins and when it is done', async () => {
    const lines: string[] = [];
    const upgrading = await source(await database(true), SaysSo1800000000004);
    await migrate(upgrading, impatient(soon), { tell: (line) => void lines.push(line) });
    expect(lines).toEqual([begins, expect.stringMatching(/^SaysSo1800000000004 took \d+\.\d s\.$/)]);
  });

  it('names one that waits, once', { timeout: 60_000 }, async () => {
    const url = await database(true);
    const holder = await open(url);
    await holder.query('begin');
    await holder.query('select count(*) from general');
    const lines: string[] = [];
    const tell = (line: string): void => void lines.push(line);
    const migrating = migrate(await source(url, AddColumn1800000000001), impatient(soon, 3), { tell });
    await expect(migrating).rejects.toThrow(/lock/);
    expect(lines).toEqual([
      'AddColumn1800000000001 begins.',
      'AddColumn1800000000001 waits for what others are using.',
    ]);
  });
});

describe('a database that a newer version has migrated', () => {
  const newest = 'FromTheFuture2700000000002';

  /** `oldest` is the migration that a version must know which it serves. */
  async function newer(oldest = newest): Promise<string> {
    const url = await database(true);
    const client = await open(url);
    await client.query('update schema_compatibility set oldest = $1', [oldest]);
    await client.query(
      `insert into migration (timestamp, name) values (2700000000001, 'Future2700000000001'), (2700000000002, '${newest}')`,
    );
    return url;
  }

  it.each<[string, string[], Record<string, string>]>([
    ['main.js', [], {}],
    ['main.js', [], { WORKERS: '2' }],
    ['cli/main.js', ['serve'], {}],
    ['cli/main.js', ['migrate'], {}],
    ['cli/main.js', ['seed', '--generals', '10'], {}],
  ])('ends %s %j %j with one line', { timeout: 60_000 }, async (script, args, env) => {
    const started = Service.spawn({ DATABASE_URL: await newer(), ...env }, script, args);
    expect((await started.ended).code).toBe(1);
    expect(started.output).toMatch(new RegExp(`^worktrack: ${newest} .* brought up to date by a newer .*\\n$`));
  });

  it.each<Record<string, string>>([{}, { WORKERS: '2' }])('is served with %j where it serves this version', {
    timeout: 60_000,
  }, async (env) => {
    const started = Service.spawn({ DATABASE_URL: await newer('Baseline1700000000100'), ...env }, 'main.js', []);
    await started.says(/listens on/);
    started.kill('SIGTERM');
    expect((await started.ended).code).toBe(0);
  });

  it('is left as it is where it serves this version, but some of its migrations are to be carried out', async () => {
    const migrating = migrate(await source(await newer('Baseline1700000000100'), AddColumn1800000000001));
    await expect(migrating).rejects.toThrow(/newer/);
  });

  it('is left as it is, also when this version has migrations that were not carried out', async () => {
    const url = await newer();
    const migrating = migrate(await source(url, AddColumn1800000000001));
    await expect(migrating).rejects.toThrow(/^FromTheFuture2700000000002 .*newer/);
    expect(await exists(await open(url), 'beside')).toBe(false);
  });
});
