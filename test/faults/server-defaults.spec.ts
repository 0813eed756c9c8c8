/** A server, a database or a role may have defaults that mean something else by the same statement, or end it early. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { command } from '../support/command.js';
import { createDatabase, templateName, urlOf } from '../support/database.js';
import { PgBouncer, pgbouncerPath, pgbouncerVersion } from '../support/pgbouncer.js';
import { Service } from '../support/service.js';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function run(url: string, ...statements: string[]): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let result!: pg.QueryResult;
    for (const statement of statements) result = await client.query(statement);
    return result;
  } finally {
    await client.end();
  }
}

/** A database that connects with such defaults. */
async function databaseWith(defaults: Record<string, string>, template: string): Promise<string> {
  const name = `defaults_${randomBytes(6).toString('hex')}`;
  const server = inject('databaseUrl');
  await createDatabase(server, name, template);
  stops.push(() => run(server, `drop database ${name} with (force)`));
  await run(server, ...Object.entries(defaults).map((each) => `alter database ${name} set ${each.join(' = ')}`));
  return urlOf(server, name);
}

async function pooled(url: string): Promise<string> {
  const pooler = await PgBouncer.to(url, { pool_mode: 'transaction' });
  stops.push(() => pooler.stop());
  return pooler.url;
}

async function addressOf(env: Record<string, string>): Promise<string> {
  const service = Service.spawn(env);
  stops.push(() => {
    service.kill('SIGINT');
    return service.ended;
  });
  return service.address();
}

const headers = { authorization: `Basic ${btoa('admin:admin')}`, 'content-type': 'application/json' };

const otherwise = {
  default_transaction_isolation: "'repeatable read'",
  array_nulls: 'off',
  transform_null_equals: 'on',
  gin_fuzzy_search_limit: '1',
};

const ways: readonly [string, boolean, (url: string) => Promise<string>][] = [
  ['directly', true, async (url) => url],
  [`through ${pgbouncerVersion}`, pgbouncerPath !== undefined, pooled],
];

describe.each(ways)('defaults that give statements another meaning, %s', (_, isThere, reach) => {
  it.runIf(isThere)('have no part in what is found and written', { timeout: 120_000 }, async () => {
    const url = await databaseWith(otherwise, templateName);
    await run(
      url,
      'create table seen (isolation text)',
      `create function see() returns trigger language plpgsql as $$ begin
         insert into seen values (current_setting('transaction_isolation')); return null; end $$`,
      'create trigger see after insert on general for each statement execute function see()',
    );
    const address = await addressOf({ DATABASE_URL: await reach(url) });
    const plain = await addressOf({ DATABASE_URL: await databaseWith({}, templateName) });
    const found = async (at: string): Promise<unknown> => {
      const answer = await fetch(`${at}/api/v1/Search?q=links&format=json&take=1000`, { headers });
      const { Items } = (await answer.json()) as { Items?: { Id: number }[] };
      return [answer.status, Items?.map(({ Id }) => Id).sort()];
    };
    expect(await found(address)).toEqual(await found(plain));

    const body = JSON.stringify({ Name: 'Read what is there', Project: { Id: 8 } });
    const made = await fetch(`${address}/api/v1/UserStories?format=json`, { method: 'POST', headers, body });
    expect(made.status).toBe(201);
    expect((await run(url, 'select distinct isolation from seen')).rows).toEqual([{ isolation: 'read committed' }]);
  });
});

describe('a database that is not encoded as UTF8', () => {
  it.each([
    ['LATIN1', ['migrate']],
    ['SQL_ASCII', ['seed']],
  ])('%s is refused in one line by %j', { timeout: 60_000 }, async (encoding, args) => {
    const server = inject('databaseUrl');
    const name = `encoded_${randomBytes(6).toString('hex')}`;
    await run(
      server,
      `create database ${name} template template0 encoding '${encoding}' locale_provider libc locale 'C'`,
    );
    stops.push(() => run(server, `drop database ${name} with (force)`));
    const { code, stderr } = await command({ DATABASE_URL: urlOf(server, name) }, args);
    const why = `The schema cannot be made: The database is encoded as ${encoding}, not as UTF8.`;
    expect([code, stderr]).toEqual([1, `worktrack: ${why}\n`]);
  });
});
