/** Bodies and answers that take long: the rights of their beginning are not those of their end. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { basic, TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { eventually } from '../support/eventually.js';
import { routesOf } from '../support/routes.js';
import { Connection, statusesOf } from '../support/socket.js';
import { expectBalance } from '../support/uploads.js';

let app: TestApp;
let logins = 0;
let as: string;
const ids: Ids = { Process: 3, Role: 1 };

beforeAll(async () => {
  app = await TestApp.start({ MAX_UPLOADS: '40' });
  const place = { mark: 'slow', ids };
  for (const kind of ['Project', 'UserStory']) ids[kind] = await make(app, kind, place);
});
afterAll(() => app.stop());

/** A member of the project, whom nobody knows yet. */
beforeEach(async () => {
  as = `slow.${++logins}`;
  ids.User = await make(app, 'User', { mark: 'slow', ids }, { Login: as });
  ids.ProjectMember = await make(app, 'ProjectMember', { mark: 'slow', ids });
});

const boundary = 'the-boundary';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
).toString('latin1');
const form = (generalId: number, bytes = 'late'): string =>
  [
    `--${boundary}\r\nContent-Disposition: form-data; name="generalId"\r\n\r\n${generalId}`,
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${bytes}`,
    `--${boundary}--\r\n`,
  ].join('\r\n');

interface Late {
  readonly connection: Connection;
  finish(): Promise<string>;
}

/** A request whose body stops before its last byte, once the service has said that it reads it or has refused it. */
async function begun(
  line: string,
  body: string,
  { type = 'application/json', credentials = `Authorization: ${basic(as)}` } = {},
): Promise<Late> {
  const connection = await Connection.open(app);
  const head = [
    `${line} HTTP/1.1`,
    'Host: x',
    credentials,
    'Accept: application/json',
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    'Expect: 100-continue\r\n\r\n',
  ];
  connection.socket.write(head.join('\r\n'));
  await connection.answers();
  connection.socket.write(body.slice(0, -1), 'latin1');
  const before = connection.received.length;
  return {
    connection,
    async finish() {
      connection.socket.write(body.slice(-1));
      await eventually(async () => expect(statusesOf(connection.received).length).toBeGreaterThan(1), 10_000);
      connection.socket.destroy();
      return connection.received.slice(before);
    },
  };
}

const status = (answer: string): number | undefined => statusesOf(answer)[0];
const isMultipart = { type: `multipart/form-data; boundary=${boundary}` };
const deactivate = () => app.rows('update general_user set is_active = false where id = $1', [ids.User]);

interface Token {
  readonly id: number;
  readonly credentials: string;
}

async function newToken(): Promise<Token> {
  const { Id, Token } = await app.write('AccessTokens', { Name: 'slow' }, { as });
  return { id: Id, credentials: `Authorization: Bearer ${Token}` };
}

/** What changed in the database acts on new requests by now. */
const acts = (path: string, { credentials }: Token, code: number) =>
  eventually(async () => {
    const authorization = credentials.replace('Authorization: ', '');
    expect((await app.raw(path, { headers: { authorization, accept: 'application/json' } })).status).toBe(code);
  }, 5000);

/** They let anybody send a body. */
const others = ['POST /login', 'POST /api/login/validate'];

describe('a body that comes late', () => {
  it('is refused by every route that reads one, once its caller may not call', { timeout: 60_000 }, async () => {
    const token = await newToken();
    const late: [string, Late][] = [];
    for (const route of routesOf(app).filter((one) => one.startsWith('POST '))) {
      const one = await begun(route.replace(/:\w+/g, '1'), '{"Name":"late"}', token);
      if (statusesOf(one.connection.received)[0] === 100) late.push([route, one]);
      else one.connection.socket.destroy();
    }
    for (const path of ['/UploadFile.ashx', '/api/v1/Attachments', '/avatar.ashx'])
      late.push([path, await begun(`POST ${path}`, form(ids.UserStory!), { ...isMultipart, ...token })]);
    expect(late.length).toBeGreaterThan(250);
    await deactivate();
    await acts('/api/v1/Bugs?take=1', token, 401);
    const statuses: [string, number | undefined][] = [];
    for (const [route, one] of late) statuses.push([route, status(await one.finish())]);
    expect(statuses.filter(([route, code]) => code !== 401 && !others.includes(route))).toEqual([]);
    await expectBalance(app);
  });

  const sent: [string, () => [string, string, object?]][] = [
    ['JSON', () => ['POST /api/v1/Bugs', JSON.stringify({ Name: 'late', Project: { Id: ids.Project } })]],
    ['a form', () => ['POST /UploadFile.ashx', form(ids.UserStory!), isMultipart]],
  ];

  it.each(sent)('that is %s is refused once its token is deleted', async (_, request) => {
    const token = await newToken();
    const [line, body, style] = request();
    const one = await begun(line, body, { ...style, ...token });
    await app.ask(`/api/v1/AccessTokens/${token.id}`, { method: 'DELETE', as });
    await acts('/api/v1/Bugs?take=1', token, 401);
    expect(status(await one.finish())).toBe(401);
  });

  it.each(sent)('that is %s is refused once there is another password', async (_, request) => {
    const [line, body, style] = request();
    const one = await begun(line, body, style);
    await app.write(`Users/${ids.User}`, { Password: 'another word of this spec' });
    expect(status(await one.finish())).toBe(401);
  });

  it.each(sent)('that is %s writes nothing where its sender is no member any more', async (_, request) => {
    const token = await newToken();
    const [line, body, style] = request();
    const one = await begun(line, body, { ...style, ...token });
    await app.ask(`/api/v1/ProjectMembers/${ids.ProjectMember}`, { method: 'DELETE' });
    await acts(`/api/v1/UserStories/${ids.UserStory}`, token, 404);
    expect(status(await one.finish())).toBe(400);
    await expectBalance(app);
  });

  it('is no picture of another user where its sender is no administrator any more', async () => {
    await app.write(`Users/${ids.User}`, { IsAdministrator: true });
    const token = await newToken();
    const one = await begun('POST /avatar.ashx?UserID=1', form(1, png), { ...isMultipart, ...token });
    await app.write(`Users/${ids.User}`, { IsAdministrator: false });
    expect(status(await one.finish())).toBe(403);
  });
});

describe('a whole list that is read slowly', () => {
  const lines = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('{"'));
  const story = { Project: { Id: 0 }, Description: 'x'.repeat(100_000) };

  beforeAll(async () => {
    const { Id } = await app.write('Projects', { Name: 'large', Process: { Id: ids.Process } });
    ids.large = Id;
    story.Project.Id = Id;
    for (let part = 0; part < 4; part += 1)
      await app.write(
        'UserStories/bulk',
        Array.from({ length: 90 }, (_, at) => ({ ...story, Name: `${part}.${at}` })),
      );
  }, 60_000);

  beforeEach(async () => {
    const member = { Project: { Id: ids.large }, User: { Id: ids.User }, Role: { Id: 1 } };
    ids.member = (await app.write('ProjectMembers', member)).Id;
  });

  const byVersion1 = (): string =>
    `/api/v1/UserStories?format=ndjson&include=[Name,Description]&where=Project.Id in (${ids.large},${ids.Project})`;
  const byVersion2 = (): string =>
    `/api/v2/UserStory?format=ndjson&select={id,name,description}&where=(project.id in [${ids.large},${ids.Project}])`;

  /** What comes until the end, where `change` happens while the reader takes nothing. */
  async function readSlowly(token: Token, change: () => Promise<unknown>, path = byVersion1()): Promise<string[]> {
    const connection = await Connection.open(app);
    connection.socket.write(`GET ${encodeURI(path)} HTTP/1.1\r\nHost: x\r\n${token.credentials}\r\n\r\n`);
    await connection.answers();
    connection.socket.pause();
    await change();
    connection.socket.resume();
    await eventually(
      async () => expect(connection.isClosed || connection.received.endsWith('\r\n0\r\n\r\n')).toBe(true),
      20_000,
    );
    connection.socket.destroy();
    return lines(connection.received);
  }

  it.each<[string, (token: Token) => Promise<unknown>]>([
    ['is inactive', deactivate],
    ['has deleted the token', ({ id }) => app.ask(`/api/v1/AccessTokens/${id}`, { method: 'DELETE', as })],
  ])('ends with an error once its reader %s', { timeout: 60_000 }, async (_, change) => {
    const token = await newToken();
    const all = await readSlowly(token, async () => {
      await change(token);
      await acts('/api/v1/Bugs?take=1', token, 401);
    });
    expect(all.length).toBeLessThan(360);
    expect(JSON.parse(all.at(-1)!)).toMatchObject({ Error: { Status: 'Unauthorized' } });
  });

  it.each([
    ['Name', byVersion1],
    ['name', byVersion2],
  ])('goes on with what its reader still sees: %s', { timeout: 60_000 }, async (name, path) => {
    const token = await newToken();
    const own = await app.write('UserStories', { Name: 'seen to the end', Project: { Id: ids.Project } });
    const all = await readSlowly(
      token,
      async () => {
        await app.ask(`/api/v1/ProjectMembers/${ids.member}`, { method: 'DELETE' });
        await acts(`/api/v1/Projects/${ids.large}`, token, 404);
      },
      path(),
    );
    expect(all.length).toBeLessThan(360);
    expect(JSON.parse(all.at(-1)!)).toMatchObject({ [name]: own.Name });
  });
});
