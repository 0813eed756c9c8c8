/**
 * JSON bodies, and bodies of no format at all, that must be refused or survived; texts that must come back as they were
 * sent.
 */
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BodyRoom } from '../../src/http/body-room.js';
import { BodyTurns } from '../../src/http/body-turns.js';
import { type Answer, type Ask, TestApp } from '../support/app.js';
import { scrumProjects, storedCounts } from '../support/demonstration.js';
import { eventually } from '../support/eventually.js';
import { messageOf } from '../support/refusal.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
let project: number;
let story: number;
/** Status of every answer of this file. */
const statuses: number[] = [];

beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
  [{ id: story }] = (await app.rows(
    'select id from general where entity_type_id = 4 and project_id = $1 and delete_date is null order by id',
    [project],
  )) as [{ id: number }];
});
afterAll(() => app.stop());

const counts = () => storedCounts(app);

/** Names of tables, columns and libraries, statements, places in the source: nothing of it may be told. */
const internals =
  /general_user|\w_id\b|\b(select|insert into) |typeorm|node_modules|\.ts:|\.js:|syntax error at|\bpg_|fastify|nestjs|xml2js|\bsax\b|RangeError|TypeError|SyntaxError|call stack|\[object /i;

async function send(path: string, body: string | Buffer, ask: Ask = {}): Promise<Answer> {
  const answer = await app.ask(path, {
    method: 'POST',
    body: Buffer.from(body),
    ...ask,
    headers: { 'content-type': 'application/json', ...ask.headers },
  });
  statuses.push(answer.status);
  return answer;
}

interface Refusal {
  path?: string;
  status?: number;
  ask?: Ask;
  /** What the message must say. */
  says?: RegExp;
}

const spelled = (body: unknown): string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);

/** Sends it, checks that it is refused in one shape and in the client's words, and that nothing at all was written. */
async function refused(body: unknown, { path = '/api/v1/UserStories', status = 400, ask, says }: Refusal = {}) {
  const before = await counts();
  const answer = await send(path, spelled(body), ask);
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.any(String)]);
  const message = await messageOf(answer);
  expect(message).not.toMatch(internals);
  if (says) expect(message).toMatch(says);
  expect(await counts()).toEqual(before);
  return message;
}

const withMembers = (members: Record<string, unknown>) => ({ Name: 'x', Project: { Id: project }, ...members });

describe('C1: what is no JSON or XML', () => {
  it.each([
    [''],
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/json; charset=utf-16'],
    ['application/json;charset=evil'],
    ['application/xml; charset="iso-8859-2"'],
    ['application/json, text/plain'],
    ['application/javascript'],
    ['application/hal+json'],
    ['json'],
    ['*/*'],
    [';'],
    ['application/json\\x00'],
  ])('%s is 415', async (type) => {
    const ask = { headers: { 'content-type': type } };
    await refused(withMembers({}), { status: 415, ask, says: /application\/json or application\/xml/ });
  });

  it.each([
    'gzip',
    'br',
    'deflate',
    'zstd',
    'x-unknown',
    'identity, gzip',
  ])('C7: compressed by %s is 415', async (encoding) => {
    await refused(withMembers({}), { status: 415, ask: { headers: { 'content-encoding': encoding } } });
  });

  it('is answered in the format that was asked for, or sent', async () => {
    const formats: [Record<string, string>, string, string][] = [
      [{}, '', 'application/json'],
      [{}, '?format=xml', 'application/xml'],
      [{ accept: 'application/xml' }, '', 'application/xml'],
      [{ 'content-type': 'application/xml' }, '', 'application/xml'],
      [{ 'content-type': 'application/xml' }, '?format=json', 'application/json'],
      [{ 'content-type': 'application/xml', accept: 'application/json' }, '', 'application/json'],
      [{ 'content-type': 'text/plain' }, '', 'application/xml'],
      [{ 'content-type': 'text/plain', accept: 'application/json' }, '', 'application/json'],
      [{ 'content-type': 'application/json; charset=utf-16' }, '', 'application/json'],
    ];
    for (const [headers, query, type] of formats) {
      const answer = await send(`/api/v1/UserStories${query}`, '?', { headers });
      expect([headers, answer.headers.get('content-type')]).toEqual([headers, `${type}; charset=utf-8`]);
      await messageOf(answer);
    }
  });
});

