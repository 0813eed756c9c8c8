/** How long a client waits for a service, and what it tells of one that does not answer. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HttpApi } from './http-api.js';

let server: Server;
let asked: Promise<ServerResponse>;
let api: HttpApi;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server = createServer();
  asked = new Promise((resolve) => server.once('request', (_request, response) => resolve(response)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  api = new HttpApi({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, authorization: 'Bearer x' });
});
afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

it('an answer may take minutes once it has begun', async () => {
  const sent = api.send('/api/v1/Bugs', { method: 'GET' });
  const response = await asked;
  response.write('{"Items":');
  const answer = await sent;
  vi.advanceTimersByTime(4 * 60_000);
  response.end('[]}');
  expect(await answer.json()).toEqual({ Items: [] });
});

it('a service that does not begin to answer is given up after a minute', async () => {
  const sent = api.send('/api/v1/Bugs', { method: 'GET' });
  const failure = expect(sent).rejects.toThrow(/does not answer: TimeoutError\.$/);
  await asked;
  vi.advanceTimersByTime(60_000);
  await failure;
});

const doubt = ' It may be done all the same: look before you do it again.';

it.each([
  ['GET', ''],
  ['POST', doubt],
  ['DELETE', doubt],
] as const)('a %s whose connection breaks is told with what may have been done', async (method, ending) => {
  const sent = api.call({ method, path: '/api/v1/Bugs' });
  const failure = expect(sent).rejects.toThrow(new RegExp(`^http://\\S+ does not answer: UND_ERR_SOCKET\\.${ending}$`));
  (await asked).destroy();
  await failure;
});

it.each([
  ['GET', ''],
  ['POST', doubt],
] as const)('so is a %s whose answer breaks off', async (method, ending) => {
  const sent = api.call({ method, path: '/api/v1/Bugs' });
  const failure = expect(sent).rejects.toThrow(new RegExp(`^The answer broke off: UND_ERR_SOCKET\\.${ending}$`));
  const response = await asked;
  response.write('{"Id":', () => response.destroy());
  await failure;
});

it.each([
  ['GET', 504, ''],
  ['POST', 504, doubt],
  ['DELETE', 502, doubt],
  ['POST', 200, doubt],
  ['POST', 413, ''],
] as const)('so is a %s that something else answers with %i', async (method, status, ending) => {
  const sent = api.call({ method, path: '/api/v1/Bugs' });
  const failure = expect(sent).rejects.toThrow(`The service answered with status ${status}.${ending}`);
  (await asked).writeHead(status, { 'content-type': 'text/html' }).end('<h1>Time-out</h1>');
  await failure;
});

it('what was never sent is told without a doubt', async () => {
  await new Promise((resolve) => server.close(resolve));
  await expect(api.call({ method: 'POST', path: '/api/v1/Bugs' })).rejects.toThrow(
    /cannot be reached: ECONNREFUSED\.$/,
  );
});
