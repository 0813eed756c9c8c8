/**
 * A role that may make tables, but no extensions: the schema is made all the same, and parts of names are found without
 * their index.
 */
import { randomBytes } from 'node:crypto';
import 'reflect-metadata';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { loadConfig } from '../../src/config/config.js';
import { prepareDatabase } from '../../src/database/prepare.js';
import { TestApp } from '../support/app.js';
import { urlOf } from '../support/database.js';

const name = `limited_${randomBytes(6).toString('hex')}`;
let limited: string;

async function on(url: string, ...statements: string[]): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  let result!: pg.QueryResult;
  for (const statement of statements) result = await client.query(statement);
  await client.end();
  return result;
}

beforeAll(async () => {
  const server = inject('databaseUrl');
  await on(server, `create role ${name} login password '${name}'`, `create database ${name}`);
  await on(urlOf(server, name), `grant usage, create on schema public to ${name}`);
  const url = new URL(urlOf(server, name));
  [url.username, url.password] = [name, name];
  limited = url.href;
});

afterAll(async () => {
  await on(inject('databaseUrl'), `drop database ${name} with (force)`, `drop role ${name}`);
});

it('makes the schema, without trigrams', async () => {
  await prepareDatabase(loadConfig({ DATABASE_URL: limited, DEMO_DATA: 'true' }));
  const { rows } = await on(
    limited,
    "select count(*)::int as found from pg_indexes where indexname = 'ix_general_name_parts'",
  );
  expect(rows[0].found).toBe(0);
});

it('has the index where the role may make the extension', async () => {
  const app = await TestApp.start();
  try {
    const rows = await app.rows("select 1 from pg_indexes where indexname = 'ix_general_name_parts'");
    expect(rows).toHaveLength(1);
    const { text } = await app.ask("/api/v1/Projects?format=json&include=[Name]&where=Name contains 'care'");
    expect(JSON.parse(text).Items).toEqual([expect.objectContaining({ Name: 'Customer Care' })]);
  } finally {
    await app.stop();
  }
});