describe('C2, C3, C4: bodies that are no entity', () => {
  const place = /line \d+, column \d+/;
  it.each([
    ['nothing', '', /empty|a value is expected/],
    ['null', 'null', /entity/],
    ['true', 'true', /entity/],
    ['a number', '42', /entity/],
    ['a text', '"x"', /entity/],
    ['an empty list', '[]', /one entity/],
    ['a list of one', '[{"Name":"x"}]', /one entity/],
    ['an empty entity', '{}', /Name: a value is required.\nProject: a value is required/],
    ['XML', '<UserStory Name="x"/>', place],
    ['a text that does not end', '{"Name":"a', place],
    ['an object that does not end', '{"Name":"a"', place],
    ['a member without value', '{"Name":', place],
    ['a member without colon', '{"Name" "a"}', place],
    ['a value without member', '{"a"}', place],
    ['two commas', '{"Name":"a",,"Project":{"Id":1}}', place],
    ['a leading comma', '{,"Name":"a"}', place],
    ['two values', '{"Name":"a"}{"Name":"b"}', place],
    ['something behind', '{"Name":"a"} x', place],
    ['a comment that does not end', '{"Name":"a"} /* ', place],
    ['NaN', '{"Name":"x","NumericPriority":NaN}', place],
    ['Infinity', '{"Name":"x","NumericPriority":-Infinity}', place],
    ['a hexadecimal number', '{"Name":"x","NumericPriority":0x10}', place],
    ['a leading zero', '{"Name":"x","NumericPriority":012}', place],
    ['a bare text', '{"Name":hello}', place],
    ['undefined', '{"Name":undefined}', place],
    ['a function', '{"Name":function(){}}', place],
    ['a template text', '{"Name":`x`}', place],
    ['an escape of no meaning', '{"Name":"\\x41"}', place],
    ['a half escape', '{"Name":"\\u12"}', place],
    ['half of a surrogate pair', '{"Name":"\\ud83d"}', place],
    ['the other half', '{"Name":"a\\ude00b"}', place],
    ['a control character', '{"Name":"a\u0001b"}', place],
    ['a lone quote', '"', place],
    ['a lone bracket', '[', place],
    ['nothing but spaces', ' \n\t ', place],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /UTF-8/],
    ['a surrogate in UTF-8', Buffer.from('7b224e616d65223a22eda080227d', 'hex'), /UTF-8/],
    ['an overlong NUL', Buffer.from('7b224e616d65223a22c080227d', 'hex'), /UTF-8/],
    ['UTF-16', Buffer.from('\ufeff{"Name":"a"}', 'utf16le'), /UTF-8/],
  ])('%s', async (_, body, says) => void (await refused(body, { says })));

  it.each([
    ['raw', '{"Name":"a\0b"}'],
    ['escaped', '{"Name":"a\\u0000b"}'],
    ['in a name', '{"Na\\u0000me":"a"}'],
  ])('NUL, %s, with its place', async (_, body) =>
    void (await refused(body, { says: /NUL.*line 1, column \d+|^Name.*NUL/ })));

  it.each([
    ['twice', '{"Name":"a","Name":"b"}', /^Name: the member is given twice/],
    ['twice in another letter case', '{"Name":"a","NAME":"b"}', /^NAME: the member is given twice/],
    ['twice by an escape', '{"Name":"a","N\\u0061me":"b"}', /^Name: the member is given twice/],
    ['twice inside', '{"Name":"a","Project":{"Id":1,"id":2}}', /^Project\.id: the member is given twice/],
    ['twice by two names', '{"Name":"a","Owner":{"Id":1},"Creator":{"Id":3}}', /^(Owner|Creator): /],
  ])('a member %s', async (_, body, says) => void (await refused(body, { says })));

  it('a member twice in one item of a list, and tells which', async () => {
    await refused('[{"Name":"a"},{"Name":"b","name":"c"}]', {
      path: '/api/v1/UserStories/bulk',
      says: /^\[1\]\.name: the member is given twice/,
    });
  });

  it('takes trailing commas, comments, single quotes, bare names and a byte order mark', async () => {
    const body = `\ufeff/* a */ {Name: 'it', // b\n 'Project': {id: "${project}",},} // c`;
    expect((await send('/api/v1/UserStories', body)).status).toBe(201);
  });
});

