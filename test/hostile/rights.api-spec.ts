/** Tokens and rights that are over, or never were; what nobody may have fetched, read or put into the image. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, basic, chosenPassword, TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';
import { eventually } from '../support/eventually.js';
import { logIn } from '../support/log-in.js';
import { messageOf } from '../support/refusal.js';
import { say, statusesOf } from '../support/socket.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const me = '/api/v1/Users/LoggedUser?format=json';
const withToken = (token: string): Promise<Answer> => app.raw(`${me}&token=${encodeURIComponent(token)}`);
const tokenFor = (login: string, as = 'admin'): Promise<Answer> =>
  app.ask(`/api/v1/Authentication?format=json&login=${encodeURIComponent(login)}`, { as });

async function newUser(login: string): Promise<number> {
  const made = await app.post('/api/v1/Users?format=json', {
    Login: login,
    Email: `${login}@example.com`,
    Password: chosenPassword,
  });
  expect(made.status).toBe(201);
  return made.json.Id;
}

describe('A12: a service token', () => {
  const ends: [string, (id: number) => Promise<Answer>, Record<string, unknown> | undefined][] = [
    [
      'a new password',
      (id) => app.post(`/api/v1/Users/${id}`, { Password: 'another word' }),
      { Password: chosenPassword },
    ],
    ['deactivation', (id) => app.post(`/api/v1/Users/${id}`, { IsActive: false }), { IsActive: true }],
    ['deletion', (id) => app.ask(`/api/v1/Users/${id}`, { method: 'DELETE' }), undefined],
  ];

  it.each(
    ends,
  )('ends with %s; after the way back there is one again, and no deleted or changed one', async (how, end, back) => {
    const login = `token-${how.length}`;
    const id = await newUser(login);
    const { Token } = (await tokenFor(login)).json;
    expect((await withToken(Token)).status).toBe(200);
    expect((await end(id)).status).toBe(200);
    await eventually(async () => expect((await withToken(Token)).status).toBe(401));
    const restored = back
      ? await app.post(`/api/v1/Users/${id}`, back)
      : await app.ask(`/api/deleteditems/v1/users/${id}/restore`, { method: 'POST' });
    expect(restored.status).toBe(200);
    const next = (await tokenFor(login)).json.Token;
    await eventually(async () => expect((await withToken(next)).status).toBe(200));
    if (how !== 'deactivation') {
      expect(next).not.toBe(Token);
      expect((await withToken(Token)).status).toBe(401);
    }
  });
});

describe('A14: the token of somebody else', () => {
  it.each([
    ['admin', 'alice', 403],
    ['nobody-at-all', 'alice', 403],
    ['nobody-at-all', 'admin', 404],
    ['requester1', 'admin', 404],
    ['viktor', 'admin', 404],
    ["' or 1=1--", 'admin', 404],
    ['alice', 'admin', 200],
  ])('of %s, asked for by %s, is %i', async (login, as, status) => {
    const answer = await tokenFor(login, as);
    expect(answer.status).toBe(status);
    if (status !== 200) await messageOf(answer, 'json');
  });

  it('of the System user is told to administrators and opens nothing before it has a password', async () => {
    const { Token } = (await tokenFor('System')).json;
    expect((await withToken(Token)).status).toBe(401);
    expect((await tokenFor('System', 'alice')).status).toBe(403);
  });
});

describe('A4: a password of any length', () => {
  it.each([
    ['beyond what a password can be', 3000, 401],
    ['of 20 KiB', 20_000, 401],
    ['of a mebibyte', 1024 * 1024, 431],
  ])('%s is refused', async (_, length, status) => {
    const header = `Authorization: ${basic(`lengthy:${'x'.repeat(length)}`)}`;
    const answer = await say(app, `GET ${me} HTTP/1.1\r\nHost: a\r\n${header}\r\nConnection: close\r\n\r\n`);
    expect(statusesOf(answer)).toEqual([status]);
  });

  it('is refused by the form before it is read, and by a change of password', async () => {
    expect((await logIn(app, 'alice', 'x'.repeat(70_000))).status).toBe(413);
    const body = { CurrentPassword: 'demo', NewPassword: 'x'.repeat(1_000_000) };
    const answer = await app.post('/api/v1/Users/LoggedUser/Password?format=json', body, { as: 'alice' });
    expect([answer.status, await messageOf(answer, 'json')]).toEqual([400, expect.stringMatching(/^NewPassword: /)]);
  });
});

describe('E2: a client that takes its time', () => {
  it('holds up nobody: hundreds of half requests, and others are served', async () => {
    const port = Number(new URL(app.base).port);
    const halves = [
      '',
      'GET / HT',
      `GET ${me} HTTP/1.1\r\nHost: a\r\nX-Slow: `,
      'POST /api/v1/Tags HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
    ];
    const sockets = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(halves[at % halves.length]!);
        return socket;
      }),
    );
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.ask(me)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const socket of sockets) socket.destroy();
  });

  it('has ten seconds for its headers and thirty for its request', () => {
    const { headersTimeout, requestTimeout } = app.nest.getHttpServer();
    expect([headersTimeout, requestTimeout]).toEqual([10_000, 30_000]);
  });
});

describe('E12: an id of an error', () => {
  it('opens nothing, and nothing but health is told to strangers', async () => {
    const { ErrorId } = (await app.ask('/api/v1/Nothing?format=json')).json;
    for (const path of [`/api/v1/Errors/${ErrorId}`, `/errors/${ErrorId}`, `/api/errors/${ErrorId}`])
      expect([path, (await app.ask(path)).status]).toEqual([path, 404]);
    for (const path of ['/metrics', '/docs', '/api/docs', '/debug', '/env', '/status'])
      expect([path, (await app.ask(path, { as: 'nobody' })).status >= 400]).toEqual([path, true]);
    for (const path of ['/health/live', '/health/ready'])
      expect((await app.ask(path, { as: 'nobody' })).text.length).toBeLessThan(100);
  });
});

describe('E16: an id that is hidden', () => {
  it('is answered as one that never was', async () => {
    const [hidden] = await app.rows(
      `select g.id from general g where g.entity_type_id = 4 and g.delete_date is null and g.project_id not in
         (select project_id from project_member where user_id = 3 union select t.project_id from team_project t
          join team_member m on m.team_id = t.team_id where m.user_id = 3)
         and g.id not in (select assignable_id from team_assignment) order by g.id limit 1`,
    );
    const answers = await Promise.all(
      [hidden.id, 99_999_999].map((id) => app.ask(`/api/v1/UserStories/${id}?format=json`, { as: 'alice' })),
    );
    const [one, other] = answers.map(({ status, json }) => [status, json.Message.replace(/\d+/, '#')]);
    expect(one).toEqual([404, expect.any(String)]);
    expect(one).toEqual(other);
  });
});

describe('E17: addresses in data', () => {
  let listener: Server;
  let fetched = 0;
  beforeAll(async () => {
    listener = createServer((_request, response) => {
      fetched += 1;
      response.end();
    });
    await new Promise<void>((resolve) => {
      listener.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(() => listener.close());

  it('are kept and shown, and never fetched', async () => {
    const { port } = listener.address() as AddressInfo;
    const [project] = await scrumProjects(app);
    const addresses = [
      `http://127.0.0.1:${port}/x`,
      `http://[::ffff:127.0.0.1]:${port}/x`,
      'http://169.254.169.254/latest/meta-data',
      'file:///etc/passwd',
    ];
    for (const address of addresses) {
      const body = {
        Name: address,
        Project: { Id: project },
        Description: `<img src="${address}"><a href="${address}">x</a>`,
        CustomFields: [{ Name: 'Spec', Value: { Url: address, Label: 'x' } }],
      };
      const made = await app.post('/api/v1/UserStories?format=json', body);
      expect([address, made.status]).toEqual([address, 201]);
      expect((await app.ask(`/entity/${made.json.Id}`)).status).toBe(200);
      expect((await app.json(`/api/v1/UserStories/${made.json.Id}`)).Name).toBe(address);
    }
    expect(fetched).toBe(0);
  });
});

describe('E18: the image', () => {
  const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
  const lines = (file: string): string[] => readFileSync(join(root, file), 'utf8').split('\n');

  it('runs as a user without rights, holds what is named and no settings of whoever built it', () => {
    const dockerfile = lines('Dockerfile');
    const last = dockerfile.findLastIndex((line) => line.startsWith('FROM '));
    expect(dockerfile.slice(last)).toContain('USER node');
    const copied = dockerfile.filter((line) => /^(COPY|ADD) /.test(line)).join('\n');
    expect(copied).not.toMatch(/(COPY|ADD) \. |\.env|\.git/);
    const ignored = lines('.dockerignore').filter((line) => line !== '' && !line.startsWith('#'));
    expect(ignored[0]).toBe('*');
    expect(ignored.filter((line) => line.startsWith('!')).join()).not.toMatch(/\.env|\.git|data/);
  });
});
