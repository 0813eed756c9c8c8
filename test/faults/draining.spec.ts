/** How the service ends: balancers learn of it first, what runs is finished, and nobody can hold it. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../src/runtime/free-port.js';
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

/** Waiting takes as long as a test says. */
const patient = { WAITING_TIMEOUT: '60', STATEMENT_TIMEOUT: '60' };

/** A list of megabytes. */
const makeTags = `insert into tag (name) select repeat('long ', 40) || n from generate_series(1, 60000) n
  on conflict do nothing`;

async function waitingAt(metricsPort: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  return Number(/^worktrack_database_waiting\{database="primary"\} (\d+)$/m.exec(await answer.text())?.[1]);
}

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

  it.each([
    ['a person interrupts it', 'SIGINT'],
    ['its terminal closes', 'SIGHUP'],
  ] as const)('ends at once when %s', { timeout: 60_000 }, async (_, signal) => {
    await draining();
    service.kill(signal);
    expect(await service.ended).toEqual(orderly);
  });

  it('finishes what runs, and refuses what waits for its turn', { timeout: 60_000 }, async () => {
    const metrics = await freePort('127.0.0.1');
    service = Service.spawn({ DATABASE_URL, WORKERS, DB_POOL: '1', METRICS_PORT: String(metrics), ...patient });
    const address = await service.address();
    const blocker = new pg.Client(DATABASE_URL);
    await blocker.connect();
    await blocker.query('begin; lock table severity in access exclusive mode');
    const statuses: number[] = [];
    const asked = Array.from({ length: 8 }, async () => {
      const { status } = await fetch(`${address}/api/v1/Severities?format=json`, { headers });
      statuses.push(status);
    });
    const running = Number(WORKERS);
    await until(async () => (await waitingAt(metrics)) === asked.length - running);
    service.kill('SIGTERM');
    await until(() => statuses.length === asked.length - running);
    expect(new Set(statuses)).toEqual(new Set([503]));
    await blocker.query('commit');
    await blocker.end();
    await Promise.all(asked);
    expect(statuses.filter((status) => status === 200)).toHaveLength(running);
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

describe('a whole list whose next part waits for a connection', { timeout: 120_000 }, () => {
  const bob = { authorization: `Basic ${Buffer.from('bob:secret of bob').toString('base64')}` };
  const severities = (as: Record<string, string>) =>
    fetch(`${address}/api/v1/Severities?format=json`, { headers: as }).then(({ status }) => status);
  let address: string;
  let blocker: pg.Client;
  let running: Promise<number>[];
  let list: Promise<string>;

  beforeAll(async () => {
    const client = new pg.Client(DATABASE_URL);
    await client.connect();
    await client.query(makeTags);
    await client.end();
  });

  /** Also of an answer that is cut off. */
  async function allOf({ body }: Response): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const chunk of body!) text += decoder.decode(chunk as Uint8Array, { stream: true });
    } catch {}
    return text;
  }

  /** Others wait, too, and are refused after two seconds. */
  beforeEach(async () => {
    const metrics = await freePort('127.0.0.1');
    service = Service.spawn({ DATABASE_URL, DB_POOL: '1', METRICS_PORT: String(metrics), ...patient });
    address = await service.address();
    const made = { FirstName: 'Bob', LastName: 'B', Login: 'bob', Email: 'bob@example.com', Password: 'secret of bob' };
    await fetch(`${address}/api/v1/Users?format=json`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(made),
    });
    const answer = await fetch(`${address}/api/v1/Tags?format=ndjson&include=[Name]`, { headers });
    expect([answer.status, await severities(bob)]).toEqual([200, 200]);
    blocker = new pg.Client(DATABASE_URL);
    await blocker.connect();
    await blocker.query('begin; lock table severity in access exclusive mode');
    running = [severities(headers), severities(bob)];
    await lockWaiters(blocker, 2);
    list = allOf(answer);
    await until(async () => (await waitingAt(metrics)) === 1);
    const refused = severities(bob);
    await until(async () => (await waitingAt(metrics)) === 2);
    service.kill('SIGTERM');
    expect(await refused).toBe(503);
  });

  async function release(): Promise<void> {
    await blocker.query('commit');
    await blocker.end();
    expect(await Promise.all(running)).toEqual([200, 200]);
  }

  it('goes on when the service ends, to its end', async () => {
    await release();
    const lines = (await list).trimEnd().split('\n');
    expect([lines.length >= 60_000, lines.at(-1)]).toEqual([true, expect.stringMatching(/long 60000"\}$/)]);
    expect(await service.ended).toEqual(orderly);
  });

  it('says that the service ends where it does not come to its end in ten seconds', async () => {
    const lines = (await list).trimEnd().split('\n');
    await release();
    const Message = 'The service ends. Go on behind the last Id that came.';
    expect(JSON.parse(lines.at(-1)!)).toEqual({ Error: { Status: 'ServiceUnavailable', Message } });
    expect(await service.ended).toEqual(orderly);
  });
});

it('a signal that comes while the service is busy with its start is not lost', async () => {
  const script = `
    import { endAtOnce, endInOrder } from './build/server/end-in-order.js';
    endAtOnce();
    setInterval(() => {}, 1000);
    process.kill(process.pid, 'SIGTERM');
    endInOrder({ drain() {}, drainMs: 0, close: async () => console.log('closed') });`;
  service = Service.run(script);
  expect(await service.ended).toEqual(orderly);
  expect(service.output).toBe('closed\n');
});

it.each([
  ['fails', () => 'Promise.reject(new Error("too bad"))', 'too bad'],
  ['takes too long', () => 'new Promise(() => {})', 'what was under way did not end within 0.1 seconds'],
])('what is needed is released though the end of what is under way %s', async (_, close, said) => {
  const script = `
    import { endInOrder } from './build/server/end-in-order.js';
    const release = async () => console.log('released');
    endInOrder({ drain() {}, drainMs: 0, patienceMs: 100, close: () => ${close()}, release });
    process.kill(process.pid, 'SIGTERM');
    setInterval(() => {}, 1000);`;
  service = Service.run(script);
  expect(await service.ended).toEqual({ code: 1, signal: null });
  expect(service.output).toContain(said);
  expect(service.output).toContain('released\n');
});

describe('is not held by a client', () => {
  let address: string;
  let stuck: Socket | undefined;
  const leaving: Socket[] = [];
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

  it('that has left while its request waits for its turn', { timeout: 60_000 }, async () => {
    const metrics = await freePort('127.0.0.1');
    await started({ DB_POOL: '1', METRICS_PORT: String(metrics), ...patient });
    const blocker = new pg.Client(DATABASE_URL);
    await blocker.connect();
    await blocker.query('begin; lock table tag in share row exclusive mode');
    const body = '{"Name":"nobody waits for it"}';
    const write = (key: string): string =>
      `POST /api/v1/Tags HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\nIdempotency-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    for (const key of ['one', 'two']) {
      await ask(write(key));
      await until(async () => (await waitingAt(metrics)) === (key === 'one' ? 0 : 1));
      await lockWaiters(blocker);
      leaving.push(stuck!);
    }
    for (const socket of leaving) socket.destroy();
    service.kill('SIGTERM');
    await until(() =>
      fetch(`${address}/health/live`)
        .then(() => false)
        .catch(() => true),
    );
    await blocker.query('commit');
    await blocker.end();
    expect(await service.ended).toEqual(orderly);
    expect(service.output).not.toContain('"level":"error"');
  });

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
    await client.query(makeTags);
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
