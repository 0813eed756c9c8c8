/** Backup and restore from the command line: nothing is lost, changed or half there, whatever goes on meanwhile. */
import { randomFillSync } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createDataSource } from '../../src/database/data-source.js';
import { migrations } from '../../src/database/migrations/migrations.js';
import { TestApp } from '../support/app.js';
import { backup, contents, empty, isUntouched, nameOf, restore, rows, tables } from '../support/archives.js';
import { command } from '../support/command.js';
import { lockWaiters } from '../support/connections.js';
import { urlOf } from '../support/database.js';
import { ForgedArchive } from '../support/forged-archive.js';
import { ScratchDatabase } from '../support/scratch-database.js';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-backup-'));
let source: ScratchDatabase;
let archive: string;
let summary: { tables: number };

const file = (name: string): string => join(directory, name);
/** Leaves the schema of the first migration, and the rows that it has room for. */
async function undoLaterMigrations(url: string): Promise<void> {
  const options = { timeZone: 'UTC', pool: 1, statementTimeoutMs: 0 };
  const dataSource = await createDataSource(url, options).initialize();
  for (const _ of migrations.slice(1)) await dataSource.undoLastMigration();
  await dataSource.destroy();
}

beforeAll(async () => {
  source = await ScratchDatabase.create();
  archive = file('demo.tar');
  const { code, stdout } = await backup(source.url, archive);
  expect(code).toBe(0);
  summary = JSON.parse(stdout);
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

  it('has the tables that the document counts, and those that somebody has added', () => {
    const document = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const shown = [...document.matchAll(/^tables +(\d+)$/gm)].map(([, count]) => Number(count));
    expect(shown).toEqual([shown[0], shown[0]]);
    expect(summary.tables).toBeGreaterThanOrEqual(shown[0]!);
  });

  it('brings back attached files of any length, and says which were gone', async () => {
    const [from, to] = [file('files-from'), file('files-to')];
    const pathOf = (root: string, key: string): string => join(root, 'files', key.slice(0, 2), key);
    const sizes = [0, 1, 4 * 2 ** 20, 9_000_001];
    const keys = [...sizes.keys()].map((at) => String(at + 1).repeat(32));
    const lost = 'f'.repeat(32);
    for (const [at, key] of keys.entries()) {
      mkdirSync(join(from, 'files', key.slice(0, 2)), { recursive: true });
      writeFileSync(pathOf(from, key), randomFillSync(Buffer.alloc(sizes[at]!)));
    }
    // Somebody has copied a row by a statement of his own.
    const [attached, avatar] = [[...keys.slice(1), keys[1]!, lost], keys[0]!];
    const source = await ScratchDatabase.create();
    for (const key of attached)
      await rows(
        source.url,
        `insert into attachment (name, unique_file_name, date, size, owner_id, general_id)
         select 'a', '${key}', now(), 1, 1, min(id) from general`,
      );
    await rows(source.url, `update general_user set avatar_uri = '/avatar.ashx?UserID=1&v=${avatar}' where id = 1`);
    const path = file('files.tar');
    // A mount point without its volume is no directory whose files are gone.
    mkdirSync(join(file('not-mounted'), 'files'), { recursive: true });
    for (const DATA_DIR of [file('not-mounted'), file('nowhere')]) {
      const refused = await command({ DATABASE_URL: source.url, DATA_DIR }, ['backup', path]);
      expect([refused.code, existsSync(path)]).toEqual([1, false]);
      expect(refused.stderr).toMatch(/^worktrack: DATA_DIR\/files has none of the files of this database: .+\n$/m);
    }
    const made = await command({ DATABASE_URL: source.url, DATA_DIR: from }, ['backup', path]);
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^files +4$/m)]);
    expect(made.stderr + made.stdout).toMatch(new RegExp(`1 are not there.*: attachment \\d+ .${lost}.`));
    const url = await empty();
    const restored = await command({ DATABASE_URL: url, DATA_DIR: to }, ['restore', path, '--json']);
    expect([restored.code, JSON.parse(restored.stdout)]).toEqual([0, expect.objectContaining({ files: 4 })]);
    for (const key of keys) expect(readFileSync(pathOf(to, key)).equals(readFileSync(pathOf(from, key)))).toBe(true);
    expect(existsSync(pathOf(to, lost))).toBe(false);
    await source.drop();
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

  const relabelled = (path: string, worktrack: string, done: string[]): string =>
    new ForgedArchive(path)
      .manifest((manifest) => Object.assign(manifest, { worktrack, migrations: done }))
      .write(file(`${nameOf(done.at(-1)!)}.tar`));

  /** As a version 0.1 would write it: the list of migrations in its manifest ends with this one. */
  const of01 = (newest: string, path = archive): string => relabelled(path, '0.1.0', ['Schema1700000000001', newest]);

  it.each([
    ['0.1', (path: string) => of01('Checksums1700000000034', path)],
    ['0.2.0', (path: string) => relabelled(path, '0.2.0', [migrations[0]!.name])],
  ])('of the last version %s is restored, and brought up to date', async (_, forge) => {
    const older = await ScratchDatabase.create();
    await undoLaterMigrations(older.url);
    const path = file(`${nameOf('older')}.tar`);
    expect(await backup(older.url, path)).toMatchObject({ code: 0 });
    const url = await empty();
    const { code, stdout } = await restore(url, forge(path));
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ migrations: migrations.length - 1 })]);
    expect(await command({ DATABASE_URL: older.url }, ['migrate'])).toMatchObject({ code: 0 });
    expect(await contents(url, { isUpgraded: true })).toEqual(await contents(older.url, { isUpgraded: true }));
    expect(await command({ DATABASE_URL: url }, ['migrate', '--check'])).toMatchObject({ code: 0 });
    await older.drop();
  });

  it.each([
    [
      'LongTexts1700000000033',
      /LongTexts1700000000033 .* before the last 0\.1: start the last 0\.1 on the database once/,
    ],
    ['FromTheFuture2700000000001', /FromTheFuture2700000000001 is unknown to this version: .* newer one/],
  ])('of another schema (%s) is refused in one line', async (newest, message) => {
    const url = await empty();
    const { code, stdout, stderr } = await restore(url, of01(newest));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Checking the archive\.\nworktrack: [^\n]*\n$/);
    expect(stderr).toMatch(message);
    expect(await isUntouched(url)).toBe(true);
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
    ['a directory', () => directory, /is a directory, not an archive/],
  ])('%s', async (_, made, message) => {
    const url = await empty();
    const { code, stderr, stdout } = await restore(url, made());
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.split('\n').at(-2)).toMatch(/^worktrack: /);
    expect(stderr).toMatch(message);
    expect(await isUntouched(url)).toBe(true);
  });

  it('makes no database in DATA_DIR', async () => {
    const DATA_DIR = file('data-of-none');
    const { code, stderr } = await command({ DATA_DIR }, ['restore', cutTo((size) => size - 1)]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('damaged')]);
    expect(existsSync(DATA_DIR)).toBe(false);
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

describe('an archive that no backup writes leaves the database empty', { timeout: 120_000 }, () => {
  const forged = () => new ForgedArchive(archive);
  const part = (table: string): string => `tables/${table}/000001.copy.gz`;
  /** gzip allows many streams in a row: 2 GiB without a line break in 2 MB. */
  const bomb = (unit: string): Buffer => {
    const packed = gzipSync(Buffer.alloc(16 * 2 ** 20, unit));
    return Buffer.concat(Array.from({ length: 128 }, () => packed));
  };

  it.each<[string, () => ForgedArchive, RegExp]>([
    [
      'a part of 2 GiB without a line break',
      () => forged().set(part('tag'), bomb('x')),
      /a row of \S+ is longer than 1073741824 bytes/,
    ],
    [
      'a part of 2 GiB of rows',
      () => forged().set(part('tag'), bomb('x\n')),
      /000001\.copy\.gz unpacks to more than 4194304 bytes/,
    ],
    ['a part that is not packed', () => forged().set(part('tag'), '1\n'), /cannot be unpacked/],
    ['an entry more', () => forged().set('notes.txt', 'hello'), /its manifest does not name notes\.txt/],
    ['an entry less', () => forged().without(part('tag')), /tag\/000001\.copy\.gz is missing/],
    ['the manifest null', () => forged().set('manifest.json', 'null'), /no archive/],
    ['half a manifest', () => forged().set('manifest.json', '{'), /its manifest is no JSON/],
    [
      'a table without columns',
      () => forged().manifest(({ tables }) => Object.assign(tables[0]!, { columns: [] })),
      /'tables' of its manifest is wrong/,
    ],
    ['a sequence less', () => forged().manifest(({ sequences }) => sequences.pop()), /the sequence \w+ is missing/],
    [
      'a partition for other than dates',
      () => forged().manifest(({ partitions }) => Object.assign(partitions[0]!, { bound: 'DEFAULT); drop table tag' })),
      /the partition \w+ has no bound of the schema of its version/,
    ],
    [
      'a column less',
      () => forged().manifest(({ tables }) => tables.find(({ name }) => name === 'tag')!.columns.pop()),
      /tag does not fit the schema of its version/,
    ],
    ['a row less', () => forged().manifest(({ tables }) => tables[0]!.rows++), /has \d+ rows instead of \d+/],
    ['a row twice', () => forged().rows('tag', (rows) => [...rows, rows[0]!]), /rows of tag break a rule/],
    [
      'a value of another type',
      () => forged().rows('tag', ([first, ...others]) => [first!.replace(/^\d+/, 'one'), ...others]),
      /tag holds a value that cannot be stored/,
    ],
    [
      'a link to a missing row',
      () => forged().rows('tag', (rows) => rows.slice(1)),
      /rows of \w+ refer to rows that are missing/,
    ],
  ])('%s', async (_, made, message) => {
    const url = await empty();
    const { code, stderr, stdout } = await restore(url, made().write(file(nameOf('forged'))));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.split('\n').at(-2)).toMatch(/^worktrack: .* Nothing was restored\.$/);
    expect(stderr.match(/worktrack: /g)).toHaveLength(1);
    expect(stderr).toMatch(message);
    expect(await isUntouched(url)).toBe(true);
  });

  it('bytes behind its end', async () => {
    const url = await empty();
    for (const behind of ['\0', 'more']) {
      const { code, stderr } = await restore(url, forged().write(file(nameOf('behind')), Buffer.from(behind)));
      const line = 'The archive is damaged: something follows its end. Nothing was restored.';
      expect([code, stderr]).toEqual([1, `Checking the archive.\nworktrack: ${line}\n`]);
    }
    expect(await isUntouched(url)).toBe(true);
  });
});

