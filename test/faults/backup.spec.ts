/** Backup and restore from the command line: nothing is lost, changed or half there, whatever goes on meanwhile. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildAndFill } from '../../src/database/migrate.js';
import { migrations } from '../../src/database/migrations/migrations.js';
import { TestApp } from '../support/app.js';
import { command } from '../support/command.js';
import { urlOf } from '../support/database.js';
import { emptyDatabase } from '../support/empty-database.js';
import { ScratchDatabase } from '../support/scratch-database.js';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-backup-'));
let source: ScratchDatabase;
let archive: string;

const file = (name: string): string => join(directory, name);
const nameOf = (what: string): string => `${what}_${randomBytes(6).toString('hex')}`;
const empty = (): Promise<string> => emptyDatabase(nameOf('restored'));
const backup = (url: string, path: string) => command({ DATABASE_URL: url }, ['backup', path, '--json']);
const restore = (url: string, path: string) => command({ DATABASE_URL: url }, ['restore', path, '--json']);

// biome-ignore lint/suspicious/noExplicitAny: rows have the shape of their statement
async function rows(url: string, ...statements: string[]): Promise<any[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let result!: pg.QueryResult;
    for (const statement of statements) result = await client.query(statement);
    return result.rows;
  } finally {
    await client.end();
  }
}

const tables = `select c.relname::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'migration' order by 1`;

/** Each row, the version of each item, each sequence, and what keeps the rows right. */
async function contents(url: string): Promise<object> {
  const names = (await rows(url, tables)).map(({ name }) => name as string);
  const sums = names.map(
    (name) => `select '${name}' as name, count(*), md5(string_agg(t::text, '|' order by t::text)) from "${name}" t`,
  );
  return {
    rows: await rows(url, sums.join(' union all ')),
    sequences: await rows(
      url,
      `select sequencename, last_value from pg_sequences where sequencename <> 'migration_id_seq' order by 1`,
    ),
    constraints: await rows(
      url,
      `select conrelid::regclass::text as t, pg_get_constraintdef(oid) as d, convalidated from pg_constraint
       where connamespace = 'public'::regnamespace order by 1, 2`,
    ),
    triggers: await rows(
      url,
      `select tgrelid::regclass::text as t, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
    ),
    indexes: await rows(url, `select indexdef from pg_indexes where schemaname = 'public' order by 1`),
  };
}

const isUntouched = async (url: string): Promise<boolean> => (await rows(url, tables)).length === 0;

beforeAll(async () => {
  source = await ScratchDatabase.create();
  archive = file('demo.tar');
  expect(await backup(source.url, archive)).toMatchObject({ code: 0 });
}, 120_000);
afterAll(async () => {
  await source.drop();
  rmSync(directory, { recursive: true, force: true });
});

describe('an archive', { timeout: 120_000 }, () => {
  it('brings back every row, version, sequence, key, trigger and index', async () => {
    const url = await empty();
    const { code, stdout } = await restore(url, archive);
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ migrations: 0 })]);
    expect(await contents(url)).toEqual(await contents(source.url));
  });

  it('is readable by its owner only, and replaces no file', async () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    const before = readFileSync(archive);
    expect(await backup(source.url, archive)).toMatchObject({
      code: 1,
      stderr: `worktrack: ${archive} exists already.\n`,
    });
    expect(readFileSync(archive).equals(before)).toBe(true);
  });

  it('is restored by a role that only owns its tables', async () => {
    const name = nameOf('limited');
    const server = inject('databaseUrl');
    await rows(server, `create role ${name} login password '${name}'`, `create database ${name}`);
    await rows(urlOf(server, name), `grant usage, create on schema public to ${name}`);
    const url = Object.assign(new URL(urlOf(server, name)), { username: name, password: name }).href;
    expect(await restore(url, archive)).toMatchObject({ code: 0 });
    const [{ count }] = await rows(source.url, 'select count(*) from general');
    expect(await rows(url, 'select count(*) from general')).toEqual([{ count }]);
    await rows(server, `drop database ${name} with (force)`, `drop role ${name}`);
  });

  it('of an older schema is migrated on', async () => {
    const older = await empty();
    const names = migrations.slice(0, -2).map(({ name }) => name);
    const nothing = () => Promise.resolve();
    const target = { databaseUrl: older, timeZone: 'UTC', isShared: false };
    await buildAndFill(target, new Set(names), { before: nothing, after: nothing });
    await rows(older, `insert into tag (name) values ('kept')`);
    expect(await backup(older, file('older.tar'))).toMatchObject({ code: 0 });
    const url = await empty();
    const { code, stdout } = await restore(url, file('older.tar'));
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ migrations: 2 })]);
    expect(await rows(url, 'select name from tag')).toEqual([{ name: 'kept' }]);
    expect(await command({ DATABASE_URL: url }, ['migrate', '--check'])).toMatchObject({ code: 0 });
  });

  it('is not restored to a database that holds anything', async () => {
    const url = await empty();
    await rows(url, 'create table mine (id int)');
    const { code, stderr } = await restore(url, archive);
    expect([code, stderr]).toEqual([1, expect.stringContaining('The database is not empty')]);
    expect(await rows(url, tables)).toEqual([{ name: 'mine' }]);
  });
});

describe('a damaged archive leaves the database empty', { timeout: 120_000 }, () => {
  const copyOf = (change: (bytes: Buffer) => void): string => {
    const path = file(nameOf('damaged'));
    const bytes = readFileSync(archive);
    change(bytes);
    writeFileSync(path, bytes);
    return path;
  };

  it.each<[string, () => string, RegExp]>([
    ['a bit of a row', () => copyOf((bytes) => bytes.writeUInt8(bytes.readUInt8(3000) ^ 1, 3000)), /damaged/],
    ['a bit of a header', () => copyOf((bytes) => bytes.writeUInt8(bytes.readUInt8(3) ^ 1, 3)), /no archive|damaged/],
    [
      'a bit of the checksums',
      () => copyOf((bytes) => bytes.writeUInt8(bytes.readUInt8(bytes.length - 2000) ^ 1, bytes.length - 2000)),
      /damaged/,
    ],
    ['half of it', () => cutTo((size) => Math.floor(size / 2)), /damaged/],
    ['all but its end', () => cutTo((size) => size - 1), /damaged/],
    ['nothing', () => cutTo(() => 0), /no archive/],
    ['another file', () => join(import.meta.dirname, 'backup.spec.ts'), /no archive/],
    ['no file', () => file('nothing'), /does not exist/],
  ])('%s', async (_, made, message) => {
    const url = await empty();
    const { code, stderr, stdout } = await restore(url, made());
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.split('\n').at(-2)).toMatch(/^worktrack: /);
    expect(stderr).toMatch(message);
    expect(await isUntouched(url)).toBe(true);
  });

  function cutTo(length: (size: number) => number): string {
    const path = copyOf(() => undefined);
    truncateSync(path, length(statSync(path).size));
    return path;
  }

  it('does not come to be where the backup fails', async () => {
    const { code, stderr } = await backup(await empty(), file('of-nothing.tar'));
    expect([code, stderr]).toEqual([1, 'worktrack: The database is empty: there is nothing to back up.\n']);
    expect(existsSync(file('of-nothing.tar'))).toBe(false);
  });
});

describe('a backup of a service that writes', { timeout: 180_000 }, () => {
  it('holds all that was acknowledged before it began, nothing sent after it ended, and nothing by half', async () => {
    const app = await TestApp.start();
    const { connectionString: url } = (app.database as unknown as { options: { connectionString: string } }).options;
    const [{ Id: project }] = await app.items('/api/v1/Projects');
    const sent: string[] = [];
    const acknowledged: string[] = [];
    let isOver = false;
    const write = async (writer: number): Promise<void> => {
      for (let at = 0; !isOver; at++) {
        const Name = `ledger ${writer}-${at}`;
        sent.push(Name);
        const Tasks = { Items: [{ Name, Effort: 2 }] };
        await app.write('UserStories', { Name, Project: { Id: project }, Tasks });
        acknowledged.push(Name);
      }
    };
    const writers = [1, 2, 3].map(write);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(5);
    const before = [...acknowledged];
    expect(await backup(url, file('ledger.tar'))).toMatchObject({ code: 0 });
    const sentBefore = sent.length;
    await expect.poll(() => sent.length).toBeGreaterThan(sentBefore + 5);
    isOver = true;
    await Promise.all(writers);

    const restored = await empty();
    expect(await restore(restored, file('ledger.tar'))).toMatchObject({ code: 0 });
    const stories = await rows(restored, `select name from general where entity_type_id = 4 and name like 'ledger %'`);
    const names = new Set(stories.map(({ name }) => name as string));
    expect(names.size).toBe(stories.length);
    expect(before.filter((name) => !names.has(name))).toEqual([]);
    expect(sent.slice(sentBefore).filter((name) => names.has(name))).toEqual([]);
    const [{ alone }] = await rows(
      restored,
      `select count(*)::int as alone from general s where s.entity_type_id = 4 and s.name like 'ledger %'
         and not exists (select from general t where t.user_story_id = s.id and t.name = s.name)`,
    );
    expect(alone).toBe(0);
    // Among other things, no total differs from what it is when worked out anew.
    expect(await command({ DATABASE_URL: restored }, ['doctor'])).toMatchObject({ code: 0 });
    await app.stop();
  });
});
