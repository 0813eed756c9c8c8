/**
 * What the service writes about requests: every credential in every place of a request, and none of them in the output.
 */
import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyDatabase } from '../support/empty-database.js';
import { Service } from '../support/service.js';
import { say } from '../support/socket.js';

/** By what they are. */
type Credentials = Record<string, string>;

const madeUp: Credentials = {
  'a password': 'hush%password+1',
  'a wrong token': 'hushToken1',
  'login and password': Buffer.from('admin:hushPassword2').toString('base64'),
  'an idempotency key': 'hush-key-1',
  'a condition': 'hushCondition',
};

const admin = `Authorization: Basic ${Buffer.from('admin:admin').toString('base64')}`;

/** What is right comes further than what is wrong. */
async function right(base: string): Promise<Credentials> {
  const headers = { authorization: admin.slice('Authorization: '.length), 'content-type': 'application/json' };
  const tokenOf = async (path: string, body: string) => {
    const answer = await fetch(base + path, { method: 'POST', headers, body });
    return ((await answer.json()) as { Token: string }).Token;
  };
  const form = new URLSearchParams({ login: 'admin', password: 'admin' });
  const { headers: signedIn } = await fetch(`${base}/login`, { method: 'POST', body: form, redirect: 'manual' });
  return {
    'an access token': await tokenOf('/api/v1/AccessTokens?format=json', '{"Name":"logged"}'),
    'a service token': await tokenOf('/api/v1/Authentication?format=json', '{}'),
    'a session': /worktrack_session=([^;]+)/.exec(signedIn.get('set-cookie')!)![1]!,
  };
}

const paths = [
  '/api/v1/Bugs',
  '/api/v1/Bugs/17/Tasks',
  '/api/v2/Bug',
  '/api/nothing',
  '/',
  '/login',
  '/profile',
  '/documentation',
  '/entity/17',
  '/Attachment.aspx',
  '/nothing',
  '/health/live',
];

const names = [
  'token',
  'TOKEN',
  '%74oken',
  '%2574oken',
  'access_token',
  'Access%5FToken',
  'token[]',
  'password',
  'where',
  'worktrack_session',
  'Authorization',
];

/** What stands behind a path, or in front of it. */
const places: [string, (path: string, name: string, value: string) => string][] = [
  ['behind ?', (path, name, value) => `${path}?${name}=${value}`],
  ['behind a second ?', (path, name, value) => `${path}?a=1?${name}=${value}`],
  ['behind &', (path, name, value) => `${path}?take=1&${name}=${value}&skip=0`],
  ['behind & without ?', (path, name, value) => `${path}&${name}=${value}`],
  ['behind ;', (path, name, value) => `${path};${name}=${value}`],
  ['behind %3F', (path, name, value) => `${path}%3F${name}=${value}`],
  ['behind %3f with %3d', (path, name, value) => `${path}%3f${name}%3d${value}`],
  ['behind %253F', (path, name, value) => `${path}%253F${name}%253D${value}`],
  ['behind #', (path, name, value) => `${path}#${name}=${value}`],
  ['behind %23', (path, name, value) => `${path}%23${name}=${value}`],
  ['in a segment', (path, name, value) => `${path}/${name}=${value}`],
  ['in a segment of its own', (path, name, value) => `${path}/${name}/${value}/17`],
  ['in a condition', (path, name, value) => `${path}/where=(${name}=='${value}')?select={${value}}`],
  ['in brackets', (path, name, value) => `${path}(${name}=='${value}')`],
  ['in front', (path, name, value) => `/${name}=${value}${path}`],
  ['in the address of a proxy', (path, name, value) => `http://${name}:${value}@a${path}?${name}=${value}`],
];

const headers: [string, (value: string) => string][] = [
  ['Basic', (value) => `Authorization: Basic ${value}`],
  ['Bearer', (value) => `Authorization: Bearer ${value}`],
  ['an unknown scheme', (value) => `Authorization: Hush ${value}`],
  ['X-Access-Token', (value) => `X-Access-Token: ${value}`],
  ['the cookie of a session', (value) => `Cookie: a=b; worktrack_session=${value}`],
  ['the cookie of single sign-on', (value) => `Cookie: worktrack_sign_on=${value}.${value}.${value}.${value}`],
  ['a referrer', (value) => `Referer: http://a/profile?token=${value}`],
  ['an idempotency key', (value) => `Idempotency-Key: ${value}`],
  ['a host', (value) => `X-Forwarded-Host: ${value}`],
  ['an origin', (value) => `Origin: http://${value}`],
  ['a type', (value) => `Content-Type: ${value}`],
];

