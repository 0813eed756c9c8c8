/**
 * Fills an empty database from an archive: the schema of its version, then its rows, in one transaction; then the
 * migrations that came later. Triggers are off and foreign keys away meanwhile, which the owner of the tables may do;
 * the keys are checked when they come back.
 */
import type { PoolClient } from 'pg';
import { buildAndFill, schemaOf, type Target } from '../database/migrate.js';
import type { FileStore } from '../files/file-store.js';
import { ArchiveError, damaged, databaseRefused } from './archive-error.js';
import { ArchiveReader } from './archive-reader.js';
import { quotedName } from './back-up.js';
import { foreignKeysOf, isEmpty, type Table, tablesOf } from './catalogue.js';
import { copyIn } from './copy-rows.js';
import { restoreFiles } from './files.js';
import type { Manifest } from './manifest.js';
import type { Watcher } from './watcher.js';

/** As the schema has it for all tables; the partitions of an archive are made here. */
const tidiedSoon = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02';

/** An empty database, and where its files are to lie, unless they stay where they are. */
interface RestoreTarget extends Target {
  readonly store?: FileStore;
}

export async function restoreFrom(path: string, target: RestoreTarget, watcher: Watcher): Promise<Manifest> {
  watcher.line('Checking the archive.');
  const archive = await ArchiveReader.open(path);
  try {
    const { manifest } = archive;
    await buildAndFill(target, schemaOf(manifest.migrations), {
      before: async (client) => {
        if (await isEmpty(client)) return;
        throw new ArchiveError('The database is not empty: restore to an empty one. Nothing was restored.');
      },
      after: async (client) => {
        await fill(client, archive, watcher);
        // Bytes are there before their rows are.
        if (target.store) await restoreFiles(archive, target.store, watcher);
      },
    });
    return manifest;
  } finally {
    await archive.close();
  }
}

async function fill(client: PoolClient, archive: ArchiveReader, watcher: Watcher): Promise<void> {
  const { manifest } = archive;
  const schema = await tablesOf(client);
  mustFit(manifest.tables, schema);
  const tables = schema.map(({ name }) => quotedName(name));
  const keys = await foreignKeysOf(client);
  // What the migrations have put off.
  await client.query('set constraints all immediate');
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
  await client.query(`truncate ${tables.join(', ')}`);
  for (const { name, parent, bound } of manifest.partitions) {
    const partition = `create table if not exists ${quotedName(name)} partition of ${quotedName(parent)}`;
    await client.query(`${partition} ${bound} with (${tidiedSoon})`).catch(databaseRefused(name));
  }
  await load(client, archive, watcher);
  const setval = 'select setval($1::regclass, $2::bigint, $3::boolean)';
  for (const { name, last, isCalled } of manifest.sequences)
    await client.query(setval, [quotedName(name), last, isCalled]).catch(databaseRefused(name));
  watcher.line('Triggers and foreign keys come back.');
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`).catch(databaseRefused(table));
}

/** The archive has the tables of its schema, with all their columns, and no others. */
function mustFit(tables: Manifest['tables'], schema: readonly Table[]): void {
  const shapes = (all: readonly Pick<Table, 'name' | 'columns'>[]) =>
    new Map(all.map(({ name, columns }) => [name, [...columns].sort().join()]));
  const [ours, theirs] = [shapes(schema), shapes(tables)];
  const misfit = [...ours.keys(), ...theirs.keys()].find((name) => ours.get(name) !== theirs.get(name));
  if (misfit) throw damaged(`${misfit} does not fit the schema of its version`);
}

async function load(client: PoolClient, archive: ArchiveReader, watcher: Watcher): Promise<void> {
  const { tables } = archive.manifest;
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const table of tables.filter(({ rows }) => rows > 0)) {
    watcher.update(table.name, done, total);
    const copy = `copy ${quotedName(table.name)} (${table.columns.map(quotedName).join(', ')}) from stdin`;
    const rows = await copyIn(client, copy, archive.rows(table)).catch(databaseRefused(table.name));
    if (rows !== table.rows) throw damaged(`${table.name} has ${rows} rows instead of ${table.rows}`);
    done += rows;
    watcher.line(`${table.name}: ${rows} rows`);
  }
}
