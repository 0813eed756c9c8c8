/**
 * Requests that two programs on the way read differently: versions of HTTP, codings, doubled headers, and more headers
 * than a program reads by itself.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, TestApp } from '../support/app.js';
import { say, statusesOf } from '../support/socket.js';

let app: TestApp;
let story: number;
beforeAll(async () => {
  app = await TestApp.start();
  story = (await app.write('UserStories', { Name: 'Framed', Project: { Id: 8 } })).Id;
});
afterAll(() => app.stop());

const admin = `Authorization: ${basic('admin')}`;
const asked = (line: string, ...headers: string[]): string =>
  [line, 'Host: a', 'Accept: application/json', ...headers, '', ''].join('\r\n');
const listed = asked('GET /api/v1/Bugs?take=1 HTTP/1.1', admin, 'Connection: close');
const message = (answer: string): string => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).Message;

/** With the five that a change has. */
const others = (count: number): string[] => Array.from({ length: count - 5 }, (_, at) => `a${at}: b`);
const change = async (...headers: string[]): Promise<string> => {
  const sent = [admin, 'Content-Type: application/json', 'Content-Length: 16', ...headers];
  return say(app, `${asked(`POST /api/v1/UserStories/${story} HTTP/1.1`, ...sent)}{"Name":"Other"}`, listed);
};

describe('E3: no header is passed over behind many others', () => {
  it('as many as are taken are all read', async () =>
    expect(statusesOf(await change(...others(498), 'If-Match: "0"', 'Connection: close'))).toEqual([412]));

  it.each([501, 2100])('%d are refused, and nothing behind them is read', async (count) => {
    const answer = await change(...others(count - 1), 'If-Match: "0"');
    // Newer versions of Node read no further than 2,000, so the format asked for is not seen.
    expect(statusesOf(answer)).toEqual([431]);
    expect(answer).toMatch(/[Tt]he request has more than 500 headers\./);
    expect(await app.rows('select name from general where id = $1', [story])).toEqual([{ name: 'Framed' }]);
  });

  it('nor are they where nobody is asked for', async () =>
    expect(statusesOf(await say(app, asked('GET /login HTTP/1.1', ...others(2100), 'Host: b')))).toEqual([431]));
});

it.each(['HTTP/0.9', 'HTTP/2.0'])('E1: %s is refused, and nothing behind it is read', async (version) => {
  const answer = await say(app, asked(`GET /api/v1/Bugs ${version}`, admin), listed);
  expect([statusesOf(answer), message(answer)]).toEqual([[400], 'The request is neither of HTTP/1.1 nor of HTTP/1.0.']);
});

it('E1: a line without a version is refused, and nothing behind it is read', async () => {
  expect(statusesOf(await say(app, 'GET /login\r\n\r\n', listed))).toEqual([400]);
});

it('E1: a coding is refused where the version does not know of it', async () => {
  const headers = [admin, 'Content-Type: application/json', 'Connection: keep-alive', 'Transfer-Encoding: chunked'];
  const body = '2\r\n{}\r\n0\r\n\r\n';
  const answer = await say(app, asked('POST /api/v1/UserStories HTTP/1.0', ...headers) + body, listed);
  expect([statusesOf(answer), message(answer)]).toEqual([[400], 'Transfer-Encoding: HTTP/1.0 does not know of it.']);
});

it.each([
  ['Authorization', admin, `authorization: ${basic('alice')}`],
  ['Authorization', admin, admin],
  ['Content-Type', admin, 'Content-Type: application/json', 'content-type: text/plain'],
])('A9: %s twice is refused, and nothing behind it is read', async (name, ...headers) => {
  const answer = await say(app, asked('GET /api/v1/Bugs?take=1 HTTP/1.1', ...headers), listed);
  expect([statusesOf(answer), message(answer)]).toEqual([[400], `The request has two headers ${name}.`]);
});
