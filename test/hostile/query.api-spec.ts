/** Query text that must be refused, or survived, and never answered with a fault. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const where = (text: string): string => `/api/v1/UserStories?${`where=${encodeURIComponent(text)}`}`;

/** Names of tables, columns and libraries, statements, places in the source: nothing of it may be told. */
const internals = /general_user|entity_type_id|select |typeorm|node_modules|\.ts:|\.js:|syntax error at|pg_|fastify/i;

async function refused(path: string, status: number | RegExp = 400): Promise<string> {
  const json = await app.ask(`${path}${path.includes('?') ? '&' : '?'}format=json`);
  expect(String(json.status)).toMatch(status instanceof RegExp ? status : new RegExp(`^${status}$`));
  expect(json.json).toMatchObject({
    Status: expect.any(String),
    Message: expect.any(String),
    ErrorId: expect.any(String),
  });
  expect(json.text).not.toMatch(internals);
  const xml = await app.ask(path);
  expect(xml.status).toBe(json.status);
  expect((await parseXml(xml.text)).children.map((child) => child.name)).toEqual([
    'Status',
    'Message',
    'Type',
    'ErrorId',
  ]);
  expect(xml.headers.get('x-content-type-options')).toBe('nosniff');
  expect(xml.headers.get('cache-control')).toContain('no-store');
  expect(xml.headers.get('x-powered-by')).toBeNull();
  return json.json.Message;
}

describe('where', () => {
  it.each([
    ["(Name eq 'x') or 1=1"],
    ["'; drop table general;--"],
    ["Name eq 'x"],
    ['('.repeat(10_000)],
    [`${'('.repeat(200)}Id eq 1${')'.repeat(200)}`],
    [Array.from({ length: 200 }, () => 'Id eq 1').join(' and ')],
    [`Id in (${Array.from({ length: 1500 }, (_, index) => index).join(',')})`],
    [`${'Project.'.repeat(20)}Id eq 1`],
    ['....'],
    ['Id eq 1;'],
    ['Id = 1'],
    ["Name like 'x'"],
    ['Effort eq --5'],
    ["Name eq '\u0000'"],
    ["PasswordHash gt 'a'"],
    ['Token is not null'],
    ["Owner.Password contains '$argon2'"],
    ['toString eq 1'],
    ['Project.constructor.name eq 1'],
    ["CreateDate gt '0000-00-00'"],
    ["CreateDate gt '2023-01-01T25:00:00'"],
    ["CreateDate gt '+275760-09-13'"],
    ["Name eq 'x' UNION SELECT 1"],
  ])('row %# is refused', async (text) => void (await refused(where(text))));

  it.each([
    ["Name contains '%'"],
    ["Name contains '\\\\'"],
    ["Name contains ''"],
    ["Name eq '\u202e\ud83d\ude00'"],
    ['Id eq -1'],
    ['Id eq 2147483648'],
    ['Id in (99999999999)'],
    ["CreateDate lt '9999-12-31'"],
    ["CreateDate gt '0001-01-01'"],
    ['Effort eq 99999999999999999999'],
    [`Name contains '${'\u0301'.repeat(1000)}'`],
    ["Tags contains '*'"],
    ["Tags contains ''"],
    ["Tags contains '**'"],
  ])('row %# is answered', async (text) => {
    expect((await app.ask(`${where(text)}&format=json`)).status).toBe(200);
  });

  it('refuses text that is not UTF-8', async () => {
    for (const bytes of ['%', '%ff%fe', '%u0041', '%ED%A0%80', '%C0%AF', '%00']) {
      await refused(`/api/v1/UserStories?where=Name%20eq%20'${bytes}'`);
    }
  });

  it('refuses what is too long before looking at it', async () => {
    await refused(`/api/v1/UserStories?where=${'a'.repeat(17_000)}`, /^(414|431)$/);
  });

  it('says the same of a secret field as of one that never existed', async () => {
    const secret = await refused(where("PasswordHash eq 'x'"));
    expect(secret).toBe((await refused(where("PasswordHush eq 'x'"))).replace('PasswordHush', 'PasswordHash'));
  });
});

describe('include, append and order', () => {
  it.each([
    'include=[',
    'include=[Name',
    'include=[Name]]',
    'include=[Name,,Id]',
    'include=[*]',
    'include=[Name[Id]]',
    'include=[__proto__]',
    'include=[hasOwnProperty]',
    'include=[Project[ProjectMembers[User[Password]]]]',
    'include=[Tasks[Bugs]]',
    'include=[Project[CustomFields]]',
    'include=[CustomFields[Foo]]',
    `include=${'[Project'.repeat(50)}${']'.repeat(50)}`,
    'append=[Bugs-Sum]',
    'append=[Foo-Count]',
    'append=[Bugs-Count',
    'append=[__proto__-Count]',
    `append=[${Array.from({ length: 60 }, () => 'Bugs-Count').join(',')}]`,
    `include=[${Array.from({ length: 300 }, (_, index) => `F${index}`).join(',')}]`,
    'orderBy=Name;drop',
    'orderBy=(select 1)',
    'orderBy=Tasks.Name',
    'orderBy=Name foo',
    'orderBy=Password',
    'exclude=[Nope]',
    'format[]=json',
    'take[]=1',
    'where[a]=b',
    'dateformat=x',
  ])('row %# is refused', async (query) => void (await refused(`/api/v1/UserStories?${query}`)));

  it('refuses thousands of parameters', async () => {
    await refused(
      `/api/v1/UserStories?${Array.from({ length: 2000 }, (_, index) => `p${index}=1`).join('&')}`,
      /^(400|414)$/,
    );
  });

  it('never takes a pollution of objects', async () => {
    await app.ask('/api/v1/UserStories?__proto__=1&__proto__[IsAdministrator]=true&constructor[prototype][x]=1');
    expect(({} as Record<string, unknown>).IsAdministrator).toBeUndefined();
  });
});

describe('paths', () => {
  it.each([
    ['/api/v1/UserStories/../Users/abc', 400],
    ['/api/v1/%2e%2e%2f', 404],
    ['/api/v1/UserStories;x=1', 404],
    ['/api/v1/UserStories./', 404],
    ['/api/v1/UserStories/1/2/3', 404],
    ['/api/v1', 404],
    ['/api/', 404],
    [`/api/v1/UserStories/${'9'.repeat(300)}`, 400],
  ])('row %#', async (path, status) => void (await refused(path, status)));

  it('answers an unknown place outside the API without a fault', async () => {
    for (const path of ['/nothing', '//nothing', '/..%2f..%2fetc/passwd']) {
      const { status, text } = await app.ask(path);
      expect(status).toBe(404);
      expect(text).not.toMatch(internals);
    }
  });
});
