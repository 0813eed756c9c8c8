/**
 * What processes remember of the database: each kind of it is used by all, changed in one, and holds in the others a
 * second later. The others are two workers of a service of its own.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Ask, basic, chosenPassword, TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { cookieOf, logIn } from '../support/log-in.js';
import { Service } from '../support/service.js';

let one: TestApp;
let service: Service;
let base: string;
const ids: Ids = { Process: 3, Role: 1 };
const place = { mark: 'shared', ids };

beforeAll(async () => {
  one = await TestApp.start();
  ids.Project = await make(one, 'Project', place);
  const { connectionString } = (one.database as unknown as { options: { connectionString: string } }).options;
  service = Service.spawn({ DATABASE_URL: connectionString, WORKERS: '2', DB_POOL: '2', DRAIN_SECONDS: '0' });
  base = await service.address();
}, 120_000);
afterAll(async () => {
  service?.kill('SIGTERM');
  await service?.ended;
  await one?.stop();
});

interface Answered {
  readonly status: number;
  readonly text: string;
}

type Sent = Omit<Ask, 'as'> & { as?: string };

/** On a connection of its own: the workers take turns. */
async function other(path: string, { as = 'admin', headers = {}, ...more }: Sent = {}): Promise<Answered> {
  const credentials: Record<string, string> = as === 'nobody' ? {} : { authorization: basic(as) };
  const sent = { connection: 'close', ...credentials, ...headers };
  const answer = await fetch(base + path, { ...more, headers: sent, redirect: 'manual' });
  return { status: answer.status, text: await answer.text() };
}

/** Of both workers, in whatever order. */
const all = (ask: () => Promise<Answered>): Promise<Answered[]> => Promise.all(Array.from({ length: 6 }, ask));

/** It holds in both workers before the change, and the contrary in both some time later. */
async function follows(
  ask: () => Promise<Answered>,
  holds: (answer: Answered) => boolean,
  change: () => Promise<unknown>,
): Promise<void> {
  expect((await all(ask)).filter(holds).length).toBe(0);
  await change();
  // The contract says a second; a busy machine may take longer to ask.
  await expect.poll(async () => (await all(ask)).every(holds), { timeout: 15_000 }).toBe(true);
}

