import { describe, expect, it } from 'vitest';
import { loggedPath, redacted, redactedValue } from './redaction.js';

const words = new Set([
  'api',
  'v1',
  'v2',
  'history',
  'Bugs',
  'bugs',
  'Tasks',
  'tasks',
  'UserStories',
  'login',
  'sso',
  'bulk',
  'Attachment.aspx',
]);

describe('the path of an address', () => {
  it.each([
    ['/', '/'],
    ['/api/v1/Bugs', '/api/v1/Bugs'],
    ['/api/v1/Bugs/', '/api/v1/Bugs/'],
    ['/api/v1/BUGS/17/Tasks', '/api/v1/BUGS/17/Tasks'],
    ['/api/v1/Bugs/bulk?token=clearMessage', '/api/v1/Bugs/bulk'],
    ['/Attachment.aspx?AttachmentID=1', '/Attachment.aspx'],
    ['/api/v1/Bugs;token=clearMessage', '/api/v1/Bugs…'],
    ['/api/v1/Bugs;x/Tasks', '/api/v1/Bugs…'],
    ['/api/v1/Bugs%3Ftoken=clearMessage', '/api/v1/Bugs…'],
    ['/api/v1/Bugs%253ftoken%253dhush', '/api/v1/Bugs…'],
    ['/api/v1/Bugs&token=clearMessage', '/api/v1/Bugs…'],
    ['/api/v1/Bugs#token=clearMessage', '/api/v1/Bugs…'],
    ['/api/v1/Bugs/17;token=clearMessage', '/api/v1/Bugs/17…'],
    ['/api/v1/token=clearMessage/Bugs', '/api/v1/…'],
    ['/api/v1/Bugs/clearMessage/Tasks/1', '/api/v1/Bugs/…'],
    ['/api/v1/Bugs/c2VjcmV0LXRva2Vu', '/api/v1/Bugs/…'],
    ["/api/v2/Bugs/where=(Name=='clearMessage')?token=clearMessage", '/api/v2/Bugs/…'],
    ["/api/v2/Bugs(Name=='clearMessage/17')", '/api/v2/Bugs…'],
    ["/api/v2/Bugs/where=(Name=='clearMessage/17')/17", '/api/v2/Bugs/…'],
    ['/clearMessage', '/…'],
    ['//clearMessage/api', '//…'],
    ['/api/v1/Bugs/12345678901234567', '/api/v1/Bugs/…'],
    ['http://user:clearMessage@host/api/v1/Bugs', '…'],
    ['*', '…'],
    ['', '…'],
  ])('of %s is %s', (url, path) => expect(loggedPath(url, words)).toBe(path));

  it('is cut where it is long', () => {
    expect(loggedPath('/1'.repeat(1000), words)).toBe(`${'/1'.repeat(150)}…`);
  });
});

/** Each name in each way of writing it down, with a value that must not be left. */
const names = [
  'token',
  'TOKEN',
  'access_token',
  'Access_Token',
  'X-Access-Token',
  '%74oken',
  '%54OKEN',
  'tok%65n',
  '%2574oken',
  'access%5Ftoken',
  'token[]',
  'token%5B0%5D',
  'Password',
  'CurrentPassword',
  'NewPassword',
  'SystemPassword',
  'password',
  'p%61ssword',
  'OIDC_CLIENT_SECRET',
  'client_secret',
  'Authorization',
  'Proxy-Authorization',
  'Cookie',
  'Set-Cookie',
  'worktrack_session',
  'worktrack_sign_on',
  'Idempotency-Key',
  'idempotency-key',
];
const places: [string, (name: string) => string][] = [
  ['a query', (name) => `Bad address ?take=1&${name}=clearMessage&skip=2`],
  ['a query at its start', (name) => `Bad address ?${name}=clearMessage`],
  ['a path parameter', (name) => `Bad address /x;${name}=clearMessage;y=1`],
  ['a fragment', (name) => `Bad address /x#${name}=clearMessage`],
  ['a segment', (name) => `Bad address /x/${name}=clearMessage/y`],
  ['an escaped query', (name) => `Bad address /x%3F${name}%3Dhush%26y`],
  ['a query escaped twice', (name) => `Bad address /x%253f${name}%253dhush`],
  ['an address of ours', (name) => `GET https://host/api/v1/Bugs?${name}=clearMessage failed`],
  ['a path of ours', (name) => `Route GET:/api/v1/Bugs/${name}=clearMessage not found`],
  ['a referrer', (name) => `Referer: https://host/profile?${name}=clearMessage`],
  ['a header', (name) => `${name}: clearMessage clearMessage; clearMessage, "clearMessage"`],
  ['JSON', (name) => `Unexpected end of {"Id":1,"${name}":"a \\"clearMessage\\" clearMessage","Login":"x"}`],
  ['JSON in a text', (name) => `{"body":"{\\"${name}\\": \\"clearMessage \\\\\\"clearMessage\\"}"}`],
  ['JSON without quotes', (name) => `{Id: 1, ${name}: 'clearMessage clearMessage'}`],
  ['an attribute', (name) => `<User ${name}="clearMessage clearMessage" />`],
  ['an attribute with a gap', (name) => `<User ${name} = 'clearMessage "clearMessage' />`],
  ['a form', (name) => `login=admin&${name}=clearMessage%26hush+clearMessage'clearMessage&next=/`],
];

