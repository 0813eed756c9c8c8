/** `npm start`: builds when a source is newer than the last build, then runs the service in this very process. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'dist/.built');

if (newestSource() > timeOf(stamp)) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, '');
}
await import(new URL('../dist/main.js', import.meta.url).href);

function newestSource() {
  const sources = readdirSync(join(root, 'src'), { recursive: true }).map((file) => join(root, 'src', file));
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'bin/join.mjs'];
  return Math.max(...[...sources, ...settings.map((file) => join(root, file))].map(timeOf));
}

function timeOf(file) {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
