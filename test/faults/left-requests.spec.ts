/** What is written of requests whose clients leave: each is one line, whatever became of it. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demonstrationDatabase } from '../support/empty-database.js';
import { Service, until } from '../support/service.js';

const admin = `Authorization: Basic ${Buffer.from('admin:admin').toString('base64')}`;

let service: Service;
let port: number;
let database: pg.Pool;
beforeAll(async () => {
  const DATABASE_URL = await demonstrationDatabase('leaving');
  database = new pg.Pool({ connectionString: DATABASE_URL });
  database.on('error', () => undefined);
  service = Service.spawn({ DATABASE_URL, LOG_LEVEL: 'info' });
  port = Number(new URL(await service.address()).port);
});
afterAll(async () => {
  service.kill('SIGTERM');
  await service.ended;
  await database.end();
});

interface Line {
  level: string;
  path?: string;
  reason?: string;
}

const lines = (): Line[] =>
  service.output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));
const lineOf = (path: string) => until(() => lines().find((line) => line.path === path));

async function asking(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

async function leave(socket: Socket): Promise<void> {
  socket.destroy();
  await once(socket, 'close');
}

/**
 * The service looks at all tables when it opens its connections, and at their sizes: those statements are none of the
 * request.
 */
const isWaiting = async (table: string): Promise<boolean> => {
  const { rowCount } = await database.query(
    `select from pg_stat_activity a join pg_locks l on l.pid = a.pid
     where datname = current_database() and not l.granted and l.relation = $1::regclass
       and query not like 'select from%' and query not like '%pg_class%'`,
    [table],
  );
  return rowCount! > 0;
};

/** The client leaves while the statement of its request waits for a lock on this table. */
async function leaving(table: string, text: string): Promise<void> {
  const locking = await database.connect();
  try {
    await locking.query(`begin; lock table ${table} in access exclusive mode`);
    const socket = await asking(text);
    await until(() => isWaiting(table));
    await leave(socket);
    await locking.query('commit');
  } finally {
    locking.release(true);
  }
}

const post = (path: string, body: object): string => {
  const text = JSON.stringify(body);
  const type = 'Content-Type: application/json';
  return `POST ${path} HTTP/1.1\r\nHost: here\r\n${admin}\r\n${type}\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
};
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: here\r\n${admin}\r\n\r\n`;

it('a write that is carried out all the same tells its status', async () => {
  await leaving('tag', post('/api/v1/Tags', { Name: 'left behind' }));
  expect(await lineOf('/api/v1/Tags')).toMatchObject({ method: 'POST', user: 1, status: 201, unfinished: true });
  const { rows } = await database.query("select from tag where name = 'left behind'");
  expect(rows).toHaveLength(1);
});

it('a list of which a part has left tells how much', async () => {
  const socket = await asking(get('/api/v1/Generals?format=ndjson'));
  await once(socket, 'data');
  await leave(socket);
  expect(await lineOf('/api/v1/Generals')).toMatchObject({ user: 1, status: 200, bytesOut: expect.any(Number) });
});

it('a client that leaves within its body has status 499', async () => {
  const whole = post('/api/v1/Severities', { Name: 'of which only a part is sent' });
  await leave(await asking(whole.slice(0, -5)));
  expect(await lineOf('/api/v1/Severities')).toMatchObject({ method: 'POST', status: 499, unfinished: true });
  expect(lines().filter(({ level }) => level !== 'info')).toEqual([]);
});

it('a client that stays and reads that its body is malformed has status 400', async () => {
  const chunk = '{"Name":"';
  const socket = await asking(
    `POST /api/v1/Roles HTTP/1.1\r\nHost: x\r\n${admin}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.length.toString(16)}\r\n${chunk}\r\n`,
  );
  socket.write('ZZ\r\n');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 400 /);
  socket.destroy();
  expect(await lineOf('/api/v1/Roles')).toMatchObject({ method: 'POST', status: 400 });
});

it("the request of an agent's tool has one line, and nobody left", async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const calling = (params: object) =>
    fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: admin.slice('Authorization: '.length),
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ ...call, params }),
    }).then((answer) => answer.text());
  await calling({ name: 'list', arguments: { kind: 'Bug', where: 'nme==1' } });
  await calling({ name: 'list', arguments: { kind: 'Bug' } });
  await until(() => (lines().filter(({ path }) => path === '/mcp').length === 2 ? true : undefined));
  const inner = lines().filter(({ path }) => path === '/api/v2/Bugs');
  expect(inner).toMatchObject([{ status: 400 }, { status: 200 }]);
  expect(inner.filter((line) => 'unfinished' in line)).toEqual([]);
});

it('a client that leaves right behind the last byte of a file has not left before', async () => {
  const { rows } = await database.query('select id from attachment order by id limit 1');
  const path = '/Attachment.aspx';
  for (let count = 0; count < 40; count += 1) {
    const socket = await asking(get(`${path}?AttachmentID=${rows[0].id}`));
    let received = '';
    await new Promise<void>((resolve) => {
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        received += chunk;
        const [head, body] = received.split('\r\n\r\n');
        if (body?.length === Number(/content-length: (\d+)/i.exec(head!)?.[1])) resolve();
      });
    });
    await leave(socket);
  }
  const downloads = () => lines().filter((line) => line.path === path);
  await until(() => (downloads().length === 40 ? true : undefined));
  expect(downloads().filter((line) => 'unfinished' in line)).toEqual([]);
});

it('a read that is given up has status 499, and is not counted as a refusal', async () => {
  await leaving('general', get('/api/v1/Bugs?take=1000'));
  expect(await lineOf('/api/v1/Bugs')).toMatchObject({ method: 'GET', status: 499, unfinished: true });
  expect(lines().filter(({ level }) => level !== 'info')).toEqual([]);
});
