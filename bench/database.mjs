/** The database to measure on: an embedded one of the run's own that is thrown away, or that of BENCH_DATABASE_URL. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import pg from 'pg';

/** Opens, migrates and fills it. `ending` takes what has to be undone. */
export async function openDatabase(options, ending, say, given = process.env.BENCH_DATABASE_URL) {
  const { generals } = options;
  const url = given || (await embedded(options, ending));
  const { loadConfig } = await import('../build/config/config.js');
  const { columnTypes } = await import('../build/database/column-types.js');
  const { prepareDatabase } = await import('../build/database/prepare.js');
  await prepareDatabase(loadConfig({ DATABASE_URL: url, DEMO_DATA: 'true' }));
  const client = new pg.Client({ connectionString: url, types: columnTypes });
  // Whoever asks next is told; a run that is being ended asks no more.
  client.on('error', () => {});
  await client.connect();
  ending.push(() => client.end());
  await fill(client, generals, say);
  if (options.isOfStatements) await client.query('create extension if not exists pg_stat_statements');
  return { url, client };
}

async function embedded({ durable, isOfStatements }, ending) {
  const { startEmbedded } = await import('../build/database/embedded/embedded.js');
  const directory = mkdtempSync(join(tmpdir(), 'worktrack-bench-'));
  // Run by root, PostgreSQL is of another account, which has to get in.
  chmodSync(directory, 0o711);
  ending.push(() => remove(directory));
  const startOptions = { dataDirectory: join(directory, 'data'), throwaway: !durable };
  const starting = isOfStatements ? startWithCounts(startEmbedded, startOptions) : startEmbedded(startOptions);
  // Before it is up: its directory must not be removed under it.
  ending.push(async () => (await starting.catch(() => undefined))?.stop());
  return (await starting).url;
}

/** Started a second time, with the library that counts statements, and those within others, and their plans. */
async function startWithCounts(startEmbedded, options) {
  const first = await startEmbedded(options);
  const client = new pg.Client({ connectionString: first.url });
  try {
    await client.connect();
    await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
    await client.query("alter system set pg_stat_statements.track = 'all'");
    await client.query('alter system set pg_stat_statements.track_planning = on');
  } finally {
    await client.end();
    await first.stop();
  }
  return await startEmbedded(options);
}

/** Where that account could not get in, a file tells where the data is instead. */
function remove(directory) {
  const pointer = join(directory, 'data', 'LOCATION');
  const elsewhere = existsSync(pointer) ? readFileSync(pointer, 'utf8').split('\n')[0] : '';
  for (const path of [elsewhere, directory]) if (path) rmSync(path, { recursive: true, force: true });
}

async function fill(client, generals, say) {
  const { seedBulk } = await import('../build/database/seeds/bulk.js');
  const { rows } = await client.query(
    "select count(*)::int as found from general where project_id in (select id from general where name like 'Bulk project %')",
  );
  // A database that is kept between runs is filled once.
  if (rows[0].found < generals * 0.9) await seedBulk(client, { generals, onProgress: (line) => say(`  ${line}`) });
}

/** Does now what the database would otherwise start by itself in the middle of a measurement. */
export async function tidy(client) {
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');
}

export async function describeDatabase(client) {
  const names = ['server_version', 'shared_buffers', 'fsync', 'synchronous_commit'];
  const settings = [];
  for (const name of names) {
    const { rows } = await client.query(`show ${name}`);
    settings.push(`${name} ${rows[0][name]}`);
  }
  const { rows } = await client.query('select count(*)::int as generals from general');
  return `PostgreSQL ${settings.join(', ')}; ${rows[0].generals} Generals at first`.replace(' server_version', '');
}
