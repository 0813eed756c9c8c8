/** Archives of databases that people have changed, that are large, or that cannot be restored. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { basic } from '../support/app.js';
import { backup, contents, empty, isUntouched, nameOf, restore, rows } from '../support/archives.js';
import { command, startCommand } from '../support/command.js';
import { lockWaiters } from '../support/connections.js';
import { ForgedArchive } from '../support/forged-archive.js';
import { ScratchDatabase } from '../support/scratch-database.js';
import { Service } from '../support/service.js';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-restore-'));
const file = (name: string): string => join(directory, name);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('an archive', { timeout: 120_000 }, () => {
  it('of a database to which somebody added something is restored without that, which it says', async () => {
    const other = await ScratchDatabase.create();
    const { sequences, triggers } = (await contents(other.url)) as { sequences: object; triggers: object };
    await rows(
      other.url,
      'create table mine as select * from general limit 3',
      'create table "my table" (id int)',
      'alter table general add column mine text, add column "my score" int',
      `update general set mine = E'a\\tb', "my score" = 7`,
      'alter table change_record add column mine text',
      'create sequence "my numbers"',
      'create table parts (at int, name text) partition by list (name)',
      `create table "parts of a" partition of parts for values in ('a')`,
      `do $$ begin execute (
         select format('alter table change_record detach partition %I', min(inhrelid::regclass::text))
         from pg_inherits where inhparent = 'change_record'::regclass and inhrelid::regclass::text ~ '[0-9]$'); end $$`,
    );
    const path = file(nameOf('added'));
    expect(await backup(other.url, path)).toMatchObject({ code: 0 });
    const url = await empty();
    const { code, stderr } = await restore(url, path);
    const leftOut = stderr
      .split('\n')
      .filter((line) => line.startsWith('Left out, since Worktrack does not know it: '));
    expect([code, leftOut.map((line) => line.slice(44)).sort()]).toEqual([
      0,
      [
        'the column mine of change_record.',
        'the column mine of general.',
        'the column my score of general.',
        'the partition parts of a.',
        'the sequence my numbers.',
        expect.stringMatching(/^the table change_record_\d{4}_\d\d with \d+ rows\.$/),
        'the table mine with 3 rows.',
        'the table parts with 0 rows.',
      ],
    ]);
    expect(await contents(url)).toMatchObject({ sequences, triggers });
    const ours = 'select count(*)::int, max(name) as name, max(description) as description from general';
    expect(await rows(url, ours)).toEqual(await rows(other.url, ours));
    expect(await command({ DATABASE_URL: url }, ['doctor'])).toMatchObject({ code: 0 });
    await other.drop();
  });

  it('holds partitions of the record of changes with any bounds, also where months are ready there', async () => {
    const other = await ScratchDatabase.create();
    await rows(
      other.url,
      `do $$ declare month text; begin
         for month in select inhrelid::regclass::text from pg_inherits
           where inhparent = 'change_record'::regclass and inhrelid::regclass::text ~ '[0-9]$'
         loop execute 'drop table ' || month; end loop; end $$`,
      `create table "all years" partition of change_record for values from ('2020-01-01') to (maxvalue)`,
      "create table early partition of change_record for values from (minvalue) to ('2001-01-01')",
      `update general set name = name || '!' where id = (select max(id) from general)`,
    );
    const path = file(nameOf('years'));
    expect(await backup(other.url, path)).toMatchObject({ code: 0 });
    const url = await empty();
    expect(await restore(url, path)).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/^Left out/m) });
    const counts = 'select count(*)::int from "all years"';
    expect(await rows(url, counts)).toEqual(await rows(other.url, counts));
    await other.drop();
  });

  it('may have a manifest of many megabytes, as hundreds of thousands of files make it', async () => {
    const source = await ScratchDatabase.create();
    const archive = file('long-manifest.tar');
    expect(await backup(source.url, archive)).toMatchObject({ code: 0 });
    const manifest = Buffer.alloc(20 * 2 ** 20, ' ');
    new ForgedArchive(archive).manifest((content) => manifest.write(JSON.stringify(content)));
    const path = new ForgedArchive(archive).set('manifest.json', manifest).write(file('longer-manifest.tar'));
    expect(await restore(await empty(), path)).toMatchObject({ code: 0 });
    await source.drop();
  });

  it('whose files were all missing restores to a service that takes new ones', async () => {
    const source = await ScratchDatabase.create();
    await rows(
      source.url,
      `insert into attachment (name, unique_file_name, date, size, owner_id, general_id)
       select 'a', '${'1'.repeat(32)}', now(), 41, 1, min(id) from general`,
    );
    const [from, path] = [file('lost-files'), file('lost.tar')];
    mkdirSync(join(from, 'files', '00'), { recursive: true });
    expect(await command({ DATABASE_URL: source.url, DATA_DIR: from }, ['backup', path])).toMatchObject({ code: 0 });
    const target = { DATABASE_URL: await empty(), DATA_DIR: file('made-anew') };
    expect(await command(target, ['restore', path])).toMatchObject({ code: 0 });
    const service = Service.spawn(target);
    const form = new FormData();
    form.append('generalId', String((await rows(source.url, 'select min(id)::int id from general'))[0].id));
    form.append('file', new Blob(['new']), 'new.txt');
    const headers = { authorization: basic('admin') };
    const uploaded = await fetch(`${await service.address()}/UploadFile.ashx`, { method: 'POST', headers, body: form });
    expect([uploaded.status, await uploaded.text()]).toEqual([200, expect.stringContaining('new.txt')]);
    expect(service.output).not.toContain('none of the files');
    service.kill('SIGTERM');
    await service.ended;
    await source.drop();
  });

  it('that cannot be restored takes no file that was there before', async () => {
    const dataDir = file('shared-files');
    const [first, last] = ['1'.repeat(32), '2'.repeat(32)];
    const pathOf = (key: string): string => join(dataDir, 'files', key.slice(0, 2), key);
    for (const key of [first, last]) {
      mkdirSync(join(dataDir, 'files', key.slice(0, 2)), { recursive: true });
      writeFileSync(pathOf(key), `bytes of ${key}`);
    }
    const other = await ScratchDatabase.create();
    for (const key of [first, last])
      await rows(
        other.url,
        `insert into attachment (name, unique_file_name, date, size, owner_id, general_id)
         select 'a', '${key}', now(), 41, 1, min(id) from general`,
      );
    const path = file('shared.tar');
    expect(await command({ DATABASE_URL: other.url, DATA_DIR: dataDir }, ['backup', path])).toMatchObject({ code: 0 });
    // No file can take the place of a directory.
    rmSync(pathOf(last));
    mkdirSync(join(pathOf(last), 'in the way'), { recursive: true });
    const url = await empty();
    const { code, stderr } = await command({ DATABASE_URL: url, DATA_DIR: dataDir }, ['restore', path]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^worktrack: The files of the archive cannot be stored: .*\. Nothing was restored\.$/m),
    ]);
    expect(readFileSync(pathOf(first), 'utf8')).toBe(`bytes of ${first}`);
    expect(await isUntouched(url)).toBe(true);
    await other.drop();
  });
});

describe('a restore that the database refuses', { timeout: 120_000 }, () => {
  it('says why, and that nothing was restored', async () => {
    const source = await ScratchDatabase.create();
    const path = file('refused.tar');
    expect(await backup(source.url, path)).toMatchObject({ code: 0 });
    const name = nameOf('latin');
    const options = "template template0 encoding latin1 locale_provider libc locale 'C'";
    await rows(source.url, `create database ${name} ${options}`);
    const url = source.url.replace(/[^/]+$/, name);
    const { code, stderr } = await restore(url, path);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^worktrack: .* is encoded as LATIN1, not as UTF8\. Nothing was restored\.$/m),
    ]);
    await rows(source.url, `drop database ${name}`);
    await source.drop();
  });
});

describe('a backup that is interrupted', { timeout: 120_000 }, () => {
  it('takes what it wrote along, or the next one beside it does', async () => {
    const source = await ScratchDatabase.create();
    const folder = file('interrupted');
    mkdirSync(folder);
    const holder = new pg.Client(source.url);
    await holder.connect();
    for (const [signal, left] of [
      ['SIGINT', []],
      ['SIGTERM', []],
      ['SIGHUP', []],
      ['SIGKILL', [expect.stringMatching(/^a\.tar\.[0-9a-f]{8}-\d+\.part$/)]],
    ] as const) {
      await holder.query('begin; lock table tag in access exclusive mode');
      const { ended, kill } = startCommand({ DATABASE_URL: source.url }, ['backup', join(folder, 'a.tar')]);
      await lockWaiters(holder);
      expect(readdirSync(folder)).toHaveLength(1);
      kill(signal);
      expect(await ended).toMatchObject({ code: null });
      await holder.query('rollback');
      expect([signal, readdirSync(folder)]).toEqual([signal, left]);
    }
    await holder.end();
    expect(await backup(source.url, join(folder, 'b.tar'))).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).toEqual(['b.tar']);
    await source.drop();
  });
});
