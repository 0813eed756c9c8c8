/**
 * Fills an empty database from an archive: the schema of its version, then its rows, in one transaction; then the
 * migrations that came later. Triggers are off and foreign keys away meanwhile, which the owner of the tables may do;
 * the keys are checked when they come back.
 */
import type { PoolClient } from 'pg';
import { buildAndFill, schemaOf, type Target } from '../database/migrate.js';
import type { FileStore } from '../files/file-store.js';
import { UndoneError } from '../server/start-failure.js';
import { ArchiveError, damaged, databaseRefused, nothingRestored } from './archive-error.js';
import { ArchiveReader } from './archive-reader.js';
import { quotedName } from './back-up.js';
import { foreignKeysOf, isEmpty, partitionsOf, sequencesOf, tablesOf } from './catalogue.js';
import { copyIn } from './copy-rows.js';
import { restoreFiles } from './files.js';
import { type FittedTable, fitTo } from './fit.js';
import type { Manifest, TableEntry } from './manifest.js';
import type { Watcher } from './watcher.js';

/** As the schema has it for all tables; the partitions of an archive are made here. */
const tidiedSoon = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02';

/** An empty database, and where its files are to lie, unless they stay where they are. */
interface RestoreTarget extends Target {
  readonly store?: FileStore;
}

/** Gives an archive that has been read and checked to its end to `work`. Errors: ArchiveError, where it is damaged. */
export async function withArchive<T>(
  path: string,
  watcher: Watcher,
  work: (archive: ArchiveReader) => Promise<T>,
): Promise<T> {
  watcher.line('Checking the archive.');
  const archive = await ArchiveReader.open(path);
  try {
    return await work(archive);
  } finally {
    await archive.close();
  }
}

export async function restoreFrom(archive: ArchiveReader, target: RestoreTarget, watcher: Watcher): Promise<Manifest> {
  let isFilled = false;
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
        isFilled = true;
      },
    });
    return manifest;
  } catch (error) {
    // Once it is filled, the commit may have happened.
    const isWorded = error instanceof ArchiveError || error instanceof UndoneError;
    throw isFilled || isWorded ? error : nothingRestored(error);
  }
}

async function fill(client: PoolClient, archive: ArchiveReader, watcher: Watcher): Promise<void> {
  const schema = await tablesOf(client);
  const sequences = (await sequencesOf(client)).map(({ name }) => name);
  const fit = fitTo({ tables: schema, sequences }, archive.manifest);
  const tables = schema.map(({ name }) => quotedName(name));
  const keys = await foreignKeysOf(client);
  // What the migrations have put off.
  await client.query('set constraints all immediate');
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
  await client.query(`truncate ${tables.join(', ')}`);
  await makePartitions(client, fit.partitions);
  await load(client, archive, fit.tables, watcher);
  const setval = 'select setval($1::regclass, $2::bigint, $3::boolean)';
  for (const { name, last, isCalled } of fit.sequences)
    await client.query(setval, [quotedName(name), last, isCalled]).catch(databaseRefused(name));
  watcher.line('Triggers and foreign keys come back.');
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`).catch(databaseRefused(table));
  await addComingMonths(client);
  for (const line of fit.leftOut) watcher.line(line);
}

/** Those of the archive take the place of those that the migrations make for the months to come. */
async function makePartitions(client: PoolClient, partitions: Manifest['partitions']): Promise<void> {
  const hasDefault = partitions.some(isDefault);
  for (const made of await partitionsOf(client))
    if (hasDefault || !isDefault(made)) await client.query(`drop table ${quotedName(made.name)}`);
  for (const { name, parent, bound } of partitions) {
    const partition = `create table ${quotedName(name)} partition of ${quotedName(parent)}`;
    await client.query(`${partition} ${bound} with (${tidiedSoon})`).catch(databaseRefused(name));
  }
}

/** Those that an archive of months ago does not have. Partitions that people have made may lie across them. */
async function addComingMonths(client: PoolClient): Promise<void> {
  await client.query('savepoint months');
  await client.query('select add_change_partitions(2)').catch(() => client.query('rollback to savepoint months'));
  await client.query('release savepoint months');
}

const isDefault = ({ bound }: Manifest['partitions'][number]): boolean => bound === 'DEFAULT';

async function load(
  client: PoolClient,
  archive: ArchiveReader,
  tables: readonly FittedTable[],
  watcher: Watcher,
): Promise<void> {
  const total = tables.reduce((sum, { entry }) => sum + entry.rows, 0);
  let done = 0;
  for (const { entry, added } of tables.filter(({ entry }) => entry.rows > 0)) {
    watcher.update(entry.name, done, total);
    const act = added.length > 0 ? loadBeside(client, archive, { entry, added }) : loadTable(client, archive, entry);
    const rows = await act.catch(databaseRefused(entry.name));
    if (rows !== entry.rows) throw damaged(`${entry.name} has ${rows} rows instead of ${entry.rows}`);
    done += rows;
    watcher.line(`${entry.name}: ${rows} rows`);
  }
}

const listed = (columns: readonly string[]): string => columns.map(quotedName).join(', ');

function loadTable(client: PoolClient, archive: ArchiveReader, entry: TableEntry, into = entry.name): Promise<number> {
  return copyIn(client, `copy ${quotedName(into)} (${listed(entry.columns)}) from stdin`, archive.rows(entry));
}

/** By way of a table that has all columns of the archive, those that were added as texts. */
async function loadBeside(client: PoolClient, archive: ArchiveReader, { entry, added }: FittedTable): Promise<number> {
  const [table, whole] = [quotedName(entry.name), 'worktrack_rows'];
  const columns = listed(entry.columns.filter((column) => !added.includes(column)));
  await client.query(`create temp table ${whole} on commit drop as select ${columns} from ${table} with no data`);
  for (const column of added) await client.query(`alter table ${whole} add column ${quotedName(column)} text`);
  await loadTable(client, archive, entry, whole);
  const insert = `insert into ${table} (${columns}) overriding system value select ${columns} from ${whole}`;
  const { rowCount } = await client.query(insert);
  await client.query(`drop table ${whole}`);
  return rowCount ?? 0;
}