describe('C5: what is too deep, too long, too many', () => {
  const many = 100_000;
  it.each([
    ['brackets', () => '['.repeat(many), /deeper than 20/],
    ['closed brackets', () => `${'['.repeat(many)}${']'.repeat(many)}`, /deeper than 20/],
    ['objects', () => '{"a":'.repeat(many), /deeper than 20/],
    ['objects within a reference', () => `{"Project":${'{"Id":'.repeat(30)}1${'}'.repeat(31)}`, /deeper than 20/],
    ['values', () => `{"Tasks":[${'1,'.repeat(250_000)}]}`, /more than 200000 values/],
    ['members', () => `{${Array.from({ length: 1_001 }, (_, n) => `m${n}:1`).join()}}`, /more than 1000 members/],
    ['items of a collection', () => `{"Tasks":[${'{"Name":"t"},'.repeat(1001)}]}`, /Tasks.*1000/],
    ['tags', () => `{"Name":"x","Tags":"${Array.from({ length: 10_000 }, (_, n) => `t${n}`).join()}"}`, /Tags.*200/],
  ])('%s', async (_, body, says) => void (await refused(body(), { says })));

  it.each([
    ['spaces', () => `${' '.repeat(9_000_000)}{}`],
    ['line breaks', () => `{}${'\r\n'.repeat(4_500_000)}`],
    ['comments', () => `{${'/**/'.repeat(2_000_000)}}`],
    ['one long comment', () => `{/*${'*a'.repeat(4_000_000)}*/}`],
    ['lines of comment', () => `{${'//\n'.repeat(3_000_000)}}`],
    ['a comment that does not end', () => `{/*${'*a'.repeat(4_000_000)}`],
    ['a quoted name', () => `{"${'a'.repeat(9_000_000)}":1}`],
    ['a bare name', () => `{${'a'.repeat(9_000_000)}:1}`],
    ['a bare name of wide letters', () => `{${'\u{20000}'.repeat(2_200_000)}:1}`],
    ['a number', () => `{"NumericPriority":${'1'.repeat(9_000_000)}}`],
    ['digits behind the point', () => `{"NumericPriority":1.${'1'.repeat(9_000_000)}}`],
    ['a word', () => `{"Name":${'a'.repeat(9_000_000)}}`],
    ['a text', () => `{"Name":"${'a'.repeat(9_000_000)}"}`],
    ['escapes', () => `{"Name":"${'\\n'.repeat(4_500_000)}"}`],
    ['a date', () => `{"StartDate":"${' '.repeat(9_000_000)}"}`],
    ['an id', () => `{"Id":"${'1'.repeat(9_000_000)}"}`],
    [
      'the name of a state',
      () => `{"Name":"x","Project":{"Id":${project}},"EntityState":{"Name":"${'a'.repeat(9_000_000)}"}}`,
    ],
    ['the name of a custom field', () => `{"CustomFields":[{"Name":"${'a'.repeat(9_000_000)}","Value":1}]}`],
    ['a tag', () => `{"Tags":"${'a'.repeat(9_000_000)}"}`],
    ['commas between no tags', () => `{"Name":"${'x'.repeat(256)}","Tags":"${','.repeat(9_000_000)}"}`],
  ])('megabytes of %s are refused in few words', async (_, body) => void (await refused(body())));

  /** A step that is more than linear would keep these busy for longer than a test may take. */
  it.each([
    ['spaces', (n: number) => ' '.repeat(n)],
    ['comments', (n: number) => `{${'/**/'.repeat(n / 4)}}`],
    ['an open comment', (n: number) => `{/*${'*a'.repeat(n / 2)}`],
    ['slashes', (n: number) => `{${'/'.repeat(n)}`],
    ['escapes', (n: number) => `{"Name":"${'\\"'.repeat(n / 2)}"}`],
    ['distinct members', (n: number) => `{${Array.from({ length: n / 10 }, (_, at) => `"m${at}":1`).join()}}`],
    ['open tags in a text', (n: number) => `{"Name":"","Description":"${'<div>'.repeat(n / 5)}"}`],
    ['a number', (n: number) => `{"NumericPriority":${'9'.repeat(n)}}`],
    ['tags', (n: number) => `{"Tags":"${Array.from({ length: n / 8 }, (_, at) => `t${at}`).join()}"}`],
  ])('a megabyte of %s is refused', async (_, body) => {
    expect((await send('/api/v1/UserStories', body(1_000_000))).status).toBe(400);
  });

  it('C6: more than 10 MiB is 413 and closes the connection before it is read', async () => {
    const before = await counts();
    for (const length of [10 * 1024 * 1024 + 1, 100 * 1024 * 1024, 1_000_000_000_000]) {
      const { answer, closed } = await raw(`Content-Length: ${length}\r\n`, '{"Name":"x"');
      expect([length, answer]).toEqual([length, expect.stringMatching(/^HTTP\/1\.1 413 /)]);
      expect(answer).toContain('The body is larger than 10485760 bytes.');
      expect(closed).toBe(true);
    }
    expect(await counts()).toEqual(before);
  });

  it('a body in chunks without end is 413 once it is too long', async () => {
    const chunks = `100000\r\n${' '.repeat(1024 * 1024)}\r\n`.repeat(10);
    const { answer, closed } = await raw('Transfer-Encoding: chunked\r\n', `${chunks}1\r\n \r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(closed).toBe(true);
  });

  it.each(['1e12', '-1', '5, 6', '0x10', 'many'])('a length of %s is 400', async (length) => {
    const { answer } = await raw(`Content-Length: ${length}\r\n`, '{}');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toMatch(internals);
  });

  it('10 MiB to the byte are read', async () => {
    const entity = `{"Name":"x","Project":{"Id":${project}},"Nope":"`;
    const body = `${entity}${'x'.repeat(10 * 1024 * 1024 - entity.length - 2)}"}`;
    expect(Buffer.byteLength(body)).toBe(10 * 1024 * 1024);
    await refused(body, { says: /^Nope: / });
    await refused(`${body} `, { status: 413 });
  });

  /** Writes the beginning of a request by hand and reads what is answered, without ever ending the request. */
  function raw(header: string, body: string): Promise<{ answer: string; closed: boolean }> {
    const { hostname, port } = new URL(app.base);
    const socket = connect(Number(port), hostname);
    const credentials = Buffer.from('admin:admin').toString('base64');
    let answer = '';
    socket.write(
      `POST /api/v1/UserStories HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${credentials}\r\nContent-Type: application/json\r\n${header}\r\n`,
    );
    socket.write(body);
    return new Promise((resolve) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        answer += data.toString();
      });
      socket.on('close', () => resolve({ answer, closed: true }));
      socket.setTimeout(5000, () => {
        socket.destroy();
        resolve({ answer, closed: false });
      });
    });
  }
});

