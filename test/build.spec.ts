/** What a build leaves, however often it is made. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'worktrack-build-'));
afterAll(() => rmSync(copy, { recursive: true }));

it('the command is executable after each build, since a package manager makes it so once, and finds its SQL files', {
  timeout: 60_000,
}, () => {
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const name of ['bin', 'build', 'package.json', 'src/web/client', 'src/database/migrations'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  const main = join(copy, 'dist/cli/main.js');
  for (const time of ['first', 'second']) {
    execFileSync(process.execPath, ['bin/join.mjs'], { cwd: copy });
    expect([time, statSync(main).mode & 0o777]).toEqual([time, 0o755]);
  }
  const [made, spelled] = ['dist/migrations', 'src/database/migrations'].map((path) =>
    readdirSync(join(copy, path, '0.2')),
  );
  expect(made).toEqual(spelled);
  expect(execFileSync(main, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+/);
});
