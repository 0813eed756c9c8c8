/** The servers as processes of their own: the built service as a user starts it, those by hand, and the stock one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { schemaOf } from './schemas.mjs';

const pool = '8';

const service = new URL('../dist/main.js', import.meta.url);

export const startService = (url, ending, env = {}) =>
  start('service', service, { DATABASE_URL: url, DB_POOL: pool, ...env }, ending);

/** The same service on another version of Node. */
export const startOnNode = (executable, url, ending) =>
  start('node', service, { DATABASE_URL: url, DB_POOL: pool }, ending, { executable });

/**
 * A service that asks who asks, and the same process again, which does not when told so: of the modules before they are
 * joined, since what was joined cannot be reached.
 */
export async function startUnchecked(url, ending) {
  const preload = new URL('unchecked.mjs', import.meta.url);
  const apart = new URL('../build/main.js', import.meta.url);
  const checked = await start('checked', apart, { DATABASE_URL: url, DB_POOL: pool }, ending, { preload });
  return [checked, { ...checked, name: 'unchecked' }];
}

/** `name` is limit, bare or same. */
export const startByHand = (name, url, ending) =>
  start(
    name,
    new URL('hand-server.mjs', import.meta.url),
    { HAND_SERVER: name, HAND_DATABASE_URL: url, HAND_POOL: pool },
    ending,
  );

export const startStock = (url, schema, ending) =>
  start(
    'stock',
    new URL('stock-server.mjs', import.meta.url),
    { STOCK_DATABASE_URL: url, STOCK_POOL: pool, STOCK_SCHEMA: schema, NODE_ENV: 'production' },
    ending,
  );

/** `home` is the folder that it is installed in. */
export const startPostGraphile = (url, schema, home, ending) =>
  start(
    'postgraphile',
    new URL('postgraphile-server.mjs', import.meta.url),
    { PEER_DATABASE_URL: url, PEER_POOL: pool, PEER_SCHEMA: schema, PEER_HOME: home, NODE_ENV: 'production' },
    ending,
  );

/** All take any free port and say where they listen. */
async function start(name, script, env, ending, { preload, executable = process.execPath } = {}) {
  const { PATH, HOME } = process.env;
  const child = spawn(
    executable,
    // As `npm start` and the image start the service, for all servers.
    ['--max-semi-space-size=16', '--v8-pool-size=1']
      .concat(
        [new URL('child.mjs', import.meta.url), ...(preload ? [preload] : [])].flatMap(({ href }) => [
          '--import',
          href,
        ]),
      )
      .concat(fileURLToPath(script)),
    {
      env: { PATH, HOME, PORT: '0', DRAIN_SECONDS: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const ended = once(child, 'exit');
  ending.push(() => stop(child, ended));
  const output = collect(child);
  const base = await listening(child, output);
  if (!base) throw new Error(`The ${name} server did not start: ${output.text}`);
  return { name, schema: schemaOf(name), base, pid: child.pid, use: () => ask(child) };
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

/** Where it says that it listens; nothing when it ends instead. */
function listening(child, output) {
  return new Promise((resolve) => {
    setTimeout(resolve, 60_000).unref();
    const look = () => {
      const match = /listens on (http:\/\/[^\s/]+?)\.?\s/.exec(output.text);
      if (match || child.exitCode !== null) resolve(match?.[1]);
    };
    child.stdout.on('data', look);
    child.once('exit', look);
    look();
  });
}

/**
 * Memory, processor time so far, and since it was last asked the longest stall and the longest that it computed without
 * a turn.
 */
async function ask(child) {
  if (!child.connected) throw new Error('A server has ended.');
  const answer = once(child, 'message');
  child.send('use');
  const [{ cpu, ...used }] = await answer;
  return { ...used, cpuMs: (cpu.user + cpu.system) / 1000 };
}

async function stop(child, ended) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(late);
}
