/**
 * Query text that must be refused, or survived, and never answered with a fault. Each case names its row of hostile
 * input.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { messageOf } from '../support/refusal.js';
import { say, statusesOf } from '../support/socket.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const stories = '/api/v1/UserStories';
const where = (text: string): string => `${stories}?where=${encodeURIComponent(text)}`;

/** In both formats alike; tells the message. */
async function refused(path: string, status = 400): Promise<string> {
  const json = await app.ask(`${path}${path.includes('?') ? '&' : '?'}format=json`);
  expect([json.status, json.text.slice(0, 200)]).toEqual([status, expect.any(String)]);
  const xml = await app.ask(path);
  expect(xml.status).toBe(status);
  await messageOf(xml);
  return messageOf(json, 'json');
}

const many = (count: number, spell: (at: number) => string, separator = ''): string =>
  Array.from({ length: count }, (_, at) => spell(at)).join(separator);

describe('where', () => {
  it.each([
    ['B1', "(Name eq 'x') or 1=1"],
    ['B1', "'; drop table general;--"],
    ['B1', "Name eq 'x"],
    ['B1', "Name eq 'x' UNION SELECT 1"],
    ['B1', 'Id eq 1;'],
    ['B1', 'Id = 1'],
    ['B1', "Name like 'x'"],
    ['B2', "PasswordHash gt 'a'"],
    ['B2', "Password contains '$argon2'"],
    ['B2', 'Token is not null'],
    ['B2', "Owner.Password contains '$argon2'"],
    ['B2', "Assignments.GeneralUser.Password eq 'x'"],
    ['B6', '('.repeat(10_000)],
    ['B6', `${'('.repeat(200)}Id eq 1${')'.repeat(200)}`],
    ['B6', many(200, () => 'Id eq 1', ' and ')],
    ['B6', `Id in (${many(1500, String, ',')})`],
    ['B7', '....'],
    ['B7', `Name eq '${'a'.repeat(15_000)}`],
    ['B7', `Name${' '.repeat(5000)}eq`],
    ['B7', `Name eq ${"\\'".repeat(2500)}`],
    ['B10', "Effort eq 'abc'"],
    ['B10', 'Effort eq NaN'],
    ['B10', 'Effort eq Infinity'],
    ['B10', 'Effort eq 0x10'],
    ['B10', "Effort eq '1,5'"],
    ['B10', 'Effort eq ١٢'],
    ['B10', 'Effort eq --5'],
    ['B11', 'Id eq x'],
    ['B12', "CreateDate gt '2023-02-29'"],
    ['B12', "CreateDate gt '0000-00-00'"],
    ['B12', "CreateDate gt '2023-01-01T25:00:00'"],
    ['B12', "CreateDate gt '+275760-09-13'"],
    ['B13', "CreateDate lt 'null'"],
    ['B13', 'Effort gt null'],
    ['B14', 'Foo.Bar eq 1'],
    ['B14', `${'Project.'.repeat(20)}Id eq 1`],
    ['B14', `${'Project.'.repeat(500)}Id eq 1`],
    ['B14', 'toString eq 1'],
    ['B14', 'Project.constructor.name eq 1'],
    ['B16', "Name eq '\u0000'"],
  ])('%s row %# is refused', async (_, text) => void (await refused(where(text))));

  it.each([
    ['B1', "Name eq 'a''b'"],
    ['B1', "Name eq 'a\\'b'"],
    ['B1', 'Name eq "a"'],
    ['B5', `Name ne '${'x'.repeat(8000)}'`],
    ['B6', `Id in (${many(1000, String, ',')})`],
    ['B6', many(100, () => 'Id eq 1', ' or ')],
    ['B8', "Name contains '%'"],
    ['B8', "Name contains '_'"],
    ['B8', "Name contains '\\\\'"],
    ['B8', "Name contains ''"],
    ['B10', 'Effort eq 99999999999999999999'],
    ['B11', 'Id eq -1'],
    ['B11', 'Id eq 2147483648'],
    ['B11', 'Id in (99999999999)'],
    ['B12', "CreateDate lt '9999-12-31'"],
    ['B12', "CreateDate gt '0001-01-01'"],
    ['B12', "CreateDate gt 'Today'"],
    ['B14', 'PROJECT.ID eq 1'],
    ['B14', 'team.iD eq 1'],
    ['B17', "Name eq '\u202e\ud83d\ude00'"],
    ['B17', `Name contains '${'\u0301'.repeat(1000)}'`],
    ['B17', "Name eq '\ufeff'"],
    ['B8', "Tags contains '*'"],
    ['B8', "Tags contains ''"],
    ['B8', "Tags contains '**'"],
  ])('%s row %# is answered', async (_, text) => {
    expect((await app.ask(`${where(text)}&format=json`)).status).toBe(200);
  });

  it('B1: leaves every table where it is', async () => {
    expect((await app.rows('select count(*)::int as n from general'))[0].n).toBeGreaterThan(100);
  });

  it('B2: refuses a secret field in the words for one that never existed', async () => {
    const secret = await refused(where("PasswordHash eq 'x'"));
    expect(secret).toBe((await refused(where("PasswordHush eq 'x'"))).replace('PasswordHush', 'PasswordHash'));
  });

  it('B5, B9: refuses what is too long before looking at it', async () => {
    await refused(`${stories}?where=${'a'.repeat(17_000)}`, 414);
    await refused(where(`Name contains '${'('.repeat(16_500)}'`), 414);
    for (const length of [64 * 1024, 1024 * 1024]) {
      const line = `GET ${stories}?where=Name+contains+'${'x'.repeat(length)}' HTTP/1.1\r\nHost: a\r\n\r\n`;
      expect(statusesOf(await say(app, line))).toEqual([431]);
    }
  });

  it('B8: takes the signs of patterns as letters', async () => {
    const countOf = async (text: string) => (await app.items(`${where(`Name contains '${text}'`)}&take=1000`)).length;
    const all = await countOf('');
    expect(all).toBeGreaterThan(0);
    for (const sign of ['%', '_', '\\\\']) expect([sign, await countOf(sign)]).toEqual([sign, 0]);
  });

  it('B13: asks for null by the word, quoted or not', async () => {
    const users = (text: string) => app.items(`/api/v1/Users?take=1000&where=${encodeURIComponent(text)}`);
    const quoted = await users('LastLoginDate eq "null"');
    expect(quoted).toEqual(await users('LastLoginDate is null'));
    expect(quoted).toEqual(await users('LastLoginDate eq null'));
    const tag = (await app.post('/api/v1/Tags?format=json', { Name: 'null' })).json;
    const named = await app.items(`/api/v1/Tags?where=${encodeURIComponent("Name in ('null')")}`);
    expect(named.map(({ Id }) => Id)).toEqual([tag.Id]);
  });

  it.each([
    '%',
    '%ff%fe',
    '%u0041',
    '%ED%A0%80',
    '%C0%AF',
    '%00',
  ])('B15, B16, B17: refuses %s, which is no text in UTF-8', async (bytes) =>
    void (await refused(`${stories}?where=Name%20eq%20'${bytes}'`)));
});

