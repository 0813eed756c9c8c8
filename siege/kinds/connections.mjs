/** What is done to connections rather than to the API. */
import { head, v1 } from '../requests.mjs';
import { pipelining, speaking, trickling } from '../shapes.mjs';

const path = '/api/v1/Users/LoggedUser?format=json';
const get = (...headers) => [`GET ${path} HTTP/1.1`, 'Host: here', ...headers, '', ''].join('\r\n');
const send = (body, ...headers) =>
  ['POST /api/v1/Tags HTTP/1.1', 'Host: here', 'Content-Type: application/json', ...headers, '', body].join('\r\n');

/** Rows E1, E3 and E4. */
const malformed = [
  send('0\r\n\r\nGET / HTTP/1.1\r\n\r\n', 'Content-Length: 4', 'Transfer-Encoding: chunked'),
  send('{}', 'Content-Length: 2', 'Content-Length: 10'),
  send('0\r\n\r\n', 'Transfer-Encoding: xchunked'),
  send('zz\r\nab\r\n0\r\n\r\n', 'Transfer-Encoding: chunked'),
  send('', 'Content-Length: 1000000000000'),
  get('X-Other : a'),
  get('X-Other: a\r\n b'),
  get('X-Other: a\0b'),
  get().replaceAll('\r\n', '\n'),
  get(`X-Long: ${'a'.repeat(40_000)}`),
  get(...Array.from({ length: 500 }, (_, at) => `X-${at}: ä😀`)),
  `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: here\r\n\r\n`,
  'GET /health/live HTTP/1.0\r\n\r\n',
  'GET /health/live HTTP/1.1\r\n\r\n',
  'GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n',
  'CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test\r\n\r\n',
  'GET /%ff%fe/../..;x HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01',
  'what is this\r\n\r\n',
  Buffer.alloc(100_000, 0xff),
];

export default [
  {
    name: 'slowloris',
    row: 'E2',
    what: '1,000 connections that send a byte of a header a second',
    attack: () =>
      trickling(1000, { head: 'GET /health/live HTTP/1.1\r\nHost: here\r\nX-Slow: ', piece: 'a', everyMs: 1000 }),
  },
  {
    name: 'pipelining',
    row: 'E24',
    what: '1,000 requests at once on each of 8 connections',
    attack: ({ headers }) => pipelining(8, 1000, head('GET', v1('UserStories', { take: '25' }), headers)),
  },
  { name: 'malformed', row: 'E1, E3, E4', what: 'malformed HTTP, 50 clients', attack: () => speaking(50, malformed) },
];