describe('a text', () => {
  it.each(places)('holds no secret of %s', (_, place) => {
    for (const name of names) expect(redacted(place(name), words)).not.toContain('clearMessage');
  });

  it.each([
    ['<Password>clearMessage\nhush</Password>'],
    ['<Password Mode="x">clearMessage</Password>'],
    ['{"\\u0074oken": "clearMessage"}'],
    ['Basic hushhush'],
    ['authorization=Basic%20hushhush'],
    ['basic  clearMessage=='],
    ['curl -H "Bearer clearMessage.clearMessage.clearMessage"'],
    ['postgres://worktrack:clearMessage@host:5432/database'],
    ['postgres://worktrack:hu@clearMessage/clearMessage@host:5432/database'],
    ['https://id.example.com/token?code=clearMessage&state=clearMessage#clearMessage'],
    ['https://id.example.com/token;code=clearMessage'],
    ["/api/v2/Bugs/where=(Name=='clearMessage')?select={clearMessage}"],
    ["/api/v2/Bugs?where=Name.StartsWith('clearMessage')"],
    ["where=(Name eq 'clearMessage clearMessage') and (Name ne 'clearMessage')"],
    ['filter%3Dhush'],
    ['a/api/v1/Bugs?where=clearMessage'],
    ['failed for /api/v1/Bugs/clearMessage/1'],
    ['GET:/api/v1/Bugs/clearMessage'],
    ['"/login/sso/callback?code=clearMessage"'],
  ])('holds no secret: %s', (text) => expect(redacted(text, words)).not.toContain('clearMessage'));

  it.each([
    `${'aB3'.repeat(13)}aB3dE`,
    Buffer.from('7:WW91IG1heSBub3QgcmVhZCB0aGlzIHNlY3JldCB0ZXh0IQ==').toString('base64'),
    'x-Yz_0123456789abcdefghijklmnopqrstuvwABCDEF',
  ])('holds no long text that may be a credential: %s', (credential) => {
    expect(redacted(`Is not one: ${credential}.`)).toBe('Is not one: ….');
    expect(redacted(`Is not one: '${credential}'.`)).toBe("Is not one: '…'.");
  });

  it.each([
    '',
    "Cannot read properties of undefined (reading 'id')",
    'relation "general" does not exist',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'password authentication failed for user "worktrack"',
    'Unexpected token in the middle',
    'the database system is starting up',
    'GET /api/v1/Bugs/17/Tasks took too long',
    '6f1f0f2e-6f57-4d0c-9d6a-1c5c0a5b2f11',
    'getaddrinfo ENOTFOUND nowhere.invalid',
  ])('says what else it says: %s', (text) => expect(redacted(text, words)).toBe(text));

  it.each([
    "ENOENT: no such file or directory, open '/var/lib/worktrack/postgres.log'",
    'The address https://id.example.com/realm is not there.',
  ])('names files and places where nobody sent it: %s', (text) => expect(redacted(text)).toBe(text));

  it.each([
    'Cannot GET /clearMessage',
    'Cannot GET //token/clearMessage/17',
    'Cannot GET /token[]/clearMessage',
    "ENOENT: no such file or directory, open '/clearMessage'",
    'no https://a/api/v1/Bugs/clearMessage',
    'GET:/clearMessage',
  ])('repeats no path that a client made up: %s', (text) =>
    expect(redacted(text, words)).not.toContain('clearMessage'));

  it('keeps what stands beside a secret in an address', () => {
    expect(redacted('GET /api/v1/Bugs/17?token=x from a', words)).toBe('GET /api/v1/Bugs/17?… from a');
    expect(redacted('postgres://a:b@host:5432/c is away')).toBe('postgres://…@host:5432/c is away');
    expect(redacted("BASE_URL is 'ftp://x'; an http address goes")).toBe("BASE_URL is 'ftp://x'; an http address goes");
    expect(redacted("'http://h/path?x=clearMessage'; it has a query")).toBe("'http://h/path?…'; it has a query");
    expect(redacted('see http://h/path;x=clearMessage, or "http://a:b@h".')).toBe(
      'see http://h/path?…, or "http://…@h".',
    );
    expect(redacted('body: login=admin&password=x&next=/')).toBe('body: login=admin&password=…&next=/');
  });

  it('is cut where it is long, in no time', () => {
    const long = 'a'.repeat(200_000);
    expect(redacted(long)).toHaveLength(4001);
    for (const hostile of [
      long,
      'token'.repeat(50_000),
      '<token'.repeat(50_000),
      '%25'.repeat(50_000),
      `token${' '.repeat(100_000)}`,
    ])
      expect(redacted(hostile).length).toBeLessThan(10_000);
  });
});

describe('a value', () => {
  it('is redacted at every level', () => {
    expect(
      redactedValue(
        {
          a: 'token=clearMessage',
          b: [{ password: 'clearMessage', n: 1 }],
          'X-Access-Token': { x: 'clearMessage' },
          c: null,
        },
        words,
      ),
    ).toEqual({ a: 'token=…', b: [{ password: '…', n: 1 }], 'X-Access-Token': '…', c: null });
  });

  it('may refer to itself', () => {
    const value: Record<string, unknown> = {};
    value.self = value;
    expect(JSON.stringify(redactedValue(value, words))).toBe('{"self":{"self":{"self":{"self":"…"}}}}');
  });
});