describe('parameters', () => {
  it.each([
    ['B15', 'where=Id+eq+1&where=Id+eq+2'],
    ['B15', 'where=Id+eq+1&where='],
    ['B15', 'where[]=Id+eq+1'],
    ['B15', 'where[a]=b'],
    ['B18', 'take=-1'],
    ['B18', 'take=1.5'],
    ['B18', 'take=1e3'],
    ['B18', 'take=abc'],
    ['B18', 'take[]=1'],
    ['B18', 'take=1&take=2'],
    ['B18', 'skip=-1'],
    ['B18', 'skip=9223372036854775808'],
    ['B22', 'include=['],
    ['B22', 'include=[Name'],
    ['B22', 'include=[Name]]'],
    ['B22', 'include=[Name,,Id]'],
    ['B22', 'include=[*]'],
    ['B22', 'include=[Name[Id]]'],
    ['B22', `include=${'[Project'.repeat(50)}${']'.repeat(50)}`],
    ['B22', `include=${'['.repeat(1000)}${']'.repeat(1000)}`],
    ['B22', `include=[${many(300, (at) => `F${at}`, ',')}]`],
    ['B22', `include=[${many(2000, () => 'Name', ',')}]`],
    ['B23', 'include=[Tasks[Bugs]]'],
    ['B23', 'include=[UserStories[Tasks]]'],
    ['B24', 'include=[Name]&exclude=[Id]'],
    ['B24', 'INCLUDE=[Name]&Exclude=[Id]'],
    ['B24', 'exclude=[Nope]'],
    ['B25', 'include=[Project[CustomFields]]'],
    ['B25', 'include=[CustomFields[Foo]]'],
    ['B26', 'include=[Password]'],
    ['B26', 'include=[Project[ProjectMembers[User[Password]]]]'],
    ['B26', 'include=[__proto__]'],
    ['B26', 'include=[constructor]'],
    ['B26', 'include=[toString]'],
    ['B26', 'include=[hasOwnProperty]'],
    ['B27', `append=[${many(60, () => 'Bugs-Count', ',')}]`],
    ['B27', 'append=[Bugs-Sum]'],
    ['B27', 'append=[Foo-Count]'],
    ['B27', 'append=[Bugs-Count'],
    ['B27', 'append=[__proto__-Count]'],
    ['B28', 'format[]=json'],
    ['B28', 'dateformat=x'],
    ['B31', 'take=5&Take=1000'],
    ['B31', "where=Id+eq+1&WHERE=Name+eq+'x'"],
    ['B31', 'were=Id+eq+1'],
    ['B31', 'inlcude=[Name]'],
    ['B32', many(2000, (at) => `p${at}=1`, '&')],
    ['B22', 'orderBy=Name;drop'],
    ['B22', 'orderBy=(select 1)'],
    ['B22', 'orderBy=Tasks.Name'],
    ['B22', 'orderBy=Name foo'],
    ['B2', 'orderBy=Password'],
  ])('%s row %# is refused', async (_, query) => void (await refused(`${stories}?${query}`)));

  it.each([
    ['B15', 'where='],
    ['B18', 'take=0'],
    ['B22', 'include=[]'],
    ['B22', 'include=[Name,Name]'],
    ['B24', 'include=&exclude=[Description]'],
    ['B27', 'append=[Bugs-Count,Bugs-Count]'],
    ['B31', 'filter=x&limit=1'],
    ['B32', `a${'[b]'.repeat(1000)}=1`],
    ['B32', `${'a'.repeat(10_000)}=1`],
  ])('%s row %# is answered', async (_, query) => {
    expect((await app.ask(`${stories}?${query}`)).status).toBe(200);
  });

  it('B18: more than a thousand counts as a thousand, and nothing follows the last page', async () => {
    const page = await app.json('/api/v1/Generals?take=999999999');
    expect(page.Items.length).toBe(1000);
    expect(page.Next).toContain('take=1000&skip=1000');
    const beyond = await app.json('/api/v1/Generals?skip=900000');
    expect([beyond.Items, beyond.Next]).toEqual([[], undefined]);
  });

  it('B22, B27: what is asked for twice is shown once', async () => {
    const [story] = await app.items(`${stories}?include=[Name,name,Name]&append=[Bugs-Count,bugs-count]&take=1`);
    expect(Object.keys(story)).toEqual(['ResourceType', 'Id', 'Name', 'Bugs-Count']);
  });

  it('B23: a collection in a collection is refused with the way that works', async () => {
    expect(await refused('/api/v1/Features?include=[UserStories[Tasks]]')).toMatch(/Tasks.*UserStory|version 2|v2/i);
  });

  it('B32: no name makes an object, and none is polluted', async () => {
    await app.ask(`${stories}?__proto__=1&__proto__[IsAdministrator]=true&constructor[prototype][x]=1`);
    expect(({} as Record<string, unknown>).IsAdministrator).toBeUndefined();
    const line = `GET ${stories}?${'a'.repeat(100 * 1024)}=1 HTTP/1.1\r\nHost: a\r\n\r\n`;
    expect(statusesOf(await say(app, line))).toEqual([431]);
  });
});

