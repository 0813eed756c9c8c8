/**
 * Whoever ends `npm start` by a signal to npm alone ends the service with it, and the build before it: a shell between
 * them passes nothing on.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-npm-'));
afterAll(() => rmSync(directory, { recursive: true }));

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** A package with the scripts of ours, and a folder for what stands in for the service. */
function standIn(name: string, build: string): string {
  const place = join(directory, name);
  for (const folder of ['bin', 'src', 'dist']) mkdirSync(join(place, folder), { recursive: true });
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name, type: 'module', scripts: { ...scripts, build } }));
  return place;
}

/** Signals npm as soon as the line comes; ends once nobody holds its standard output any more. */
async function signalled(place: string, line: RegExp, signal: NodeJS.Signals): Promise<string> {
  const npm = spawn('npm', ['start'], { cwd: place, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(npm, 'close');
  let output = '';
  npm.stdout.on('data', (chunk) => {
    const isThere = line.test(output);
    output += chunk;
    if (!isThere && line.test(output)) npm.kill(signal);
  });
  await closed;
  return output;
}

it('ends with npm', { timeout: 60_000 }, async () => {
  const place = standIn('service', 'true');
  // In place of the service: it runs until it gets the signal.
  const service = `process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1000); console.log('listens');`;
  writeFileSync(join(place, 'bin/start.mjs'), service);
  expect(await signalled(place, /^listens$/m, 'SIGTERM')).toMatch(/^listens$/m);
});

it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('ends the build with npm by %s, and starts nothing behind it', {
  timeout: 60_000,
}, async (signal) => {
  // As ours is: several programs, one after the other, below a shell.
  const place = standIn(`build-${signal}`, 'node step.mjs && node step.mjs');
  writeFileSync(join(place, 'step.mjs'), `setInterval(() => {}, 1000); console.log('builds');`);
  writeFileSync(join(place, 'src/source.ts'), '');
  writeFileSync(join(place, 'dist/main.js'), `console.log('listens');`);
  copyFileSync(new URL('../../bin/start.mjs', import.meta.url), join(place, 'bin/start.mjs'));
  const output = await signalled(place, /^builds$/m, signal);
  expect(output.match(/^builds$/gm)).toHaveLength(1);
  expect(output).not.toContain('listens');
});

it('builds when a source is another one, whatever its time, or is gone', { timeout: 60_000 }, async () => {
  const place = standIn('built', 'node step.mjs');
  const [source, other] = [join(place, 'src/source.ts'), join(place, 'src/other.ts')];
  writeFileSync(join(place, 'step.mjs'), `console.log('builds');`);
  writeFileSync(join(place, 'dist/main.js'), `console.log('listens');`);
  copyFileSync(new URL('../../bin/start.mjs', import.meta.url), join(place, 'bin/start.mjs'));
  for (const file of [source, other]) writeFileSync(file, '');
  const builds = () => {
    const output = execFileSync('npm', ['start'], { cwd: place, encoding: 'utf8' });
    expect(output).toMatch(/^listens$/m);
    return /^builds$/m.test(output);
  };
  expect([builds(), builds()]).toEqual([true, false]);
  // As an archive unpacks it.
  writeFileSync(source, 'another');
  utimesSync(source, new Date(0), new Date(0));
  expect([builds(), builds()]).toEqual([true, false]);
  rmSync(other);
  expect([builds(), builds()]).toEqual([true, false]);
});