describe('C8: members', () => {
  it.each([
    ['__proto__', '{"__proto__":{"IsAdministrator":true}}'],
    ['__proto__', '{__proto__:null}'],
    ['constructor', '{"constructor":{"prototype":{"IsAdministrator":true}}}'],
    ['prototype', '{"prototype":{}}'],
    ['toString', '{"toString":1}'],
    ['hasOwnProperty', '{"hasOwnProperty":1}'],
    ['valueOf', '{"valueOf":null}'],
    ['Name', '{"Name":{"__proto__":1}}'],
    ['Project', '{"Name":"x","Project":{"__proto__":{"Id":1}}}'],
    ['Feature.Id', '{"Name":"x","Feature":{"Id":{"__proto__":1}}}'],
    ['CustomFields[0]', '{"Name":"x","CustomFields":[{"__proto__":{"Name":"Risk"}}]}'],
    ['Tasks[0].__proto__', '{"Name":"x","Tasks":[{"Name":"t","__proto__":{"x":1}}]}'],
    ['Assignments', '{"Name":"x","Assignments":{"__proto__":[]}}'],
    ['IsAdministrator', '{"Name":"x","IsAdministrator":true}'],
    ['Password', '{"Name":"x","Password":"x"}'],
    ['PasswordHash', '{"Name":"x","PasswordHash":"x"}'],
    ['entityTypeId', '{"Name":"x","entityTypeId":8}'],
    ['deletedWithId', '{"Name":"x","deletedWithId":8}'],
    ['customValues', '{"Name":"x","customValues":{}}'],
    ['Name]', '{"Name]":"x"}'],
    ['Project.Id', '{"Name":"x","Project.Id":8}'],
    ['$where', '{"$where":"1"}'],
    ["' or 1=1--", `{"' or 1=1--":1}`],
  ])('%s: %s', async (name, body) => {
    const message = await refused(body);
    expect(message.startsWith(`${name}: `)).toBe(true);
    expect(({} as Record<string, unknown>).IsAdministrator).toBeUndefined();
  });

  it('of any length are named in few words, in a body of one and of many', async () => {
    const name = 'x'.repeat(100_000);
    for (const body of [{ [name]: 1 }, { Name: 'x', Tasks: [{ [name]: 1 }] }, { CustomFields: [{ [name]: 1 }] }]) {
      expect((await refused(body)).length).toBeLessThan(500);
      await refused([body], { path: '/api/v1/UserStories/bulk', says: /^\[0\]\./ });
    }
    await refused(`{"${name}":1,"${name}":2}`);
    await refused(withMembers({ RoleEfforts: [{ Role: { Name: name } }] }), { says: /^RoleEfforts\[0\]\.Role/ });
    await refused(withMembers({ EntityState: { Name: name } }), { says: /^EntityState/ });
    await refused(withMembers({ Priority: { Name: name } }), { says: /^Priority/ });
  });

  it('that hold what XML cannot carry are named in an error that is well-formed', async () => {
    for (const name of ['a\u0001b', 'a\uffffb', '<a>&', ']]>', '"']) {
      await refused({ [name]: 1 });
      await refused({ [name]: 1 }, { path: '/api/v1/UserStories?format=xml' });
    }
  });
});

describe('C12: references', () => {
  it.each([
    [8, /^Feature: /],
    ['8', /^Feature: /],
    [true, /^Feature: /],
    [[], /^Feature: /],
    [[{ Id: 8 }], /^Feature: /],
    [{}, /^Feature: /],
    [{ Items: [] }, /^Feature: /],
    [{ Name: 'Search' }, /^Feature: /],
    [{ Id: {} }, /^Feature\.Id: /],
    [{ Id: [8] }, /^Feature\.Id: /],
    [{ Id: true }, /^Feature\.Id: /],
    [{ Id: -8 }, /^Feature\.Id: /],
    [{ Id: 8.5 }, /^Feature\.Id: /],
    [{ Id: '8 or 1=1' }, /^Feature\.Id: /],
    [{ Id: '0x8' }, /^Feature\.Id: /],
    [{ Id: 2 ** 53 }, /^Feature\.Id: /],
    [{ Id: '9'.repeat(5000) }, /^Feature\.Id: /],
    [{ Id: 0, Name: 'Search' }, /^Feature\.Id: /],
    [{ Id: 999_999 }, /^Feature\.Id: there is no Feature with Id 999999/],
  ])('%j', async (Feature, says) => void (await refused(withMembers({ Feature }), { says })));

  it.each([[null], [{ Id: null }], [{ Id: 999_999 }], [{ Id: 3 }]])('Project %j', async (Project) => {
    await refused({ Name: 'x', Project }, { says: /^Project(\.Id)?: / });
    await refused({ Project }, { path: `/api/v1/UserStories/${story}`, says: /^Project(\.Id)?: / });
  });

  it('carry no other change: a name beside an Id is not passed on', async () => {
    const [before] = await app.rows('select name from general where id = $1', [project]);
    const answer = await send(
      '/api/v1/UserStories',
      spelled({ Name: 'x', Project: { Id: String(project), Name: 'new', IsActive: false } }),
    );
    expect([answer.status, answer.json.Project.Name]).toEqual([201, before.name]);
    expect(await app.rows('select name, is_active from general where id = $1', [project])).toEqual([
      { name: before.name, is_active: true },
    ]);
  });

  it('to an entity of another kind are to none', async () => {
    const [bug] = await app.rows('select id from general where entity_type_id = 8 and delete_date is null limit 1');
    await refused(withMembers({ Feature: { Id: bug.id } }), { says: /^Feature\.Id: there is no Feature/ });
    await refused({ Name: 'x', Project: { Id: bug.id } }, { says: /^Project\.Id: there is no Project/ });
  });
});

