/** TypeORM's own command line on `ormconfig.ts`: what the service migrates, it sees as migrated. */
import { execFile } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrations } from '../../src/database/migrations/migrations.js';
import { ScratchDatabase } from '../support/scratch-database.js';

/** `BASE_URL` is one of Vite's own. */
const { BASE_URL: _, DATABASE_URL: __, ...inherited } = process.env;

let database: ScratchDatabase;
beforeAll(async () => {
  database = await ScratchDatabase.create();
});
afterAll(() => database.drop());

it('npm run typeorm -- migration:show', { timeout: 120_000 }, async () => {
  const env = { ...inherited, DATABASE_URL: database.url };
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'typeorm', '--', 'migration:show'], { env });
  const shown = [...stripVTControlCharacters(stdout).matchAll(/^\[(.)\] (?:\d+ )?(\w+)/gm)].map(
    ([, isDone, name]) => `${isDone} ${name}`,
  );
  expect(shown).toEqual(migrations.map(({ name }) => `X ${name}`));
});

it('says how to go on where there is no database', { timeout: 120_000 }, async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'worktrack-orm-'));
  const run = promisify(execFile)('npm', ['run', '--silent', 'typeorm', '--', 'migration:show'], {
    env: { ...inherited, DATA_DIR },
  });
  await expect(run).rejects.toMatchObject({
    stderr: expect.stringContaining(`No database runs in ${DATA_DIR}: start the service, or set DATABASE_URL.`),
  });
  await rmdir(DATA_DIR);
});