const bodies: [string, (value: string) => string][] = [
  ['application/json', (value) => JSON.stringify({ Login: value, Email: 'x', Password: value })],
  ['application/json', (value) => `{Password: '${value}`],
  ['application/json', (value) => JSON.stringify({ CurrentPassword: value, NewPassword: value })],
  ['application/xml', (value) => `<User Login="${value}" Password="${value}"><Password>${value}</Password></User>`],
  ['application/xml', (value) => `<User Password="${value}`],
  ['application/x-www-form-urlencoded', (value) => `login=${value}&password=${value}&next=/${value}`],
  ['text/plain', (value) => `password=${value}`],
];

const formType = 'Content-Type: application/x-www-form-urlencoded';

const asked = (method: string, target: string, more: string[] = [], body = ''): string =>
  [
    `${method} ${target} HTTP/1.1`,
    'Host: a',
    ...more,
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n');

/** On one connection; each has its answer before the last one, which ends it. */
async function send(base: string, requests: readonly string[]): Promise<void> {
  for (let at = 0; at < requests.length; at += 50) {
    const last = asked('GET', '/health/live', ['Connection: close']);
    await say({ base }, requests.slice(at, at + 50).join(''), last);
  }
}

function requestsWith(value: string, turn: number): string[] {
  const spelled = [...new Set([value, encodeURIComponent(value)])];
  const inAddresses = places.flatMap(([, place], placeAt) =>
    paths.flatMap((path, pathAt) =>
      // Each name comes to each place, though not with each path and credential.
      names
        .filter((_, at) => (at + placeAt + pathAt + turn) % 4 === 0)
        .flatMap((name) => spelled.map((one) => asked('GET', place(path, name, one)))),
    ),
  );
  const inHeaders = paths.flatMap((path) =>
    headers.flatMap(([, header]) => ['GET', 'POST'].map((method) => asked(method, path, [header(value)]))),
  );
  const inBodies = paths.flatMap((path) =>
    bodies.map(([type, body]) => asked('POST', path, [`Content-Type: ${type}`], body(value))),
  );
  const inForms = paths.flatMap((path) =>
    names.map((name) => asked('GET', path, [admin, formType], `${name}=${encodeURIComponent(value)}&take=x`)),
  );
  return [...inAddresses, ...inHeaders, ...inBodies, ...inForms];
}

/** Where a table is gone. */
function failing(value: string): string[] {
  const text = encodeURIComponent(value);
  const targets = [
    `/api/v1/Bugs?where=Name+eq+'${text}'`,
    `/api/v2/Bug?where=name=='${text}'`,
    `/api/v2/Bug/where=(name=='${text}')`,
  ];
  const body = JSON.stringify({ Name: value, Project: { Id: 1 } });
  return [
    ...targets.map((target) => asked('GET', target, [admin, `Referer: /?token=${text}`])),
    asked('GET', '/api/v1/Bugs', [admin, formType], `where=Name+eq+'${text}'`),
    asked('POST', '/api/v1/Bugs', [admin, `Idempotency-Key: ${value}`, 'Content-Type: application/json'], body),
  ];
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const proxied = [
  'X-Forwarded-For: 192.0.2.9',
  'X-Request-Id: request-of-proxy',
  `traceparent: 00-${traceId}-00f067aa0ba902b7-01`,
];

/** Each ends its connection. */
const unreadable = (value: string): string[] => [
  `GET /api/v1/Bugs?token=${value} HTTP/9.9\r\nHost: a\r\n\r\n`,
  `token=${value}\r\n\r\n`,
  `GET /?token=${value} HTTP/1.1\r\nHost: a\r\nHost: ${value}\r\n\r\n`,
  `GET /%zz?token=${value} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  `GET /${value}${'a'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: ${value}=\r\nConnection: close\r\n\r\n`,
];

/** What would tell a secret: as it is, escaped, or the part of it that counts. */
const traces = (value: string): string[] =>
  [value, encodeURIComponent(value), Buffer.from(value, 'base64').toString('latin1').split(':').at(-1)!].filter(
    (trace) => trace.length > 5,
  );

/** What is a line of the log. */
const logged = () =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

let service: Service;
let credentials: Credentials;
let output: string;

beforeAll(async () => {
  const DATABASE_URL = await emptyDatabase('logged_requests');
  service = Service.spawn({ DATABASE_URL, LOG_LEVEL: 'debug', WORKERS: '2', TRUSTED_PROXIES: '127.0.0.1' });
  const base = await service.address();
  await say({ base }, asked('GET', '/api/v1/Roles/1', [admin, ...proxied, 'Connection: close']));
  await say({ base }, asked('GET', '/health/live', ['X-Forwarded-For: hushToken1', 'Connection: close']));
  credentials = { ...madeUp, ...(await right(base)) };
  const values = Object.values(credentials);
  // Is sent by nobody, but by the service itself.
  credentials['the password of the database'] = new URL(DATABASE_URL).password;
  for (const [turn, value] of values.entries()) await send(base, requestsWith(value, turn));
  for (const text of values.flatMap(unreadable)) await say({ base }, text);
  const database = new pg.Client(DATABASE_URL);
  await database.connect();
  await database.query('alter table general rename to general_away');
  for (const value of values) await send(base, failing(value));
  await database.end();
  // What is gathered is written when the processes end.
  const closed = once(service.child, 'close');
  service.kill('SIGTERM');
  await closed;
  output = service.output;
}, 300_000);
afterAll(async () => {
  service?.kill('SIGKILL');
  await service?.ended;
});

describe('E13: what is written of requests', () => {
  it.each([
    ...Object.keys(madeUp),
    'an access token',
    'a service token',
    'a session',
    'the password of the database',
  ])('holds %s nowhere', (name) => {
    for (const trace of traces(credentials[name]!)) {
      expect(output.split('\n').filter((line) => line.includes(trace))).toEqual([]);
    }
  });

  it('holds nothing that was made up', () => {
    expect(output.split('\n').filter((line) => /hush/i.test(line))).toEqual([]);
  });

  it('tells who asked from where, and how much was sent', () => {
    const requests = logged().filter(({ path }) => path !== undefined);
    expect(requests.find(({ requestId }) => requestId === 'request-of-proxy')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      requestId: 'request-of-proxy',
      traceId,
      user: 1,
      address: '192.0.2.9',
      method: 'GET',
      path: '/api/v1/Roles/1',
      route: '/api/v1/Roles/:id',
      status: 200,
      durationMs: expect.any(Number),
      bytesIn: asked('GET', '/api/v1/Roles/1', [admin, ...proxied, 'Connection: close']).length,
      bytesOut: expect.toSatisfy((bytes) => bytes > 300 && bytes < 3000),
    });
    expect(requests.filter(({ address }) => address !== '127.0.0.1' && address !== '192.0.2.9')).toEqual([]);
    expect(requests.filter(({ path, user }) => path === '/health/live' && user !== undefined)).toEqual([]);
    expect(new Set(requests.map(({ level }) => level))).toEqual(new Set(['info']));
  });

  it('tells what was asked for, and what came of it', () => {
    const lines = logged();
    const requests = lines.filter(({ path }) => path !== undefined);
    const covered = new Set(requests.map(({ method, path }) => `${method} ${path}`));
    const shown = [
      ...paths.filter((path) => !/nothing|v2/.test(path)),
      ...['/api/v2/Bugs', '/api/v2/Bugs/…', '/api/v1/Bugs…', '/api/v1/Bugs/17/Tasks/…', '/api/…', '/…'],
    ];
    for (const path of shown) expect(covered).toContain(`GET ${path}`);
    expect(covered).toContain('POST /api/v1/Bugs/17/Tasks');
    const statuses = new Set(requests.map(({ status }) => status));
    for (const status of [200, 400, 401, 404, 415, 500]) expect(statuses).toContain(status);
    const faults = lines.filter(({ level }) => level === 'error');
    expect(faults[0]).toMatchObject({
      errorId: expect.any(String),
      err: {
        message: 'relation "general" does not exist',
        code: '42P01',
        stack: expect.stringMatching(/:\d+:\d+\)?$/),
      },
    });
  });
});