const me = '/api/v1/Users/LoggedUser?format=json&include=[Login]';
const isRefused = ({ status }: Answered): boolean => status === 401;
const person = async (Login: string): Promise<number> => {
  const User = await make(one, 'User', place, { Login, Role: { Id: 1 } });
  await make(one, 'ProjectMember', { mark: '', ids: { ...ids, User } });
  return User;
};
const post = (path: string, body: unknown, as = 'admin') => ({
  path: `/api/v1/${path}${path.includes('?') ? '&' : '?'}format=json`,
  sent: { as, method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
});
const otherPost = (path: string, body: unknown, as?: string): Promise<Answered> => {
  const asked = post(path, body, as);
  return other(asked.path, asked.sent);
};

it('F18: a user who is deactivated', { timeout: 60_000 }, async () => {
  const id = await person('goes.inactive');
  await follows(
    () => other(me, { as: 'goes.inactive' }),
    isRefused,
    () => one.write(`Users/${id}`, { IsActive: false }),
  );
});

it('a service token that ends with its password, and the password', { timeout: 60_000 }, async () => {
  const id = await person('new.password');
  const { Token } = await one.json('/api/v1/Authentication', { as: 'new.password' });
  const byToken = () => other(`${me}&token=${encodeURIComponent(Token)}`, { as: 'nobody' });
  expect((await byToken()).status).toBe(200);
  await follows(
    () => other(me, { as: 'new.password' }),
    isRefused,
    () => one.write(`Users/${id}`, { Password: `${chosenPassword}, and another` }),
  );
  expect((await all(byToken)).every(isRefused)).toBe(true);
});

it('F18: an access token that is deleted', { timeout: 60_000 }, async () => {
  const { Id, Token } = await one.write('AccessTokens?include=[Id,Name]', { Name: 'shared' });
  await follows(
    () => other(me, { as: 'nobody', headers: { authorization: `Bearer ${Token}` } }),
    isRefused,
    () => one.ask(`/api/v1/AccessTokens/${Id}`, { method: 'DELETE' }),
  );
});

it('a session that is ended', { timeout: 60_000 }, async () => {
  const cookie = cookieOf(await logIn(one, 'alice', 'demo'));
  await follows(
    () => other(me, { as: 'nobody', headers: { cookie } }),
    isRefused,
    () => one.raw('/logout', { method: 'POST', headers: { cookie, origin: one.base } }),
  );
});

it('a membership that ends', { timeout: 60_000 }, async () => {
  const User = await make(one, 'User', place, { Login: 'leaves', Role: { Id: 1 } });
  const member = await make(one, 'ProjectMember', { mark: '', ids: { ...ids, User } });
  await follows(
    () => other(`/api/v1/Projects/${ids.Project}`, { as: 'leaves' }),
    ({ status }) => status === 404,
    () => one.ask(`/api/v1/ProjectMembers/${member}`, { method: 'DELETE' }),
  );
});

it('F18: a right of a role', { timeout: 60_000 }, async () => {
  await person('without.rights');
  const [right] = await one.items('/api/v1/RoleEntityTypes?where=Role.Id eq 1 and EntityType.Id eq 8');
  await follows(
    () => otherPost('Bugs', { Name: 'by right', Project: { Id: ids.Project } }, 'without.rights'),
    ({ status }) => status === 403,
    () => one.write(`RoleEntityTypes/${right.Id}`, { IsAddEnabled: false }),
  );
  await one.write(`RoleEntityTypes/${right.Id}`, { IsAddEnabled: true });
});

it('F18: each table of the set-up counts its version when it is emptied', async () => {
  const truncated = 32;
  const uncounted = `select table_name from set_up_version where not exists (select from pg_trigger
    where tgrelid = table_name::regclass and tgname = 'set_up_changed' and tgtype::int & ${truncated} <> 0)`;
  expect(await one.rows(uncounted)).toEqual([]);
});

it.each([
  ['is emptied', 'truncate role_entity_type'],
  ['is changed by one whom no trigger sees', 'set session_replication_role = replica; delete from role_entity_type'],
])('F18: a table of rights that %s', { timeout: 60_000 }, async (_, change) => {
  const login = `rights.${change.length}`;
  await person(login);
  const [right] = await one.items('/api/v1/RoleEntityTypes?where=Role.Id eq 1 and EntityType.Id eq 8');
  await one.write(`RoleEntityTypes/${right.Id}`, { IsAddEnabled: false });
  const rights = await one.rows('select * from role_entity_type');
  const bug = () => otherPost('Bugs', { Name: 'by right', Project: { Id: ids.Project } }, login);
  await expect.poll(async () => (await all(bug)).every(({ status }) => status === 403), { timeout: 15_000 }).toBe(true);
  await follows(
    bug,
    ({ status }) => status === 201,
    () => one.rows(`${change}; reset session_replication_role`),
  );
  await one.rows('insert into role_entity_type select * from jsonb_populate_recordset(null::role_entity_type, $1)', [
    JSON.stringify(rights),
  ]);
  await one.write(`RoleEntityTypes/${right.Id}`, { IsAddEnabled: true });
});

it('a setting', { timeout: 60_000 }, async () => {
  const tokens = () => otherPost('AccessTokens?include=[Id]', { Name: `t${Math.random()}` }, 'elena');
  await follows(
    tokens,
    ({ status }) => status === 409,
    () => one.write('GlobalSettings', { AccessTokenLimit: 0 }),
  );
  await one.write('GlobalSettings', { AccessTokenLimit: 100 });
});

it('a custom field', { timeout: 60_000 }, async () => {
  const id = await make(one, 'UserStory', place);
  await follows(
    () => other(`/api/v1/UserStories/${id}?format=json&include=[CustomFields]`),
    ({ text }) => text.includes('Told to all'),
    () =>
      one.write('CustomFields', {
        Name: 'Told to all',
        FieldType: 'Text',
        EntityType: { Id: 4 },
        Process: { Id: ids.Process },
      }),
  );
});

it('F18: a state of a workflow', { timeout: 60_000 }, async () => {
  const id = await make(one, 'Bug', place);
  const { EntityState } = await one.json(`/api/v1/Bugs/${id}?include=[EntityState]`);
  await follows(
    () => otherPost(`Bugs/${id}?include=[EntityState]`, { EntityState: { Name: 'Renamed for all' } }),
    ({ status }) => status === 200,
    () => one.write(`EntityStates/${EntityState.Id}`, { Name: 'Renamed for all' }),
  );
});

it('the default of a process', { timeout: 60_000 }, async () => {
  const priorities = await one.items(
    '/api/v1/Priorities?where=EntityType.Id eq 8&include=[Id,Name,IsDefault]&take=100',
  );
  const [next] = priorities.filter(({ IsDefault }) => !IsDefault);
  await follows(
    () => otherPost('Bugs?include=[Priority]', { Name: 'by default', Project: { Id: ids.Project } }),
    ({ text }) => text.includes(`"Name":"${next.Name}"`),
    () => one.write(`Priorities/${next.Id}`, { IsDefault: true }),
  );
});

it('a login that is locked', { timeout: 60_000 }, async () => {
  await person('is.locked');
  const wrong = { authorization: `Basic ${Buffer.from('is.locked:wrong').toString('base64')}` };
  await follows(
    () => other(me, { as: 'is.locked' }),
    ({ status }) => status === 429,
    async () => {
      for (let time = 0; time < 10; time++) await one.raw(me, { headers: wrong });
    },
  );
});
