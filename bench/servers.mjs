/** The servers as processes of their own: the built service as a user starts it, the limit server, and the stock one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const pool = '8';

export const startService = (url, ending) =>
  start('service', new URL('../dist/main.js', import.meta.url), { DATABASE_URL: url, DB_POOL: pool }, ending);

export const startLimit = (url, totals, ending) =>
  start(
    'limit',
    new URL('limit-server.mjs', import.meta.url),
    { LIMIT_DATABASE_URL: url, LIMIT_POOL: pool, LIMIT_TOTALS: totals },
    ending,
  );

export const startStock = (url, ending) =>
  start(
    'stock',
    new URL('stock-server.mjs', import.meta.url),
    { STOCK_DATABASE_URL: url, STOCK_POOL: pool, NODE_ENV: 'production' },
    ending,
  );

/** All take any free port and say where they listen. */
async function start(name, script, env, ending) {
  const { PATH, HOME } = process.env;
  const child = spawn(
    process.execPath,
    ['--import', new URL('child.mjs', import.meta.url).href, fileURLToPath(script)],
    {
      env: { PATH, HOME, PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const ended = once(child, 'exit');
  ending.push(() => stop(child, ended));
  const output = collect(child);
  const base = await listening(child, output);
  if (!base) throw new Error(`The ${name} server did not start: ${output.text}`);
  return { name, base, use: () => ask(child) };
}

/** The last of what it said is kept, for when something goes wrong. */
function collect(child) {
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output.text = (output.text + chunk).slice(-20_000);
    });
  }
  return output;
}

/** Nothing when it ends instead. */
async function listening(child, output) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline && child.exitCode === null; ) {
    const found = /listens on (http:\/\/[^\s/]+?)\.?\s/.exec(output.text);
    if (found) return found[1];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return undefined;
}

/** Memory, processor time so far, and the longest stall since it was last asked. */
async function ask(child) {
  if (!child.connected) throw new Error('A server has ended.');
  const answer = once(child, 'message');
  child.send('use');
  const [{ rss, cpu, stallMs }] = await answer;
  return { rss, stallMs, cpuMs: (cpu.user + cpu.system) / 1000 };
}

async function stop(child, ended) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(late);
}