describe('the time of an archive', { timeout: 120_000 }, () => {
  it('is that of its snapshot, however long the rows take', async () => {
    const client = new pg.Client(source.url);
    await client.connect();
    await client.query('begin; lock table tag in access exclusive mode');
    const [{ now: before }] = await rows(source.url, 'select now()');
    const made = backup(source.url, file('waited.tar'));
    await lockWaiters(client);
    const [{ now: after }] = await rows(source.url, 'select now()');
    await client.end();
    expect(await made).toMatchObject({ code: 0 });
    new ForgedArchive(file('waited.tar')).manifest(({ createdAt }) => {
      expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before.getTime());
      expect(Date.parse(createdAt)).toBeLessThanOrEqual(after.getTime());
    });
  });
});

describe('a backup that has no place', { timeout: 120_000 }, () => {
  it.each<[string, () => string, string]>([
    ['a missing directory', () => join(directory, 'none', 'a.tar'), 'The directory DIRECTORY/none does not exist.'],
    ['a directory that is a file', () => join(archive, 'a.tar'), 'DIRECTORY/demo.tar is not a directory.'],
  ])('says so: %s', async (_, path, message) => {
    const stderr = `worktrack: ${message.replace('DIRECTORY', directory)}\n`;
    expect(await backup(source.url, path())).toEqual({ code: 1, stdout: '', stderr });
  });

  it.runIf(existsSync('/proc/self'))('says why the system takes no file', async () => {
    const { code, stderr } = await backup(source.url, '/proc/worktrack.tar');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^worktrack: \/proc\/worktrack\.tar cannot be written: .+\.\n$/),
    ]);
  });
});

