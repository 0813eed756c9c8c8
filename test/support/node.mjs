/**
 * Runs the tests on another version of Node: `npm run test:node -- 24 [files]`. Its binary comes from npm and is kept
 * apart from the packages of the project, which stay as they are.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installNode } from './other-node.mjs';

const [version, ...files] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version ?? '')) {
  process.stderr.write('Which version? For one: npm run test:node -- 24\n');
  process.exit(2);
}

const directory = mkdtempSync(join(tmpdir(), 'worktrack-node-'));
try {
  const binaries = installNode(version, directory);
  const node = join(binaries, 'node');
  process.stdout.write(`The tests run on Node ${execFileSync(node, ['--version'], { encoding: 'utf8' })}`);
  const env = { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH}` };
  process.exitCode = spawnSync(node, ['test/support/run.mjs', ...files], { stdio: 'inherit', env }).status ?? 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
