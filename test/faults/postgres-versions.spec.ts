/**
 * The service, its archives and PostgreSQL's own dumps on every version of PostgreSQL that is there: from npm, or from
 * Debian.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command } from '../support/command.js';
import { urlOf } from '../support/database.js';
import { binariesOf, OlderPostgres } from '../support/older-postgres.js';
import { ScratchDatabase } from '../support/scratch-database.js';
import { Service } from '../support/service.js';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-versions-'));
const archive = join(directory, 'source.tar');
let source: ScratchDatabase;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  source = await ScratchDatabase.create();
  expect(await command({ DATABASE_URL: source.url }, ['backup', archive])).toMatchObject({ code: 0 });
}, 120_000);
afterAll(async () => {
  for (const stop of stops) await stop();
  await source.drop();
  rmSync(directory, { recursive: true });
});

async function rows(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
}

const sums = `select entity_type_id, count(*)::int, sum(hashtext(g::text)) from general g group by 1 order by 1`;

async function on(major: string): Promise<OlderPostgres | undefined> {
  const binaries = await binariesOf(major);
  if (!binaries) return undefined;
  const server = await OlderPostgres.make(binaries);
  stops.push(() => server.remove());
  return server;
}

async function empty(server: OlderPostgres, name: string): Promise<string> {
  await rows(server.url, `create database ${name}`);
  return urlOf(server.url, name);
}

/** One answer to a rich question, and a write. */
async function use(url: string): Promise<unknown> {
  const service = Service.spawn({ DATABASE_URL: url });
  const base = await service.address();
  const headers = {
    authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}`,
    'content-type': 'application/json',
  };
  const query = `where=(Name contains 'a')&include=[Name,Effort,Project[Name],Tasks[Name]]&append=[Bugs-Count]&take=20&format=json`;
  const { Items } = (await (await fetch(`${base}/api/v1/UserStories?${query}`, { headers })).json()) as {
    Items: object[];
  };
  const body = JSON.stringify({ Name: 'written' });
  const written = await fetch(`${base}/api/v1/Projects?format=json`, { method: 'POST', headers, body });
  service.kill('SIGTERM');
  expect([written.status, (await service.ended).code]).toEqual([201, 0]);
  return Items;
}

describe.each(['15', '16', '17', '18'])('PostgreSQL %s', (major) => {
  it('is served, takes an archive of another version, and gives one to it', { timeout: 300_000 }, async ({ skip }) => {
    const server = await on(major);
    if (!server) return skip(`PostgreSQL ${major} is not here and cannot be fetched`);
    const url = await empty(server, 'taken');
    expect(await command({ DATABASE_URL: url }, ['restore', archive])).toMatchObject({ code: 0 });
    expect(await rows(url, sums)).toEqual(await rows(source.url, sums));

    expect(await use(url)).toHaveLength(20);
    expect(await command({ DATABASE_URL: url }, ['doctor'])).toMatchObject({ code: 0 });
    const own = join(directory, `${major}.tar`);
    expect(await command({ DATABASE_URL: url }, ['backup', own])).toMatchObject({ code: 0 });
    const back = await ScratchDatabase.empty();
    expect(await command({ DATABASE_URL: back.url }, ['restore', own])).toMatchObject({ code: 0 });
    expect(await rows(back.url, sums)).toEqual(await rows(url, sums));
    await back.drop();
  });
});

const tools = '/usr/lib/postgresql/15/bin';

describe.skipIf(!existsSync(join(tools, 'pg_dump')))('pg_dump and pg_restore of PostgreSQL 15', () => {
  it('bring everything back', { timeout: 300_000 }, async ({ skip }) => {
    const server = await on('15');
    if (!server) return skip('there is no server of PostgreSQL 15');
    const [from, to] = [await empty(server, 'dumped'), await empty(server, 'restored')];
    expect(await command({ DATABASE_URL: from }, ['restore', archive])).toMatchObject({ code: 0 });
    const dump = join(directory, 'worktrack.dump');
    execFileSync(join(tools, 'pg_dump'), ['--format=custom', '--no-owner', `--file=${dump}`, from]);
    execFileSync(join(tools, 'pg_restore'), ['--no-owner', '--exit-on-error', '--dbname', to, dump]);
    expect(await rows(to, sums)).toEqual(await rows(from, sums));
    expect(await use(to)).toHaveLength(20);
    expect(await command({ DATABASE_URL: to }, ['doctor'])).toMatchObject({ code: 0 });
  });
});