describe('a backup to a disk without links', { timeout: 120_000 }, () => {
  const NODE_OPTIONS = `--import=${new URL('../support/no-links.mjs', import.meta.url).href}`;

  it.each([
    ['it cannot be renamed, either', { RENAME_ERROR: 'EIO' }, 'the device failed'],
    ['links fail for another reason', { LINK_ERROR: 'ENOSPC' }, 'no space is left on the device'],
  ])('leaves nothing where %s', async (_, env, reason) => {
    const path = join(directory, 'nameless.tar');
    const made = await command({ DATABASE_URL: source.url, NODE_OPTIONS, ...env }, ['backup', path]);
    expect([made.code, made.stderr]).toEqual([1, expect.stringContaining(`${path} cannot be written: ${reason}.\n`)]);
    expect(readdirSync(directory).filter((name) => name.startsWith('nameless'))).toEqual([]);
  });

  // As exFAT, NFS or Samba, and FUSE refuse them.
  it.each(['EPERM', 'EACCES', 'EINVAL'])('has its name at the end, and replaces nothing (%s)', async (LINK_ERROR) => {
    const name = `no-links-${LINK_ERROR}.tar`;
    const path = join(directory, name);
    const made = await command({ DATABASE_URL: source.url, NODE_OPTIONS, LINK_ERROR }, ['backup', path]);
    expect(made.code).toBe(0);
    expect(readdirSync(directory).filter((other) => other.startsWith(name))).toEqual([name]);
    const { size } = statSync(path);
    expect(size).toBeGreaterThan(10_000);
    const again = await command({ DATABASE_URL: source.url, NODE_OPTIONS, LINK_ERROR }, ['backup', path]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`worktrack: ${path} exists already.\n`)]);
    expect(statSync(path).size).toBe(size);
  });
});

describe('F26: a backup of a service that writes', { timeout: 180_000 }, () => {
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
