/** TypeORM's own command line on `ormconfig.ts`: what the service migrates, it sees as migrated. */
import { execFile } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrations } from '../../src/database/migrations/migrations.js';
import { ScratchDatabase } from '../support/scratch-database.js';

let database: ScratchDatabase;
beforeAll(async () => {
  database = await ScratchDatabase.create();
});
afterAll(() => database.drop());

it('npm run typeorm -- migration:show', { timeout: 120_000 }, async () => {
  const env = { ...process.env, DATABASE_URL: database.url };
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'typeorm', '--', 'migration:show'], { env });
  const shown = [...stripVTControlCharacters(stdout).matchAll(/^\[(.)\] (?:\d+ )?(\w+)/gm)].map(
    ([, isDone, name]) => `${isDone} ${name}`,
  );
  expect(shown).toEqual(migrations.map(({ name }) => `X ${name}`));
});
