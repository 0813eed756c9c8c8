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
    ['/api/v1/Bugs/bulk?token=hush', '/api/v1/Bugs/bulk'],
    ['/Attachment.aspx?AttachmentID=1', '/Attachment.aspx'],
    ['/api/v1/Bugs;token=hush', '/api/v1/Bugs…'],
    ['/api/v1/Bugs;x/Tasks', '/api/v1/Bugs…'],
    ['/api/v1/Bugs%3Ftoken=hush', '/api/v1/Bugs…'],
    ['/api/v1/Bugs%253ftoken%253dhush', '/api/v1/Bugs…'],
    ['/api/v1/Bugs&token=hush', '/api/v1/Bugs…'],
    ['/api/v1/Bugs#token=hush', '/api/v1/Bugs…'],
    ['/api/v1/Bugs/17;token=hush', '/api/v1/Bugs/17…'],
    ['/api/v1/token=hush/Bugs', '/api/v1/…'],
    ['/api/v1/Bugs/hush/Tasks/1', '/api/v1/Bugs/…'],
    ['/api/v1/Bugs/c2VjcmV0LXRva2Vu', '/api/v1/Bugs/…'],
    ["/api/v2/Bugs/where=(Name=='hush')?token=hush", '/api/v2/Bugs/…'],
    ["/api/v2/Bugs(Name=='hush/17')", '/api/v2/Bugs…'],
    ["/api/v2/Bugs/where=(Name=='hush/17')/17", '/api/v2/Bugs/…'],
    ['/hush', '/…'],
    ['//hush/api', '//…'],
    ['/api/v1/Bugs/12345678901234567', '/api/v1/Bugs/…'],
    ['http://user:hush@host/api/v1/Bugs', '…'],
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
  ['a query', (name) => `Bad address ?take=1&${name}=hush&skip=2`],
  ['a query at its start', (name) => `Bad address ?${name}=hush`],
  ['a path parameter', (name) => `Bad address /x;${name}=hush;y=1`],
  ['a fragment', (name) => `Bad address /x#${name}=hush`],
  ['a segment', (name) => `Bad address /x/${name}=hush/y`],
  ['an escaped query', (name) => `Bad address /x%3F${name}%3Dhush%26y`],
  ['a query escaped twice', (name) => `Bad address /x%253f${name}%253dhush`],
  ['an address of ours', (name) => `GET https://host/api/v1/Bugs?${name}=hush failed`],
  ['a path of ours', (name) => `Route GET:/api/v1/Bugs/${name}=hush not found`],
  ['a referrer', (name) => `Referer: https://host/profile?${name}=hush`],
  ['a header', (name) => `${name}: hush hush; hush, "hush"`],
  ['JSON', (name) => `Unexpected end of {"Id":1,"${name}":"a \\"hush\\" hush","Login":"x"}`],
  ['JSON in a text', (name) => `{"body":"{\\"${name}\\": \\"hush \\\\\\"hush\\"}"}`],
  ['JSON without quotes', (name) => `{Id: 1, ${name}: 'hush hush'}`],
  ['an attribute', (name) => `<User ${name}="hush hush" />`],
  ['an attribute with a gap', (name) => `<User ${name} = 'hush "hush' />`],
  ['a form', (name) => `login=admin&${name}=hush%26hush+hush'hush&next=/`],
];

describe('a text', () => {
  it.each(places)('holds no secret of %s', (_, place) => {
    for (const name of names) expect(redacted(place(name), words)).not.toContain('hush');
  });

  it.each([
    ['<Password>hush\nhush</Password>'],
    ['<Password Mode="x">hush</Password>'],
    ['{"\\u0074oken": "hush"}'],
    ['Basic hushhush'],
    ['authorization=Basic%20hushhush'],
    ['basic  hush=='],
    ['curl -H "Bearer hush.hush.hush"'],
    ['postgres://worktrack:hush@host:5432/database'],
    ['postgres://worktrack:hu@hush/hush@host:5432/database'],
    ['https://id.example.com/token?code=hush&state=hush#hush'],
    ['https://id.example.com/token;code=hush'],
    ["/api/v2/Bugs/where=(Name=='hush')?select={hush}"],
    ["/api/v2/Bugs?where=Name.StartsWith('hush')"],
    ["where=(Name eq 'hush hush') and (Name ne 'hush')"],
    ['filter%3Dhush'],
    ['a/api/v1/Bugs?where=hush'],
    ['failed for /api/v1/Bugs/hush/1'],
    ['GET:/api/v1/Bugs/hush'],
    ['"/login/sso/callback?code=hush"'],
  ])('holds no secret: %s', (text) => expect(redacted(text, words)).not.toContain('hush'));

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
    'Cannot GET /hush',
    'Cannot GET //token/hush/17',
    'Cannot GET /token[]/hush',
    "ENOENT: no such file or directory, open '/hush'",
    'no https://a/api/v1/Bugs/hush',
    'GET:/hush',
  ])('repeats no path that a client made up: %s', (text) => expect(redacted(text, words)).not.toContain('hush'));

  it('keeps what stands beside a secret in an address', () => {
    expect(redacted('GET /api/v1/Bugs/17?token=x from a', words)).toBe('GET /api/v1/Bugs/17?… from a');
    expect(redacted('postgres://a:b@host:5432/c is away')).toBe('postgres://…@host:5432/c is away');
    expect(redacted("BASE_URL is 'ftp://x'; an http address goes")).toBe("BASE_URL is 'ftp://x'; an http address goes");
    expect(redacted("'http://h/path?x=hush'; it has a query")).toBe("'http://h/path?…'; it has a query");
    expect(redacted('see http://h/path;x=hush, or "http://a:b@h".')).toBe('see http://h/path?…, or "http://…@h".');
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
        { a: 'token=hush', b: [{ password: 'hush', n: 1 }], 'X-Access-Token': { x: 'hush' }, c: null },
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
