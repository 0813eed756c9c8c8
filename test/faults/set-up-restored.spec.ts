/** A copy of the data directory is put back while the service stays up: writes go by the set-up that it has. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basic } from '../support/app.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { Service } from '../support/service.js';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-put-back-'));
const [data, copy] = [join(directory, 'data'), join(directory, 'copy')];
let postgres: OwnPostgres;
let service: Service;
let base: string;

beforeAll(async () => {
  postgres = await OwnPostgres.start(directory);
  service = Service.spawn({ DATABASE_URL: postgres.url, DB_POOL: '2', DEMO_DATA: 'true' });
  base = await service.address();
}, 120_000);
afterAll(async () => {
  service.kill('SIGTERM');
  await service.ended;
  await postgres.stop();
}, 120_000);

async function rows<T>(text: string): Promise<T[]> {
  const client = new pg.Client(postgres.url);
  await client.connect();
  const results = [await client.query(text)].flat();
  await client.end();
  return results.at(-1)!.rows;
}

const severityIs = (id: number) =>
  rows(`begin; update severity set is_default = false; update severity set is_default = true where id = ${id}; commit`);
const version = () => rows<{ sum: string }>('select sum(version) from set_up_version');

async function newBug(): Promise<{ status: number; severity: unknown }> {
  const answer = await fetch(`${base}/api/v1/Bugs?format=json&resultInclude=[Severity]`, {
    method: 'POST',
    headers: { authorization: basic('admin'), 'content-type': 'application/json' },
    body: JSON.stringify({ Name: 'by default', Project: { Id: project } }),
  });
  return { status: answer.status, severity: ((await answer.json()) as { Severity?: { Id: number } }).Severity?.Id };
}

let project: number;

it('F18: a default of the copy that counts as many changes', { timeout: 120_000 }, async () => {
  project = (
    await rows<{ id: number }>(
      `select g.id from general g join entity_type t on t.id = g.entity_type_id where t.name = 'Project' limit 1`,
    )
  )[0]!.id;
  await severityIs(5);
  expect(await newBug()).toEqual({ status: 201, severity: 5 });
  await postgres.end('SIGINT');
  // With the account that owns it.
  execFileSync('cp', ['-a', data, copy]);
  await postgres.begin();
  await severityIs(1);
  await expect.poll(newBug, { timeout: 30_000 }).toEqual({ status: 201, severity: 1 });
  const counted = await version();
  await postgres.end('SIGINT');
  rmSync(data, { recursive: true });
  renameSync(copy, data);
  await postgres.begin();
  await severityIs(2);
  expect(await version()).toEqual(counted);
  await expect.poll(async () => (await newBug()).status, { timeout: 30_000 }).toBe(201);
  expect(await newBug()).toEqual({ status: 201, severity: 2 });
});
