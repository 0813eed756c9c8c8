/** `npm start`: builds when the sources are not those of the last build, then runs the service in this very process. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'dist/.built');
const passed = ['SIGTERM', 'SIGINT', 'SIGHUP'];

const sources = stateOfSources();
if (sources !== lastBuilt()) {
  await build();
  writeFileSync(stamp, sources);
}
await import(new URL('../dist/main.js', import.meta.url).href);

/** A signal that comes meanwhile ends the whole group of processes that build, and then this one. */
async function build() {
  const building = spawn('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit', detached: true });
  let received;
  const pass = (signal) => {
    received ??= signal;
    try {
      process.kill(-building.pid, signal);
    } catch {
      // It has just ended, or did not begin.
    }
  };
  for (const signal of passed) process.on(signal, pass);
  const status = await new Promise((resolve) => building.once('exit', resolve).once('error', () => resolve(1)));
  for (const signal of passed) process.off(signal, pass);
  if (received) process.exit(128 + constants.signals[received]);
  if (status !== 0) process.exit(status ?? 1);
}

/** Names and contents: an archive unpacks files that are older than the last build, or loses parts of their times. */
function stateOfSources() {
  const sources = readdirSync(join(root, 'src'), { recursive: true }).map((file) => join('src', file));
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'bin/join.mjs'];
  const state = createHash('sha256');
  for (const file of [...sources.sort(), ...settings]) {
    const entry = statSync(join(root, file), { throwIfNoEntry: false });
    if (entry?.isFile()) state.update(`${file} ${entry.size}\n`).update(readFileSync(join(root, file)));
  }
  return state.digest('hex');
}

function lastBuilt() {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return undefined;
  }
}