describe('C15, C17, C18: values', () => {
  it.each([
    ['Name', ''],
    ['Name', '   '],
    ['Name', '\n\t'],
    ['Name', null],
    ['Name', true],
    ['Name', ['x']],
    ['Name', { a: 1 }],
    ['Name', 'x'.repeat(256)],
    ['Name', '\u{1f600}'.repeat(256)],
    ['Name', '\u{1f600}\ufe0f'.repeat(128)],
    ['Name', `a${'\u{1f600}\ufe0f'.repeat(127)}\u{1f600}`],
    ['Name', 'x'.repeat(1_000_000)],
    ['Name', 'a\u0000b'],
    ['Name', 'a\u0001b'],
    ['Name', 'a\uffffb'],
    ['Name', 'a\ufffeb'],
    ['Description', 'a\u0008b'],
    ['Description', { a: 1 }],
    ['Description', false],
    ['Description', 'x'.repeat(1024 * 1024 + 1)],
    ['Effort', -1],
    ['Effort', '5 h'],
    ['Effort', 'NaN'],
    ['Effort', 'Infinity'],
    ['Effort', '1'.repeat(30)],
    ['Effort', [1]],
    ['InitialEstimate', -1],
    ['InitialEstimate', '1e400'],
    ['InitialEstimate', 123_456_789_012_345],
    // Within the digits that are allowed, and above them once it is rounded.
    ['InitialEstimate', '99999999999999.99999'],
    ['NumericPriority', '1e400'],
    ['NumericPriority', 'x'],
    ['StartDate', '/Date(1e99)/'],
    ['StartDate', '/Date(99999999999999999)/'],
    ['StartDate', '2023-13-01'],
    ['StartDate', '2023-02-29'],
    ['StartDate', '2023-01-01T25:00:00'],
    ['StartDate', '0000-01-01'],
    ['StartDate', '+275760-09-13'],
    ['StartDate', '0001-01-01T00:00:00+14:00'],
    ['StartDate', '9999-12-31T23:59:59-14:00'],
    ['StartDate', '2023-01-01T00:00:00+99:00'],
    ['StartDate', 'Today'],
    ['StartDate', "'; drop table general"],
    ['StartDate', 1_700_000_000_000],
    ['StartDate', {}],
    ['PlannedEndDate', 'tomorrow'],
  ])('%s row %#', async (name, value) => {
    await refused(withMembers({ [name]: value }), { says: value === 'a\u0000b' ? /NUL/ : new RegExp(`^${name}: `) });
    await refused({ [name]: value }, { path: `/api/v1/UserStories/${story}` });
  });

  it.each([
    ['1e400', /^Effort: /],
    ['-0.0001', /^Effort: /],
    ['999999999999999999999999999999', /^Effort: /],
    ['1e99999999999', /^Effort: /],
  ])('a number written as %s', async (text, says) => {
    await refused(`{"Name":"x","Project":{"Id":${project}},"Effort":${text}}`, { says });
  });

  it.each([
    ['1.005', '1.0050'],
    ['0.1', '0.1000'],
    ['0.30000000000000004', '0.3000'],
    ['1.000000000000000000000000000001', '1.0000'],
    ['12345678901234.1234', '12345678901234.1234'],
    ['"5"', '5.0000'],
    ['1e3', '1000.0000'],
    ['0.00005', '0.0001'],
  ])('a decimal of %s keeps four places', async (text, kept) => {
    const entity = `{"Name":"x","Project":{"Id":${project}},"InitialEstimate":${text}}`;
    const answer = await send('/api/v1/UserStories?include=[InitialEstimate]', entity);
    expect([answer.status, answer.text]).toEqual([201, expect.stringContaining(`"InitialEstimate":${kept}}`)]);
  });

  it('an end before the start', async () => {
    const path = '/api/v1/Releases';
    const release = { Name: 'r', Project: { Id: project }, StartDate: '2031-05-02', EndDate: '2031-05-01' };
    await refused(release, { path, says: /^EndDate: / });
    await refused(withMembers({ PlannedStartDate: '2031-05-02', PlannedEndDate: '2031-05-01' }), {
      says: /^PlannedEndDate: /,
    });
    await refused([{ ...release, EndDate: '2031-06-01' }, release], {
      path: `${path}/bulk`,
      says: /^\[1\]\.EndDate: /,
    });
  });

  it('limits count characters: wide letters count one', async () => {
    const Name = '\u{1f600}'.repeat(255);
    const answer = await send(
      '/api/v1/UserStories',
      spelled(withMembers({ Name, Tags: `${'\u{1f600}'.repeat(255)}, \u{1f601}` })),
    );
    expect([answer.status, answer.json.Name]).toEqual([201, Name]);
  });

  it('a fault in a total names the member that leads to it', async () => {
    const RoleEfforts = [1, 9].map((Id) => ({ Role: { Id }, Effort: 99_999_999_999_999 }));
    await refused(withMembers({ RoleEfforts }), { says: /Effort/ });
  });
});

describe('C19: tags', () => {
  it.each([
    [['a'], /^Tags: /],
    [{ Items: [] }, /^Tags: /],
    [true, /^Tags: /],
    ['t'.repeat(256), /^Tags: /],
    [`ok,${'t'.repeat(5000)}`, /^Tags: /],
    ['a\u0000b', /NUL/],
    ['a,b\u0001', /^Tags: /],
    [Array.from({ length: 201 }, (_, n) => `t${n}`).join(), /^Tags: /],
  ])('row %#', async (Tags, says) => void (await refused(withMembers({ Tags }), { says })));

  it('are trimmed, distinct without regard to case, and cleared by null and by nothing', async () => {
    const made = await send('/api/v1/UserStories', spelled(withMembers({ Tags: ' Zeta,, alpha , ,ALPHA,zeta,' })));
    expect([made.status, made.json.Tags]).toEqual([201, 'alpha, Zeta']);
    for (const Tags of [null, '', ' , ']) {
      const path = `/api/v1/UserStories/${made.json.Id}`;
      await send(path, spelled({ Tags: 'alpha' }));
      expect((await send(path, spelled({ Tags }))).json.Tags).toBe('');
    }
  });

  it('are not given in two ways in one body', async () => {
    await refused(withMembers({ Tags: 'never-1', TagObjects: [{ Name: 'never-2' }] }), { says: /Tags and TagObjects/ });
    await refused([withMembers({}), withMembers({ TagObjects: [{ Id: 1 }], Tags: 'never-3' })], {
      path: '/api/v1/UserStories/bulk',
      says: /^\[1\]\./,
    });
  });
});

