/** Access tokens: several per user, told once, kept as hashes, and theirs alone who made them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessTokenStrategy } from '../../src/auth/access-token.strategy.js';
import { type Answer, type Ask, chosenPassword, TestApp } from '../support/app.js';
import { lockWaiters } from '../support/connections.js';
import { eventually } from '../support/eventually.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
  replica = await app.replica();
});
afterAll(async () => {
  await replica.stop();
  await app.stop();
});

const me = '/api/v1/Users/LoggedUser?format=json&include=[Login]';
const tokens = '/api/v1/AccessTokens';
const make = async (body: object, ask: Ask = {}): Promise<Answer> => app.post(`${tokens}?format=json`, body, ask);
const made = async (name: string, as = 'alice', more: object = {}): Promise<{ Id: number; Token: string }> => {
  const answer = await make({ Name: name, ...more }, { as });
  expect(answer.status).toBe(201);
  return answer.json;
};
const withToken = (token: string, path = me, on = app): Promise<Answer> =>
  on.ask(`${path}${path.includes('?') ? '&' : '?'}access_token=${encodeURIComponent(token)}`, { as: 'nobody' });

describe('a token that was deleted within this second', () => {
  it('gives no other credential, by whatever process', async () => {
    const { Id, Token } = await made('short-lived', 'elena');
    // The other process remembers it.
    expect((await withToken(Token, '/api/v1/Authentication', replica)).status).toBe(200);
    expect((await app.ask(`${tokens}/${Id}`, { as: 'elena', method: 'DELETE' })).status).toBe(200);
    expect((await withToken(Token, '/api/v1/Authentication', replica)).status).toBe(401);
    const more = await replica.post(
      `${tokens}?access_token=${encodeURIComponent(Token)}`,
      { Name: 'heir' },
      { as: 'nobody' },
    );
    expect(more.status).toBe(401);
    expect(await app.rows("select 1 from access_token where name = 'heir'")).toEqual([]);
  });
});

describe('making one', () => {
  it('tells it once, in JSON and XML, and keeps a hash', async () => {
    const answer = await make({ Name: 'reports' }, { as: 'alice' });
    expect([answer.status, answer.json]).toEqual([
      201,
      {
        ResourceType: 'AccessToken',
        Id: expect.any(Number),
        Name: 'reports',
        IssueDate: expect.stringMatching(/^\/Date\(/),
        LastUseDate: null,
        ExpireDate: null,
        IsReadOnly: false,
        User: expect.objectContaining({ Id: 3 }),
        Token: expect.stringMatching(/^[A-Za-z0-9+/]{60,}=*$/),
      },
    ]);
    expect(Buffer.from(answer.json.Token, 'base64').toString()).toMatch(/^3:[A-Za-z0-9+/]{43}=$/);
    const xml = await parseXml((await app.post(tokens, '<AccessToken Name="from XML"/>', { as: 'alice' })).text);
    expect(xml).toMatchObject({ name: 'AccessToken', attributes: { Name: 'from XML' } });
    const token = xml.children.find(({ name }) => name === 'Token')!.text;
    expect((await withToken(token)).json.Login).toBe('alice');
    const again = await app.json(`${tokens}/${answer.json.Id}`, { as: 'alice' });
    expect(again).not.toHaveProperty('Token');
    const list = await app.ask(`${tokens}?format=json&take=1000`, { as: 'alice' });
    expect(list.text).not.toContain(answer.json.Token);
    const [row] = await app.rows('select to_jsonb(t)::text as text from access_token t where id = $1', [
      answer.json.Id,
    ]);
    expect(row.text).not.toContain(answer.json.Token);
  });

  it('needs a name, and takes no date gone by, owner or hash', async () => {
    const before = await app.rows('select count(*)::int as n from access_token');
    for (const body of [
      {},
      { Name: '' },
      { Name: 'x'.repeat(256) },
      { Name: 'x', ExpireDate: '2001-01-01' },
      { Name: 'x', SecretHash: 'abc' },
      { Name: 'x', Token: 'abc' },
      { Name: 'x', IsReadOnly: 'perhaps' },
    ]) {
      expect([body, (await make(body, { as: 'alice' })).status]).toEqual([body, 400]);
    }
    expect((await app.post(`${tokens}/bulk`, [{ Name: 'x' }], { as: 'alice' })).status).toBe(405);
    expect(await app.rows('select count(*)::int as n from access_token')).toEqual(before);
  });

  it('is for the caller alone: not for others, nor for the System user', async () => {
    const { Id } = await made('of alice');
    expect((await app.json(`${tokens}/${Id}?include=[User]`, { as: 'alice' })).User.Id).toBe(3);
    const before = await app.rows('select count(*)::int as n from access_token');
    for (const as of ['admin', 'elena']) {
      expect((await make({ Name: 'x', User: { Id: 3 } }, { as })).status).toBe(403);
    }
    expect((await make({ Name: 'x', User: { Id: 999_999 } }, { as: 'elena' })).status).toBe(400);
    expect(await app.rows('select count(*)::int as n from access_token')).toEqual(before);
    await app.post('/api/v1/GlobalSettings', { SystemPassword: 'for the system' });
    const { Token } = await app.json('/api/v1/Authentication?login=System');
    const system = `${tokens}?token=${encodeURIComponent(Token)}`;
    expect((await app.post(system, { Name: 'x' }, { as: 'nobody' })).status).toBe(403);
    await app.post('/api/v1/GlobalSettings', { SystemPassword: '' });
  });

  it('A22: ends at the limit of the settings, also when several are made at once', async () => {
    await app.post('/api/v1/GlobalSettings', { AccessTokenLimit: 3 });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => make({ Name: `n${at}` }, { as: 'elena' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    await app.post('/api/v1/GlobalSettings', { AccessTokenLimit: 100 });
  });

  it('can be forbidden by the role', async () => {
    const { Token } = await made('of a role', 'alice');
    const [{ role_id: role }] = await app.rows('select role_id from general_user where id = 3');
    await app.post(`/api/v1/Roles/${role}`, { CanUsePersonalAccessTokens: false });
    expect((await make({ Name: 'x' }, { as: 'alice' })).status).toBe(403);
    await eventually(async () => expect((await withToken(Token)).status).toBe(401));
    await app.post(`/api/v1/Roles/${role}`, { CanUsePersonalAccessTokens: true });
    await eventually(async () => expect((await withToken(Token)).status).toBe(200));
  });

  it('does not tell it again to the same Idempotency-Key', async () => {
    const ask = { as: 'alice', headers: { 'idempotency-key': 'token-once' } };
    const first = await make({ Name: 'once' }, ask);
    const second = await make({ Name: 'once' }, ask);
    expect([first.json.Id, first.json.Token !== undefined]).toEqual([second.json.Id, true]);
    expect(second.json).not.toHaveProperty('Token');
    const warnings = [first, second].map(({ headers }) => headers.get('warning'));
    expect(warnings).toEqual([null, expect.stringMatching(/^199 .*The token was in the first answer alone/)]);
    const [kept] = await app.rows("select answer::text as text from idempotency_key where key = 'token-once'");
    expect(kept.text).not.toContain(first.json.Token);
  });
});

describe('two requests at once with one Idempotency-Key', () => {
  it('are told one token, also where the first of them begins again behind the other', async () => {
    const holder = await app.database.connect();
    try {
      await holder.query(`create sequence attempts; create function fail_first() returns trigger language plpgsql as $$
        begin
          perform pg_advisory_xact_lock(7);
          if nextval('attempts') = 1 then raise exception 'lost' using errcode = 'serialization_failure'; end if;
          return new;
        end $$;
        create trigger fail_first before insert on access_token for each row execute function fail_first()`);
      await holder.query('select pg_advisory_lock(7)');
      const ask = { as: 'alice', headers: { 'idempotency-key': 'token-at-once' } };
      const first = make({ Name: 'at once' }, ask);
      await lockWaiters(holder, 1);
      const second = make({ Name: 'at once' }, ask);
      await lockWaiters(holder, 2);
      await holder.query('select pg_advisory_unlock(7)');
      const answers = await Promise.all([first, second]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      const tokensTold = answers.flatMap(({ json }) => json.Token ?? []);
      expect(tokensTold).toHaveLength(1);
      expect((await withToken(tokensTold[0])).json.Login).toBe('alice');
    } finally {
      await holder.query('drop trigger fail_first on access_token; drop function fail_first(); drop sequence attempts');
      holder.release();
    }
  });
});

describe('using one', () => {
  it('works as a parameter in any letter case, as Bearer and as X-Access-Token', async () => {
    const { Token } = await made('three ways');
    const headers: Record<string, string>[] = [
      { authorization: `Bearer ${Token}` },
      { authorization: `bearer  ${Token}` },
      { 'x-access-token': Token },
      { authorization: `Bearer ${Token}`, 'x-access-token': Token },
    ];
    for (const value of headers) {
      expect((await app.ask(me, { as: 'nobody', headers: value })).json.Login).toBe('alice');
    }
    expect((await app.ask(`${me}&ACCESS_TOKEN=${encodeURIComponent(Token)}`, { as: 'nobody' })).status).toBe(200);
    expect((await app.ask(`${me}&access_token=${Token.replace(/=+$/, '')}`, { as: 'nobody' })).status).toBe(200);
  });

  it('is checked by the strategy in the method that Nest names for it', async () => {
    const { Id, Token } = await made('validated');
    const strategy = app.nest.get(AccessTokenStrategy, { strict: false });
    expect(await strategy.validate(Token)).toMatchObject({ userId: (await app.json(me, { as: 'alice' })).Id });
    await app.ask(`${tokens}/${Id}`, { as: 'alice', method: 'DELETE' });
    expect(await strategy.validate(Token)).toBeUndefined();
  });

  it('gives the memberships and rights of its owner', async () => {
    const { Token } = await made('rights');
    const own = await app.ask('/api/v1/Projects?format=json', { as: 'alice' });
    expect((await withToken(Token, '/api/v1/Projects?format=json')).text).toBe(own.text);
    expect((await withToken(Token, '/api/v1/GlobalSettings')).status).toBe(403);
  });

  it('A10, A11: is refused when it is no access token, or two are given', async () => {
    const { Token } = await made('wrong ones');
    const other = await made('another one');
    const service = (await app.json('/api/v1/Authentication', { as: 'alice' })).Token;
    const flipped = Token.replace(/.(?=.{6}$)/, (letter) => (letter === 'A' ? 'B' : 'A'));
    for (const token of [flipped, service, "' or 1=1--", 'a\0b', 'A'.repeat(10_000), '', Token.slice(1), `${Token}x`]) {
      expect([token.slice(0, 20), (await withToken(token)).status]).toEqual([token.slice(0, 20), 401]);
    }
    expect((await app.ask(`${me}&token=${encodeURIComponent(Token)}`, { as: 'nobody' })).status).toBe(401);
    const twice = `${me}&access_token=${encodeURIComponent(Token)}&access_token=${encodeURIComponent(Token)}`;
    expect((await app.ask(twice, { as: 'nobody' })).status).toBe(400);
    expect((await app.ask(`${me}&access_token[]=x`, { as: 'nobody' })).status).toBe(400);
    const both = { as: 'nobody', headers: { 'x-access-token': other.Token, authorization: `Bearer ${Token}` } };
    expect((await app.ask(me, both)).status).toBe(400);
    expect((await app.ask(`${me}&access_token=${encodeURIComponent(Token)}`, { as: 'elena' })).status).toBe(400);
    expect((await app.ask(`${me}&access_token=${encodeURIComponent(Token)}`, { as: 'alice' })).status).toBe(200);
  });

  it('notes when, to the minute and not with each request', async () => {
    const { Id, Token } = await made('dates');
    await withToken(Token);
    await eventually(async () =>
      expect((await app.json(`${tokens}/${Id}?include=[LastUseDate]`, { as: 'alice' })).LastUseDate).not.toBeNull(),
    );
    const recent = `${tokens}?include=[LastUseDate,User]&take=1000&where=(LastUseDate gt 'Today-90') and (Id eq ${Id})`;
    expect(await app.items(recent)).toMatchObject([{ User: { Login: 'alice' } }]);
    const used = () => app.rows('select last_use_date, xmin from access_token where id = $1', [Id]);
    const before = await used();
    for (let times = 0; times < 5; times++) await withToken(Token);
    expect(await used()).toEqual(before);
  });

  it('is in no link of the answer', async () => {
    const { Token } = await made('links');
    const page = await withToken(Token, '/api/v1/Users?format=json&take=2');
    expect(page.json.Next).toContain('take=2');
    expect(page.text).not.toContain(encodeURIComponent(Token));
    expect(page.text).not.toContain('access_token');
  });

  it('is for reading only where it was made so', async () => {
    const { Token } = await made('reader', 'grace', { IsReadOnly: true });
    const story = { Name: 'x', Project: { Id: 8 } };
    const headers = { authorization: `Bearer ${Token}` };
    expect((await withToken(Token)).json.Login).toBe('grace');
    expect((await app.ask('/api/v1/UserStories', { as: 'nobody', headers, method: 'HEAD' })).status).toBe(200);
    const before = await app.rows('select count(*)::int as n from general');
    for (const [path, method] of [
      ['/api/v1/UserStories', 'POST'],
      ['/api/v1/UserStories/bulk', 'POST'],
      ['/api/v1/UserStories/1', 'DELETE'],
      ['/api/v1/AccessTokens', 'POST'],
      ['/api/v1/nothing', 'POST'],
    ] as const) {
      expect((await app.post(path, story, { as: 'nobody', headers, method })).status).toBe(403);
    }
    expect(await app.rows('select count(*)::int as n from general')).toEqual(before);
    // It would be a way to write.
    expect((await withToken(Token, '/api/v1/Authentication')).status).toBe(403);
    expect((await app.post('/api/v1/UserStories', story, { as: 'grace', headers })).status).toBe(403);
  });
});

describe('the end of one', () => {
  const dies = async (token: string): Promise<void> => {
    for (const on of [app, replica])
      await eventually(async () => expect((await withToken(token, me, on)).status).toBe(401));
  };

  it('A13: comes with its deletion, within a second on every replica', async () => {
    const { Id, Token } = await made('to go');
    expect((await withToken(Token, me, replica)).status).toBe(200);
    const running = Array.from({ length: 16 }, () => withToken(Token, '/api/v1/UserStories'));
    expect((await app.ask(`${tokens}/${Id}`, { as: 'alice', method: 'DELETE' })).status).toBe(200);
    for (const { status } of await Promise.all(running)) expect([200, 401]).toContain(status);
    await dies(Token);
  });

  it('does not come with a new password, but with the activity of its owner', async () => {
    const user = await app.post('/api/v1/Users?format=json', {
      Login: 'tess',
      Email: 't@example.com',
      Password: chosenPassword,
    });
    const { Token } = await made('stays', 'tess');
    await app.post(`/api/v1/Users/${user.json.Id}`, { Password: 'another word' });
    expect((await withToken(Token)).json.Login).toBe('tess');
    expect((await withToken(Token, me, replica)).status).toBe(200);
    await app.post(`/api/v1/Users/${user.json.Id}`, { IsActive: false });
    await dies(Token);
    // A token of an active user is active.
    await app.post(`/api/v1/Users/${user.json.Id}`, { IsActive: true });
    await eventually(async () => expect((await withToken(Token)).status).toBe(200));
    await app.ask(`/api/v1/Users/${user.json.Id}`, { method: 'DELETE' });
    await dies(Token);
  });

  it('comes at its date', async () => {
    const { Id, Token } = await made('for a while', 'alice', { ExpireDate: '2999-01-01' });
    expect((await withToken(Token)).status).toBe(200);
    await app.rows("update access_token set expire_date = now() - interval '1 second' where id = $1", [Id]);
    await dies(Token);
  });

  it('makes room for another one', async () => {
    const fill = (ends: string) =>
      app.rows(
        `insert into access_token (name, issue_date, expire_date, secret_hash, user_id)
         select 'many ' || n, now(), now() + $1::interval, sha256(n::text::bytea), u.id
         from generate_series(1, 100) n, general_user u where u.login = 'elena'`,
        [ends],
      );
    const making = () => app.post(`${tokens}?format=json`, { Name: 'one more' }, { as: 'elena' });
    await app.rows("delete from access_token t using general_user u where u.id = t.user_id and u.login = 'elena'");
    await fill('1 hour');
    expect((await making()).status).toBe(409);
    await app.rows("update access_token set expire_date = now() where name = 'many 7'");
    expect([(await making()).status, (await making()).status]).toEqual([201, 409]);
    await app.rows("delete from access_token where name like 'many %'");
  });

  it('is not put off: one that ends by itself gives no token that stays', async () => {
    const { Token } = await made('for an hour', 'alice', { ExpireDate: '2999-01-01' });
    const headers = { authorization: `Bearer ${Token}` };
    for (const [path, method] of [
      ['/api/v1/Authentication', 'GET'],
      ['/api/v1/Authentication', 'POST'],
      [tokens, 'POST'],
    ] as const) {
      const body = method === 'POST' ? '{Name: "x"}' : undefined;
      const type = { 'content-type': 'application/json' };
      expect([path, method, (await app.raw(path, { method, body, headers: { ...headers, ...type } })).status]).toEqual([
        path,
        method,
        403,
      ]);
    }
  });

  it('is for its owner and for administrators to bring about', async () => {
    const { Id, Token } = await made('mine');
    expect((await app.ask(`${tokens}/${Id}`, { as: 'elena' })).status).toBe(404);
    expect((await app.ask(`${tokens}/${Id}`, { as: 'elena', method: 'DELETE' })).status).toBe(404);
    expect((await withToken(Token)).status).toBe(200);
    const all = await app.items(`${tokens}?take=1000&where=(User.Id eq 3)`);
    expect(all.map((token) => token.Id)).toContain(Id);
    expect((await app.items(`${tokens}?take=1000`, { as: 'elena' })).every((token) => token.User.Id === 7)).toBe(true);
    expect((await app.ask(`${tokens}/${Id}`, { method: 'DELETE' })).status).toBe(200);
    await dies(Token);
  });

  it('is brought about by itself, also where it may only read, and by no other that may only read', async () => {
    const own = await made('ends itself', 'bruno', { IsReadOnly: true });
    const other = await made('stays', 'bruno', { IsReadOnly: true });
    const end = (id: number | string, path = tokens) =>
      app.raw(`${path}/${id}?format=json`, { method: 'DELETE', headers: { authorization: `Bearer ${own.Token}` } });
    const refused = { status: 403, json: expect.objectContaining({ Code: 'ReadOnlyToken' }) };
    expect(await end(other.Id)).toMatchObject(refused);
    expect(await end('bulk')).toMatchObject(refused);
    expect(await end(own.Id, '/api/v1/Comments')).toMatchObject(refused);
    expect(await end(own.Id, '/api/v1/accesstokens')).toMatchObject({ status: 200, json: { Id: own.Id } });
    await dies(own.Token);
    expect((await withToken(other.Token)).status).toBe(200);
  });

  it('is for observers too, though they write nothing else', async () => {
    const { Id, Token } = await made('watching', 'uma');
    expect((await withToken(Token)).json.Login).toBe('uma');
    expect((await app.ask(`${tokens}/${Id}`, { as: 'uma', method: 'DELETE' })).status).toBe(200);
  });
});
