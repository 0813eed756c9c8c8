/** An agent that leaves while the service loads what answers it: nothing is stored for it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bareDatabase } from '../support/empty-database.js';
import { Service } from '../support/service.js';

const authorization = `Basic ${Buffer.from('admin:admin').toString('base64')}`;

let DATABASE_URL: string;
let service: Service;
beforeAll(async () => {
  DATABASE_URL = await bareDatabase('gone');
  service = Service.spawn({ DATABASE_URL });
});
afterAll(async () => {
  service?.kill('SIGKILL');
  await service?.ended;
});

const bodyOf = (name: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'create', arguments: { kind: 'Project', name } },
  });

it('nothing is stored for one that leaves right behind its first call', { timeout: 120_000 }, async () => {
  const { host, hostname, port, origin } = new URL(await service.address());
  const body = bodyOf('Of the one that left');
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n` +
      `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  // Who asks is looked up by now.
  expect(String((await once(socket, 'data'))[0])).toContain('100 Continue');
  socket.write(body, () => socket.destroy());
  await once(socket, 'close');
  for (const name of ['Second', 'Third']) {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${origin}/mcp`, { method: 'POST', headers, body: bodyOf(name) });
    expect(await answer.text()).toContain(name);
  }
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  const { rows } = await client.query('select name from general order by id');
  await client.end();
  expect(rows.map(({ name }) => name)).toEqual(['Second', 'Third']);
});
