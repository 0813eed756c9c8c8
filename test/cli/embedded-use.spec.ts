/** Commands that share an embedded database which no service runs: whichever starts it ends it behind the others. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withDatabase } from '../../src/cli/with-database.js';
import { command } from '../support/command.js';
import { eventually } from '../support/eventually.js';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'worktrack-shared-'));
// The account that PostgreSQL runs under must reach it.
chmodSync(DATA_DIR, 0o711);
beforeAll(async () => {
  expect(await command({ DATA_DIR }, ['migrate'])).toMatchObject({ code: 0 });
}, 120_000);
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

/** A command that is at work until it is told to go on. */
async function working(statement = 'select 1') {
  let goOn!: () => void;
  const told = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let ended!: Promise<void>;
  const url = await new Promise<string>((resolve, reject) => {
    ended = withDatabase({ DATA_DIR }, async ({ databaseUrl }) => {
      resolve(databaseUrl!);
      await told;
      const client = new pg.Client(databaseUrl);
      await client.connect();
      await client.query(statement).finally(() => client.end());
    });
    ended.catch(reject);
  });
  return { url, ended, goOn };
}

it('the one that started it waits for those that came later', { timeout: 60_000 }, async () => {
  const first = await working();
  // Waits for all statements that others have begun before.
  const second = await working('create index concurrently ix_shared on tag (id)');
  const third = await working();
  expect([second.url, third.url]).toEqual([first.url, first.url]);
  const observer = new pg.Client(first.url);
  await observer.connect();
  first.goOn();
  await eventually(async () => {
    const { rows } = await observer.query(`select from pg_stat_activity where query like '%try_advisory_lock(%'`);
    expect(rows).toHaveLength(2);
  });
  await observer.end();
  second.goOn();
  third.goOn();
  await Promise.all([first.ended, second.ended, third.ended]);
  await expect(new pg.Client(first.url).connect()).rejects.toThrow();
});

it('three that start at once all do what they are to do', { timeout: 120_000 }, async () => {
  const check = () => command({ DATA_DIR }, ['migrate', '--check']);
  for (const { code, stderr } of await Promise.all([check(), check(), check()]))
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('worktrack:')]);
});