describe('C21: custom fields', () => {
  it.each([
    ['x', /^CustomFields: /],
    [{}, /^CustomFields: /],
    [{ Risk: 'High' }, /^CustomFields: /],
    [['x'], /^CustomFields\[0\]/],
    [[null], /^CustomFields\[0\]/],
    [[[]], /^CustomFields\[0\]/],
    [[{}], /^CustomFields\[0\]\.Name/],
    [[{ Name: 'Risk' }], /^CustomFields\[0\]\.Value/],
    [[{ Name: '', Value: 1 }], /^CustomFields\[0\]\.Name/],
    [[{ Name: 'Nope', Value: 1 }], /^CustomFields\[0\]\.Name/],
    [[{ Name: '__proto__', Value: { x: 1 } }], /^CustomFields\[0\]\.Name/],
    [[{ Name: 'constructor', Value: 1 }], /^CustomFields\[0\]\.Name/],
    [[{ Name: 'x'.repeat(256), Value: 1 }], /^CustomFields\[0\]\.Name/],
    [[{ Name: { a: 1 }, Value: 1 }], /^CustomFields\[0\]\.Name/],
    [[{ Name: 'Risk', Value: 'High', Nope: 1 }], /^CustomFields\[0\]/],
    [
      [
        { Name: 'Notes', Value: 'ok' },
        { Name: 'Risk', Value: 'Extreme' },
      ],
      /^CustomFields\[1\]\.Value/,
    ],
    [[{ Name: 'Risk', Value: ['High'] }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Risk', Value: { Id: 1 } }], /^CustomFields\[0\]\.Value/],
    [
      [
        { Name: 'Risk', Value: 'High' },
        { Name: 'risk', Value: 'Low' },
      ],
      /^CustomFields\[1\]\.Value: the custom field 'risk' is given twice/i,
    ],
    [[{ Name: 'Score', Value: 'many' }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Score', Value: '1e400' }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Score', Value: {} }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Budget', Value: 1e15 }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Ready', Value: 'maybe' }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Due', Value: '2023-02-30' }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Due', Value: '/Date(1e99)/' }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Notes', Value: 'x'.repeat(4001) }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Notes', Value: 'a\u0001b' }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Notes', Value: { a: 1 } }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Platforms', Value: 'iOS,Palm' }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Platforms', Value: ['iOS', null] }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Customer', Value: { Id: 1 } }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Customer', Value: { Id: 1, Kind: '__proto__' } }], /^CustomFields\[0\]\.Value\.Kind/],
    [[{ Name: 'Customer', Value: { Id: 1, Kind: 'Role' } }], /^CustomFields\[0\]\.Value\.Kind/],
    [[{ Name: 'Customer', Value: { Id: 999_999, Kind: 'UserStory' } }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Customer', Value: { Id: 1, Kind: 'Bug' } }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Customer', Value: 5 }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Affects', Value: '1 bug' }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Affects', Value: "1 bug'); --" }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Spec', Value: { Label: 'x' } }], /^CustomFields\[0\]\.Value/],
    [[{ Name: 'Spec', Value: { Url: 'x', Nope: 1 } }], /^CustomFields\[0\]\.Value/],
    [Array.from({ length: 1000 }, (_, n) => ({ Name: `n${n}`, Value: 1 })), /^CustomFields: /],
  ])('row %#', async (CustomFields, says) => {
    await refused(withMembers({ CustomFields }), { says });
    const message = await refused([withMembers({}), withMembers({ CustomFields })], {
      path: '/api/v1/UserStories/bulk',
    });
    expect(message.startsWith('[1].CustomFields')).toBe(true);
  });
});