describe('pages', () => {
  it('B19: deep ones are empty, and hold up nobody', async () => {
    const deep = Array.from({ length: 32 }, (_, at) => app.items(`/api/v1/Generals?skip=${19_999_000 + at}`));
    const shallow = Array.from({ length: 8 }, () => app.items('/api/v1/Generals?take=1'));
    for (const items of await Promise.all(deep)) expect(items).toEqual([]);
    for (const items of await Promise.all(shallow)) expect(items.length).toBe(1);
  });

  it('B20: a walk by Id meets each item once that is there all the while, whatever comes and goes', async () => {
    const list = Array.from({ length: 30 }, (_, at) => ({ Name: `walk ${at}` }));
    const made = (await app.post('/api/v1/Tags/bulk?format=json', list)).json.Items.map(({ Id }: { Id: number }) => Id);
    const rest = made.slice(10);
    const met: number[] = [];
    let next: string | undefined = "/api/v1/Tags?format=json&orderBy=Id&take=7&include=[Id]&where=Name contains 'walk'";
    for (let page = 0; next; page += 1) {
      const answer: { Items: { Id: number }[]; Next?: string } = (await app.ask(next)).json;
      met.push(...answer.Items.map(({ Id }) => Id));
      next = answer.Next?.replace(/^http:\/\/[^/]+/, '');
      await app.post('/api/v1/Tags', { Name: `walk and more ${page}` });
      if (page > 20) break;
    }
    expect(met.filter((id) => rest.includes(id))).toEqual(rest);
  });

  it('B20: links keep what was asked for, and no credential', async () => {
    const token = encodeURIComponent((await app.json('/api/v1/Authentication')).Token);
    const asked = {
      where: "Name ne 'ä & <b>'",
      include: '[Name]',
      append: '[Bugs-Count]',
      orderBy: 'Name desc',
      format: 'json',
      take: '1',
    };
    const path = `${stories}?${new URLSearchParams(asked)}&token=${token}`;
    const { json } = await app.ask(path, { as: 'nobody' });
    expect(Object.fromEntries(new URL(json.Next).searchParams)).toEqual({ ...asked, skip: '1' });
  });
});

