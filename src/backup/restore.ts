/**
 * Fills an empty database from an archive: the schema of its version, then its rows, in one transaction; then the migrations that
 * came later. Triggers are off and foreign keys away meanwhile, which the owner of the tables may do; the keys are checked when they come back.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PoolClient } from 'pg';
import { buildAndFill, refuseNewerSchema, type Target } from '../database/migrate.js';
import { tidiedSoon } from '../database/migrations/27-storage.js';
import { ArchiveError, damaged } from './archive-error.js';
import { ArchiveReader } from './archive-reader.js';
import { quotedName, type Watcher } from './back-up.js';
import { foreignKeysOf, isEmpty, tablesOf } from './catalogue.js';
import { copyIn } from './copy-rows.js';
import { type Manifest, partName, type TableEntry } from './manifest.js';

const decompress = promisify(gunzip);

export async function restoreFrom(path: string, target: Target, watcher: Watcher): Promise<Manifest> {
  watcher.line('The archive is checked.');
  const archive = await ArchiveReader.open(path);
  try {
    const { manifest } = archive;
    refuseNewerSchema(manifest.migrations);
    await buildAndFill(target, new Set(manifest.migrations), {
      before: async (client) => {
        if (await isEmpty(client)) return;
        throw new ArchiveError('The database is not empty: restore to an empty one. Nothing was restored.');
      },
      after: (client) => fill(client, archive, watcher),
    });
    return manifest;
  } finally {
    await archive.close();
  }
}

async function fill(client: PoolClient, archive: ArchiveReader, watcher: Watcher): Promise<void> {
  const { manifest } = archive;
  const tables = (await tablesOf(client)).map(({ name }) => quotedName(name));
  const keys = await foreignKeysOf(client);
  // What the migrations have put off.
  await client.query('set constraints all immediate');
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
  await client.query(`truncate ${tables.join(', ')}`);
  for (const { name, parent, bound } of manifest.partitions)
    await client.query(
      `create table if not exists ${quotedName(name)} partition of ${quotedName(parent)} ${bound} with (${tidiedSoon})`,
    );
  await load(client, archive, watcher);
  for (const { name, last, isCalled } of manifest.sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3::boolean)', [quotedName(name), last, isCalled]);
  watcher.line('Triggers and foreign keys come back.');
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
}

async function load(client: PoolClient, archive: ArchiveReader, watcher: Watcher): Promise<void> {
  const { tables } = archive.manifest;
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const table of tables.filter(({ rows }) => rows > 0)) {
    watcher.update(table.name, done, total);
    const listed = table.columns.map(quotedName).join(', ');
    const rows = await copyIn(client, `copy ${quotedName(table.name)} (${listed}) from stdin`, partsOf(archive, table));
    if (rows !== table.rows) throw damaged(`${table.name} has ${rows} rows instead of ${table.rows}`);
    done += rows;
    watcher.line(`${table.name}: ${rows} rows`);
  }
}

async function* partsOf(archive: ArchiveReader, { name, parts }: TableEntry): AsyncGenerator<Buffer> {
  for (let part = 1; part <= parts; part++) yield await decompress(await archive.member(partName(name, part)));
}
