/** How the service ends: balancers learn of it first, what runs is finished, and nobody can hold it. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/server/free-port.js';
import { lockWaiters } from '../support/connections.js';
import { bareDatabase } from '../support/empty-database.js';
import { Service, until } from '../support/service.js';

const headers = { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };
const orderly = { code: 0, signal: null };

let DATABASE_URL: string;
let service: Service;

beforeAll(async () => {
  DATABASE_URL = await bareDatabase('drained');
});
afterEach(async () => {
  service.kill('SIGKILL');
  await service.ended;
});

const roles = (address: string): Promise<Response> => fetch(`${address}/api/v1/Roles?format=json`, { headers });
const readiness = async (address: string): Promise<number> => (await fetch(`${address}/health/ready`)).status;

describe.each(['1', '2'])('with WORKERS=%s', (WORKERS) => {
  async function draining(): Promise<string> {
    service = Service.spawn({ DATABASE_URL, WORKERS, DRAIN_SECONDS: '600' });
    const address = await service.address();
    expect(await readiness(address)).toBe(200);
    expect((await roles(address)).headers.get('connection')).toBe('keep-alive');
    service.kill('SIGTERM');
    await until(async () => (await readiness(address)) === 503);
    return address;
  }

  it('F15: serves on when it is told to end, not being ready, until it is told once more', {
    timeout: 60_000,
  }, async () => {
    const address = await draining();
    const closing = async () => {
      const { status, headers: sent } = await roles(address);
      return [status, sent.get('connection')].join(' ');
    };
    // All processes are told, one after the other.
    await until(async () => (await Promise.all([closing(), closing()])).every((one) => one === '200 close'));
    expect(await readiness(address)).toBe(503);
    expect((await fetch(`${address}/health/live`)).status).toBe(200);
    service.kill('SIGTERM');
    expect(await service.ended).toEqual(orderly);
  });

  it('ends at once when a person interrupts it', { timeout: 60_000 }, async () => {
    await draining();
    service.kill('SIGINT');
    expect(await service.ended).toEqual(orderly);
  });

  it('ends by itself when it was drained, and finishes what runs', { timeout: 60_000 }, async () => {
    service = Service.spawn({ DATABASE_URL, WORKERS, DRAIN_SECONDS: '5', STATEMENT_TIMEOUT: '60' });
    const address = await service.address();
    const blocker = new pg.Client(DATABASE_URL);
    await blocker.connect();
    await blocker.query('begin; lock table role in access exclusive mode');
    const slow = roles(address);
    await lockWaiters(blocker);
    service.kill('SIGTERM');
    await until(async () => (await readiness(address)) === 503);
    await blocker.query('commit');
    await blocker.end();
    expect((await slow).status).toBe(200);
    expect(await service.ended).toEqual(orderly);
  });

  it('F15, F23: ends though nobody reads what it says', { timeout: 120_000 }, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'worktrack-unread-'));
    const path = join(directory, 'output');
    execFileSync('mkfifo', [path]);
    const unread = openSync(path, 'r+');
    const port = await freePort('127.0.0.1');
    service = Service.spawnInto(unread, { DATABASE_URL, WORKERS, PORT: String(port) });
    const address = `http://127.0.0.1:${port}`;
    await until(() => readiness(address).catch(() => 0), 60);
    // A line has more than 100 bytes, a pipe room for 64 KiB.
    for (let round = 0; round < 100; round += 1)
      await Promise.all(Array.from({ length: 20 }, () => fetch(`${address}/health/live`).then((one) => one.text())));
    service.kill('SIGTERM');
    expect(await service.ended).toEqual(orderly);
    closeSync(unread);
    rmSync(directory, { recursive: true });
  });
});

describe('is not held by a client', () => {
  let address: string;
  let stuck: Socket | undefined;
  const ask = (request: string): Promise<void> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(address);
      const socket = connect(Number(port), hostname, () => socket.write(request, () => resolve()));
      socket.on('error', () => undefined);
      stuck = socket;
    });
  const started = async (env: Record<string, string> = {}) => {
    service = Service.spawn({ DATABASE_URL, ...env });
    address = await service.address();
  };
  afterEach(() => void stuck?.destroy());

  it('that sends half of a body', { timeout: 60_000 }, async () => {
    await started();
    await ask(
      `POST /api/v1/Tags HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"Name":`,
    );
    await roles(address);
    service.kill('SIGTERM');
    expect(await service.ended).toEqual(orderly);
  });

  it.each([
    ['anybody', 'POST /api/login/validate HTTP/1.1\r\nHost: x\r\n'],
    ['a caller', `POST /api/v1/Tags HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n`],
  ])('that sends a body little by little: %s', { timeout: 60_000 }, async (_, head) => {
    await started();
    await ask(`${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`);
    const sending = setInterval(() => stuck!.write('1\r\n \r\n'), 200);
    stuck!.once('close', () => clearInterval(sending));
    await roles(address);
    service.kill('SIGTERM');
    expect(await service.ended).toEqual(orderly);
  });

  it('that a list is sent to whose next part takes long', { timeout: 60_000 }, async () => {
    await started({ STATEMENT_TIMEOUT: '60' });
    const client = new pg.Client(DATABASE_URL);
    await client.connect();
    await client.query(`insert into tag (name) select repeat('long ', 40) || n from generate_series(1, 60000) n`);
    await ask(`GET /api/v1/Tags?format=ndjson HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n\r\n`);
    await new Promise((resolve) => stuck!.once('readable', resolve));
    await client.query('begin; lock table tag in access exclusive mode');
    stuck!.resume();
    service.kill('SIGTERM');
    await new Promise((resolve) => stuck!.once('close', resolve));
    await client.end();
    expect(await service.ended).toEqual(orderly);
  });

  it('that takes nothing of its answer', { timeout: 60_000 }, async () => {
    await started();
    const made = await fetch(`${address}/api/v1/Projects?format=json`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"Name":"files","Process":{"Id":1}}',
    });
    expect(made.status).toBe(201);
    const { Id } = (await made.json()) as { Id: number };
    const client = new pg.Client(DATABASE_URL);
    await client.connect();
    const { rows } = await client.query(
      `insert into attachment (name, unique_file_name, date, mime_type, size, content, owner_id, general_id)
       values ('long.txt', 'long.txt', now(), 'text/plain', 30000000, convert_to(repeat('long ', 6000000), 'UTF8'), 1, $1)
       returning id`,
      [Id],
    );
    await client.end();
    await ask(
      `GET /Attachment.aspx?AttachmentID=${rows[0].id} HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n\r\n`,
    );
    // The beginning of the answer has come; the rest waits in the service.
    await new Promise((resolve) => stuck!.once('readable', resolve));
    service.kill('SIGTERM');
    expect(await service.ended).toEqual(orderly);
  });
});