describe('C22: collections', () => {
  it.each([
    [{ Assignments: {} }, /^Assignments: /],
    [{ Assignments: 'x' }, /^Assignments: /],
    [{ Assignments: 5 }, /^Assignments: /],
    [{ Assignments: { Items: { GeneralUser: { Id: 3 } } } }, /^Assignments: /],
    [{ Assignments: { Items: 'x' } }, /^Assignments: /],
    [{ Assignments: { Items: [], More: 1 } }, /^Assignments: /],
    [{ Assignments: [null] }, /^Assignments\[0\]: /],
    [{ Assignments: [3] }, /^Assignments\[0\]: /],
    [{ Assignments: [[{ GeneralUser: { Id: 3 } }]] }, /^Assignments\[0\]: /],
    [{ Assignments: [{}] }, /^Assignments\[0\]\.GeneralUser: /],
    [{ Assignments: [{ GeneralUser: { Id: 3 }, Nope: 1 }] }, /^Assignments\[0\]\.Nope: /],
    [{ Assignments: [{ GeneralUser: { Id: 999_999 } }] }, /^Assignments\[0\]\.GeneralUser\.Id: /],
    [{ Assignments: [{ GeneralUser: { Id: 3 }, Role: { Id: 999 } }] }, /^Assignments\[0\]\.Role\.Id: /],
    [{ Assignments: [{ GeneralUser: { Id: 3 }, Role: { Name: 'Nobody' } }] }, /^Assignments\[0\]\.Role: /],
    [{ Assignments: [{ GeneralUser: { Id: 3 } }, { GeneralUser: { Id: 24 } }] }, /^Assignments\[1\]\.GeneralUser/],
    [{ Assignments: [{ GeneralUser: { Id: 25 } }] }, /^Assignments\[0\]\.GeneralUser/],
    [{ Assignments: Array.from({ length: 10_000 }, () => ({ GeneralUser: { Id: 3 } })) }, /^Assignments: .*1000/],
    [{ AssignedTeams: [{ Team: { Id: 999_999 } }] }, /^AssignedTeams\[0\]\.Team\.Id: /],
    [{ RoleEfforts: [{ Role: { Id: 1 }, Effort: -1 }] }, /^RoleEfforts\[0\]\.Effort: /],
    [{ RoleEfforts: [{ Role: { Id: 999 }, Effort: 1 }] }, /^RoleEfforts\[0\]\.Role\.Id: /],
    // Which of the two should win?
    [
      {
        RoleEfforts: [
          { Role: { Id: 1 }, Effort: 1 },
          { Role: { Id: 1 }, Effort: 2 },
        ],
      },
      /^RoleEfforts\[1\]/,
    ],
    [{ Tasks: [{ Name: 'ok' }, { Name: '' }] }, /^Tasks\[1\]\.Name: /],
    [{ Tasks: [{ Name: 'ok', Tasks: [] }] }, /^Tasks\[0\]\.Tasks: /],
    [
      { Tasks: [{ Name: 'ok', RoleEfforts: [{ Role: { Id: 1 }, Effort: 'x' }] }] },
      /^Tasks\[0\]\.RoleEfforts\[0\]\.Effort: /,
    ],
    [{ TagObjects: [{ Name: 'a,b' }] }, /^TagObjects\[0\]\.Name: /],
    [{ Comments: [{ Description: 'a\u0001' }] }, /^Comments\[0\]\.Description: /],
  ])('row %#', async (members, says) => {
    await refused(withMembers(members as Record<string, unknown>), { says });
    const message = await refused([withMembers({}), withMembers(members as Record<string, unknown>)], {
      path: '/api/v1/UserStories/bulk',
    });
    expect(message.startsWith('[1].')).toBe(true);
  });

  it('hold items by Id that exist', async () => {
    for (const name of ['Assignments', 'Tasks', 'TagObjects', 'RoleEfforts', 'Comments', 'AssignedTeams']) {
      const says = new RegExp(`^${name}\\[0\\]\\.Id: `);
      await refused(withMembers({ Tags: undefined, [name]: [{ Id: 999_999 }] }), { status: 404, says });
    }
  });

  it('hold a duplicate once', async () => {
    const twice = [{ GeneralUser: { Id: 3 } }, { GeneralUser: { Id: 3 } }];
    const made = await send(
      '/api/v1/UserStories?include=[Assignments]',
      spelled(withMembers({ Assignments: { Items: twice } })),
    );
    expect([made.status, made.json.Assignments.Items.length]).toEqual([201, 1]);
    const again = await send(
      `/api/v1/UserStories/${made.json.Id}?include=[Assignments]`,
      spelled({ Assignments: twice }),
    );
    expect([again.status, again.json]).toEqual([200, made.json]);
  });
});

describe('C16, D13: texts come back as they were sent', () => {
  const texts: [string, string][] = [
    ['the end of CDATA', 'a]]>b]]&gt;'],
    ['markup', '<b>x</b> & &amp; &lt; &#60; "quotes" \'single\''],
    ['script', '<script>alert(1)</script><img src=x onerror="alert(1)"><a href="javascript:alert(1)">'],
    ['svg and style', '<img src="data:image/svg+xml;base64,AAAA"><style>*{x:expression(1)}</style>'],
    ['broken tags', '<<div<p></b></b <!-- <![CDATA[ ]]> <?php ?> <!DOCTYPE x>'],
    ['line breaks', 'a\r\nb\nc\rd'],
    ['tabs', '\ta\tb\t'],
    ['spaces around', '   a  b   '],
    ['emoji', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{1f600} \u2764\ufe0f'],
    ['right to left', '\u05e9\u05dc\u05d5\u05dd \u202eabc\u202c \u0645\u0631\u062d\u0628\u0627'],
    ['combining marks', `e\u0301 \u00e9 Z${'\u0301\u0316'.repeat(50)}`],
    ['controls that XML can carry', 'a\u0085b\u009fc\u2028d\u2029e\ufefff\u007f\u00ad'],
    ['the far end of Unicode', '\u{10fffd} \ud7ff \ue000 \ufffd'],
    ['statements', `'; drop table general; -- \\' " \\ $1 $$ %s {0} \${x}`],
    ['JSON', '{"__proto__":{"x":1}} \\u0000 \\n'],
    ['numbers and words', '0012.50'],
    ['words that mean something elsewhere', 'null'],
    ['dates', '/Date(1767225600000)/'],
  ];

  it.each(texts)('%s', async (_, text) => {
    const sent = withMembers({ Name: text, Description: text, CustomFields: [{ Name: 'Notes', Value: text }] });
    const made = await send('/api/v1/UserStories', spelled(sent));
    expect(made.status).toBe(201);
    await isEverywhere(made.json.Id, text);
    const comment = await send('/api/v1/Comments', spelled({ Description: text, General: { Id: made.json.Id } }));
    expect(await app.json(`/api/v1/Comments/${comment.json.Id}`)).toMatchObject({ Description: text });
  });

  it.each([
    ['100,000 letters', 'a\u00e4\u{1f600}b\n'.repeat(20_000)],
    ['100,000 open tags', '<div>'.repeat(100_000)],
    ['a mebibyte', '\u00e9'.repeat(1024 * 1024)],
    ['nothing', ''],
    ['spaces only', '   '],
    ['wide spaces only', '\u00a0\u3000'],
    ['line breaks only', '\n\r\n'],
  ])('%s', async (_, Description) => {
    const made = await send('/api/v1/UserStories', spelled(withMembers({ Description })));
    expect([made.status, made.json.Description === Description]).toEqual([201, true]);
    // Compared here: a difference of a megabyte helps nobody.
    const { Id } = made.json;
    expect((await inXml(Id)).Description === Description).toBe(true);
    expect((await app.json(`/api/v1/UserStories/${Id}`)).Description === Description).toBe(true);
  });

  it('in a tag', async () => {
    const tag = 'a & <b> "c" \' ]]> \u{1f600} e\u0301';
    const made = await send('/api/v1/UserStories', spelled(withMembers({ Tags: tag })));
    expect(made.json.Tags).toBe(tag);
    expect((await inXml(made.json.Id)).Tags).toBe(tag);
  });

  async function isEverywhere(id: number, text: string): Promise<void> {
    const json = await app.json(`/api/v1/UserStories/${id}`);
    const notes = json.CustomFields.find(({ Name }: { Name: string }) => Name === 'Notes').Value;
    expect([json.Name, json.Description, notes]).toEqual([text, text, text]);
    expect(await inXml(id)).toMatchObject({ Name: text, Description: text, Notes: text });
    // What was read is sent back: it means the same.
    for (const format of ['json', 'xml']) {
      const path = `/api/v1/UserStories/${id}?format=${format}`;
      const read = await app.ask(path);
      const again = await send(path, read.text, { headers: { 'content-type': `application/${format}` } });
      expect([again.status, again.text]).toEqual([200, read.text]);
    }
  }

  /**
   * As any reader of XML sees it: line ends are one character, white space in attributes is a space unless it is
   * escaped.
   */
  async function inXml(id: number): Promise<Record<string, string>> {
    const xml = (await app.xml(`/api/v1/UserStories/${id}`)).replace(/\r\n?/g, '\n');
    await parseXml(xml);
    const element = (name: string) => decoded(new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '');
    const name = /^<UserStory [^>]*?Name="([^"]*)"/.exec(xml)![1]!;
    const notes = /<Name>Notes<\/Name>\s*<Value>([^<]*)<\/Value>/.exec(xml)?.[1] ?? '';
    return {
      Name: decoded(name.replace(/[\n\t]/g, ' ')),
      Description: element('Description'),
      Tags: element('Tags'),
      Notes: decoded(notes),
    };
  }
});

