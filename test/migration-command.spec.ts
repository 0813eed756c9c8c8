/** What `npm run migration -- add` refuses, before it writes anything. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const migrations = () => readdirSync(join(root, 'src/database/migrations'), { recursive: true }).sort();
const usage = /^npm run migration -- add <Kind> \[--like/;

it.each<[string, RegExp]>([
  ['', usage],
  ['remove Bug', usage],
  ['add Hazard', /^No module serves an entity Hazard\.$/],
  ['add Bug --number 1', /^The number of a migration is above \d{13}\.$/],
  ['add Bug --like Task', usage],
  ['add Bug --like', usage],
  ['add Bug --after 1', usage],
])('%j', (options, refusal) => {
  const before = migrations();
  const args = ['bin/migration.mjs', ...options.split(' ').filter(Boolean)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect([status, stdout, stderr.trim()]).toEqual([2, '', expect.stringMatching(refusal)]);
  expect(migrations()).toEqual(before);
});
