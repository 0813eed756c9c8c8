/** Whoever ends `npm start` by a signal to npm alone ends the service with it: a shell between them does not pass the signal on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-npm-'));
afterAll(() => rmSync(directory, { recursive: true }));

it('ends with npm', { timeout: 60_000 }, async () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'stand-in', scripts }));
  mkdirSync(join(directory, 'bin'));
  // In place of the service: it runs until it gets the signal.
  const standIn = `process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1000); console.log('listens');`;
  writeFileSync(join(directory, 'bin/start.mjs'), standIn);
  const npm = spawn('npm', ['start'], { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(npm, 'close');
  let output = '';
  npm.stdout.on('data', (chunk) => {
    output += chunk;
    if (/^listens$/m.test(output)) npm.kill('SIGTERM');
  });
  // It closes once nobody holds its standard output any more.
  await closed;
  expect(output).toMatch(/^listens$/m);
});