describe('C6: many large bodies at once', () => {
  /** Three texts of 400 KiB, in characters of several bytes. */
  const texts = (sender: number) => Array.from({ length: 3 }, (_, at) => `${sender}.${at} ä€😀`.repeat(30_000));
  const stories = (sender: number) => texts(sender).map((Description) => withMembers({ Description }));
  const held = (): number => app.nest.get(BodyRoom).held;

  it('wait for their turns, are stored as they were sent, and leave nothing behind', { timeout: 60_000 }, async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, sender) =>
        send('/api/v1/UserStories/bulk?include=[Description]', spelled(stories(sender)), {
          as: sender % 2 === 0 ? 'admin' : 'alice',
        }),
      ),
    );
    for (const [sender, { status, json }] of answers.entries()) {
      const stored = json.Items?.map(({ Description }: { Description: string }) => Description);
      expect([status, stored]).toEqual([200, texts(sender)]);
    }
    await eventually(async () => expect(held()).toBe(0));
  });

  describe('while others take all of the turn', () => {
    let end: () => void;
    beforeEach(async () => {
      const turns = app.nest.get(BodyTurns);
      const ends = [await turns.enter(0, 2 ** 21), await turns.enter(-1, 2 ** 20)];
      end = () => {
        for (const end of ends) end!();
      };
    });
    afterEach(async () => {
      await eventually(async () => expect([waiting(), held()]).toEqual([0, 0]), 20_000);
    });

    const waiting = (): number => (app.nest.get(BodyTurns) as unknown as { large: { waiting: number } }).large.waiting;
    const large = (Name: string): string => spelled(withMembers({ Name, Description: 'x'.repeat(70_000) })) as string;

    it('those of clients that leave give back their places and their memory', async () => {
      const leaving = new AbortController();
      const all = Array.from({ length: 10 }, () =>
        app.post('/api/v1/UserStories', large('left'), { signal: leaving.signal }).catch(() => 'gone'),
      );
      await eventually(async () => expect(waiting()).toBe(10), 20_000);
      leaving.abort();
      expect(new Set(await Promise.all(all))).toEqual(new Set(['gone']));
      await eventually(async () => expect([waiting(), held()]).toEqual([0, 0]), 20_000);
      end();
      expect(await app.rows("select 1 from general where name = 'left'")).toEqual([]);
    });

    it('one user does not take all places', async () => {
      const leaving = new AbortController();
      const statuses: number[] = [];
      const own = Array.from({ length: 70 }, () =>
        app.post('/api/v1/UserStories', large('many'), { as: 'alice', signal: leaving.signal }).then(
          ({ status }) => void statuses.push(status),
          () => undefined,
        ),
      );
      await eventually(async () => expect([waiting(), statuses]).toEqual([64, Array(6).fill(429)]), 20_000);
      const other = app.post('/api/v1/UserStories', large('other'));
      await eventually(async () => expect(waiting()).toBe(65), 20_000);
      leaving.abort();
      await Promise.all(own);
      await eventually(async () => expect(waiting()).toBe(1), 20_000);
      end();
      expect((await other).status).toBe(201);
    });
  });
});

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const decoded = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hexadecimal, decimal, name) =>
    name ? entities[name]! : String.fromCodePoint(hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal)),
  );

describe('after all this', () => {
  it('nothing was answered with a fault, and the service is alive', async () => {
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect((await app.ask('/health/live', { as: 'nobody' })).status).toBe(200);
    expect((await app.json('/api/v1/UserStories?take=1')).Items).toHaveLength(1);
  });
});
