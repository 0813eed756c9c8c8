/** What the benchmark does apart from measuring. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, it } from 'vitest';
import { timesOfExpressions } from '../bench/expressions.mjs';
import { executionOf } from '../bench/statements.mjs';
import { ScratchDatabase } from './support/scratch-database.js';

it('expressions of version 2 are compiled, and texts of no sense at least refused', () => {
  expect(timesOfExpressions(200).filter(({ value }: { value: number }) => !(value > 0))).toEqual([]);
});

it('statements of the service are run by PostgreSQL alone', async () => {
  const database = await ScratchDatabase.create();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { ms, nodes } = await executionOf(client, 'UserStory', "include=[Name]&where=Name contains 'zq'&skip=1");
    expect(ms).toBeGreaterThan(0);
    expect(nodes.length).toBeGreaterThan(1);
  } finally {
    await client.end();
    await database.drop();
  }
});

it('a run measures the service beside a request without a check, and beside bare rows', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'worktrack-bench-'));
  try {
    const report = join(directory, 'report.md');
    const options = '--no-build --no-stock --generals 1000 --clients 1 --rounds 1 --seconds 1 --warmup 1'.split(' ');
    const args = ['bench/run.mjs', 'basic', 'create-one', ...options, '--report', report];
    await promisify(execFile)(process.execPath, args, { timeout: 290_000 });
    const rows = (await readFile(report, 'utf8')).split('\n').filter((line) => /^\| (basic|create-one) \|/.test(line));
    expect(rows.map((line) => line.split(' | ').slice(0, 3))).toEqual([
      ['| basic', '1', 'requests'],
      ['| create-one', '1', 'requests'],
    ]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}, 300_000);
