/** A service on a name with several addresses is one service: at each of them all is as at the first. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic } from '../support/app.js';
import { bareDatabase } from '../support/empty-database.js';
import { Service, until } from '../support/service.js';
import { Connection, say } from '../support/socket.js';

const isRefused = (host: string, port: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(port), host, () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });

// Others have one address for the machine itself.
describe.runIf(process.platform === 'linux').each(['1', '2'])('with WORKERS=%s', { timeout: 60_000 }, (WORKERS) => {
  let service: Service;
  let port: string;
  beforeAll(async () => {
    const preload = new URL('../support/two-addresses.mjs', import.meta.url).href;
    const DATABASE_URL = await bareDatabase(`localhost_${WORKERS}`);
    service = Service.spawn({ HOST: 'localhost', WORKERS, DATABASE_URL, NODE_OPTIONS: `--import=${preload}` });
    ({ port } = new URL(await service.address()));
  }, 60_000);
  afterAll(async () => {
    service.kill('SIGKILL');
    await service.ended;
  });

  describe.each(['127.0.0.1', '127.0.0.2'])('at %s', (host) => {
    const at = () => ({ base: `http://${host}:${port}` });

    it('what is no HTTP is answered with a reason', async () => {
      expect(await say(at(), 'GET /\u0001 HTTP/1.1\r\nHost: here\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*\r\n\r\n.+/s);
    });

    it('a body is not asked for ahead of credentials', async () => {
      const head = 'POST /api/v1/Tags HTTP/1.1\r\nHost: here\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\n';
      const client = await Connection.open(at());
      client.socket.write(head);
      expect(await client.answers()).toEqual([401]);
      client.socket.destroy();
    });
  });

  it('the end waits for what is under way at each of them', async () => {
    const body = '{"Name": "under way"}';
    const head = [
      'POST /api/v1/Tags HTTP/1.1',
      'Host: here',
      `Authorization: ${basic('admin')}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ].join('\r\n');
    const client = await Connection.open({ base: `http://127.0.0.2:${port}` });
    client.socket.write(`${head}\r\n\r\n`);
    // It is read now.
    expect(await client.answers()).toEqual([100]);
    service.kill('SIGINT');
    await until(() => isRefused('127.0.0.1', port));
    client.socket.write(body);
    expect(await client.answers(2)).toEqual([100, 201]);
    expect(await service.ended).toEqual({ code: 0, signal: null });
  });
});
