/**
 * Where too few files may be open, the start ends with one line that says so; where they run out later, the service
 * says so and goes on.
 */
import { execFile } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { bareDatabase, emptyDatabase } from '../support/empty-database.js';
import { Service, until } from '../support/service.js';

const script = join(dirname(fileURLToPath(import.meta.url)), '../../dist/main.js');

/**
 * Amid the 31 to 45 that let Node begin and are too few for the service: a module or two more change nothing. Newer
 * versions of Node load modules one after another, and so need fewer.
 */
const tooFew = Number(process.versions.node.split('.')[0]) < 22 ? 38 : 22;

it('says that too few files may be open', { timeout: 60_000 }, async () => {
  const DATABASE_URL = await emptyDatabase('few_descriptors');
  const env = { PATH: process.env.PATH, PORT: '0', DATABASE_URL };
  const run = new Promise<string>((resolve) => {
    execFile(
      '/bin/sh',
      ['-c', `ulimit -n ${tooFew}; exec "$0" "$1"`, process.execPath, script],
      { env, timeout: 40_000 },
      (error, _, stderr) => resolve(`${error?.code}: ${stderr}`),
    );
  });
  expect(await run).toBe(
    '1: worktrack: Too few files may be open at once: raise the limit, for example with "ulimit -n 4096" or LimitNOFILE of systemd.\n',
  );
});

it('F24: says so when they run out later, and goes on', { timeout: 120_000 }, async () => {
  const DATABASE_URL = await bareDatabase('descriptors_run_out');
  const limited = ['/bin/sh', '-c', 'ulimit -n 300; exec "$@"', 'sh'];
  const service = Service.spawnBy(limited, { DATABASE_URL, DB_POOL: '2' });
  const base = new URL(await service.address());
  const connections: Socket[] = [];
  const open = (): Socket => connect(Number(base.port), base.hostname).on('error', () => undefined);
  const headers = { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };
  const ask = async (path: string, body?: unknown): Promise<number> => {
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const answer = await fetch(base.href + path, {
      ...sent,
      headers: { ...headers, 'content-type': 'application/json' },
    });
    await answer.text();
    return answer.status;
  };
  await until(() => {
    // Those that ask nothing are closed for new ones.
    connections.push(...Array.from({ length: connections.length === 0 ? 500 : 10 }, open));
    return /Too few files may be open at once/.test(service.output);
  });
  // What is loaded at its first use can be, too.
  const version = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'few', version: '1' } };
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: version };
  expect([await ask('api/v1/Roles'), await ask('mcp', initialize)]).toEqual([200, 200]);
  for (const connection of connections) connection.destroy();
  await service.says(/Files and connections can be opened again/);
  expect([await ask('api/v1/Roles'), await ask('mcp', initialize)]).toEqual([200, 200]);
  service.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
});
