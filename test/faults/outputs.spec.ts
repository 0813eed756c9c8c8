/** Those who take what the service says - its log, its metrics - are slow, stopped or gone: it goes on. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../src/runtime/free-port.js';
import { bareDatabase } from '../support/empty-database.js';
import { adminHeaders } from '../support/ledger.js';
import { Service, until } from '../support/service.js';

let DATABASE_URL: string;
let directory: string;
beforeAll(async () => {
  DATABASE_URL = await bareDatabase('without_readers');
  directory = mkdtempSync(join(tmpdir(), 'worktrack-outputs-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const statusOf = (base: string): Promise<number> =>
  fetch(`${base}/api/v1/Roles`, { headers: adminHeaders }).then(
    (answer) => answer.text().then(() => answer.status),
    () => 0,
  );

async function expectAnswers(base: string, count: number): Promise<void> {
  for (let round = 0; round < count / 20; round++)
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => statusOf(base))))).toEqual(new Set([200]));
}

/** A pipe of which this process holds the end that reads. */
async function startInto(name: string): Promise<{ service: Service; base: string; reader: number }> {
  const path = join(directory, name);
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, 'w');
  const port = await freePort('127.0.0.1');
  const service = Service.spawnInto(writer, { DATABASE_URL, PORT: String(port) });
  closeSync(writer);
  onTestFinished(() => service.kill('SIGKILL'));
  const base = `http://127.0.0.1:${port}`;
  await until(async () => (await statusOf(base)) === 200, 60);
  return { service, base, reader };
}

it('F23: a reader of the log that stops holds up no request', { timeout: 120_000 }, async () => {
  const { service, base, reader } = await startInto('stopped');
  // A line has more than 100 bytes, a pipe room for 64 KiB.
  await expectAnswers(base, 1500);
  // Whoever reads again is given what was kept.
  const room = Buffer.alloc(2 ** 16);
  let text = '';
  await until(() => {
    try {
      text += room.toString('utf8', 0, readSync(reader, room));
    } catch {
      // Nothing at the moment.
    }
    return (text.match(/"path":"\/api\/v1\/Roles"/g) ?? []).length >= 1500;
  });
  service.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
  closeSync(reader);
});

it('F23: a reader of the log that is gone ends nothing', { timeout: 120_000 }, async () => {
  const { service, base, reader } = await startInto('gone');
  closeSync(reader);
  await expectAnswers(base, 200);
  service.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
});

it('F23: those who ask for metrics and take none hold up nobody', { timeout: 120_000 }, async () => {
  const port = await freePort('127.0.0.1');
  const service = Service.spawn({ DATABASE_URL, METRICS_PORT: String(port) });
  onTestFinished(() => service.kill('SIGKILL'));
  const base = await service.address();
  const hanging = Array.from({ length: 50 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.pause();
    for (let at = 0; at < 20; at++) socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  });
  await expectAnswers(base, 200);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
  service.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
  for (const socket of hanging) socket.destroy();
});
