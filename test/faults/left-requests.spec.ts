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

/** The service looks at all tables when it opens its connections: those statements are none of the request. */
const isWaiting = async (statement: string): Promise<boolean> => {
  const { rowCount } = await database.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like $1 and query not like 'select from%'`,
    [`%${statement}%`],
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

it('a read that is given up has status 499, and is not counted as a refusal', async () => {
  await leaving('general', get('/api/v1/Bugs?take=1000'));
  expect(await lineOf('/api/v1/Bugs')).toMatchObject({ method: 'GET', status: 499, unfinished: true });
  expect(lines().filter(({ level }) => level !== 'info')).toEqual([]);
});