describe('B28: the format', () => {
  it.each<[string, Record<string, string>, number, string]>([
    ['?format=xml', {}, 200, 'xml'],
    ['?format=JSON', {}, 200, 'json'],
    ['?format=yaml', {}, 400, 'xml'],
    ['?format=../../etc/passwd', {}, 400, 'xml'],
    ['', {}, 200, 'xml'],
    ['', { accept: 'application/json' }, 200, 'json'],
    ['?format=xml', { accept: 'application/json' }, 200, 'xml'],
    ['', { accept: 'image/png' }, 200, 'xml'],
    ['', { accept: '*/*' }, 200, 'xml'],
  ])('%s with %j', async (query, headers, status, format) => {
    const answer = await app.ask(`/api/v1/Bugs${query}`, { headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      status,
      `application/${format}; charset=utf-8`,
    ]);
    if (status >= 400) await messageOf(answer);
  });
});

describe('paths', () => {
  it.each([
    ['B29', `${stories}/../Users/abc`, 400],
    ['B29', '/api/v1/%2e%2e%2f', 404],
    ['B29', `${stories};x=1`, 404],
    ['B29', `${stories}./`, 404],
    ['B29', `${stories}/1/2/3`, 404],
    ['B29', '/api/v1', 404],
    ['B29', '/api/', 404],
    ['B29', '/api/v1/__proto__', 404],
    ['B29', '/api/v1/__proto__/1', 404],
    ['B29', '/api/v1/constructor/1', 404],
    ['B29', '/api/v1/toString/meta', 404],
    ['B11', `${stories}/${'9'.repeat(300)}`, 400],
    ['B11', `${stories}/99999999999999999999`, 404],
    ['B11', `${stories}/2147483648`, 404],
    ['B11', `${stories}/0x1`, 400],
    ['B11', `${stories}/1.5`, 400],
    ['B11', `${stories}/1;drop`, 400],
    ['B11', `${stories}/1%00`, 400],
  ])('%s row %#', async (_, path, status) => void (await refused(path, status)));

  it.each([
    '//api//v1//UserStories',
    '/api/v1/%55serStories',
    '/API/V1/userstories/',
    '/api/v1/UserStories.asmx',
  ])('B29: %s is another spelling of one address, which asks for the same credentials', async (path) => {
    const plain = (await app.ask(`${stories}?format=json&take=1`)).text;
    expect((await app.ask(`${path}?format=json&take=1`)).text).toBe(plain);
    expect((await app.ask(path, { as: 'nobody' })).status).toBe(401);
  });

  it('B29: an unknown place outside the API is answered without a fault', async () => {
    for (const path of ['/nothing', '//nothing', '/..%2f..%2fetc/passwd', '/.env', '/.git/config', '/node_modules']) {
      const { status, text } = await app.ask(path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toMatch(/root:|node_modules\//);
    }
  });
});

describe('B30: version 2 in the path', () => {
  const asked = (condition: string) => app.ask(`/api/v2/Release/where=(${encodeURIComponent(condition)})?select={id}`);

  it('counts by the condition that is given', async () => {
    const [release] = await app.items('/api/v1/Releases?take=1&include=[Project]&where=Project is not null');
    const { status, json } = await asked(`Projects.Count(ID=='${release.Project.Id}')>0`);
    expect([status, json.items.length > 0]).toEqual([200, true]);
  });

  it.each([
    "Projects.Count(ID=='1'",
    'Projects.Drop(1)>0',
    'Projects.Count(x=>x.id==1)>0',
    "Projects.Count(ID=='1') >",
    'Projects.Count(password==1)>0',
    '__proto__.count()>0',
    'Projects.constructor()>0',
    "id==1) union select 1 from general_user where ('1'='1'",
  ])('refuses %s', async (condition) => {
    const answer = await asked(condition);
    expect(answer.status).toBe(400);
    await messageOf(answer, 'json');
  });
});

describe('denials of denials', () => {
  const denied = (count: number, of: string): string => `${'not('.repeat(count)}${of}${')'.repeat(count)}`;
  async function answer(query: string): Promise<unknown> {
    const { status, json } = await app.ask(`/api/v2/${query.replaceAll('+', '%2B')}`);
    expect([query.slice(0, 60), status]).toEqual([query.slice(0, 60), 200]);
    return json.items ?? json;
  }

  it.each([
    ['numbers of all', (count: number) => `UserStory?result=count&where=${denied(count, 'effort>1')}`],
    [
      'collections of what was denied before',
      (count: number) =>
        `Feature?select={id,n:userStories.select(${denied(count, 'effort>1')}).where(${denied(count, 'it')}).count()}`,
    ],
    ['choices', (count: number) => `UserStory?select={id,n:${denied(count, 'effort>1')}?1:2}&take=5`],
    ['groups', (count: number) => `UserStory?groupBy=g:${denied(count, 'effort>1')}&result=count`],
  ])('B6: an even number is none, in %s', async (_, spell) => {
    expect(await answer(spell(44))).toEqual(await answer(spell(0)));
  });
});
