/**
 * Every route of the service, asked by every kind of caller: the table says who is served, and a refusal leaves nothing
 * behind.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Answer, TestApp } from '../support/app.js';
import { type Ids, make, makeEverything, model, storyWorkflow } from '../support/builder.js';
import { askAs, type Caller, type Callers, makeCallers, refused } from '../support/callers.js';
import {
  type Column,
  columns,
  doors,
  groupedKinds,
  notForSystem,
  nowhere,
  type Operation,
  open,
  operations,
  otherRoutes,
  rightsOf,
  single,
} from '../support/permission-table.js';
import { type Fixtures, requestOf, type Sent } from '../support/requests-of.js';
import { routesOf } from '../support/routes.js';
import { inParallel } from '../support/sweep.js';

vi.setConfig({ testTimeout: 180_000 });

let app: TestApp;
let callers: Callers;
let fixtures: Fixtures;
let second: number;

beforeAll(async () => {
  app = await TestApp.start();
  await app.rows('truncate general cascade');
  fixtures = await makeFixtures();
});
afterAll(() => app.stop());

const workItems = model
  .resource('Assignable')
  .kindsBelow.filter(({ settings }) => settings.lies === 'inProject')
  .map(({ name }) => name);

async function makeFixtures(): Promise<Fixtures> {
  const workflow = await storyWorkflow(app);
  const { ids } = await makeEverything(app, 'own', workflow);
  await app.rows('update general set program_id = $2 where id = $1', [ids.Project, ids.Program]);
  callers = await makeCallers(app, ids);
  for (const kind of workItems)
    await make(app, 'TeamAssignment', { mark: '', ids: { ...ids, Team: callers.team, Assignable: ids[kind]! } });
  ids.GlobalSettings = 1;
  for (const kind of ['AccessToken', 'LoginAttempt']) ids[kind] = await ofAdministrators(kind);
  const place = { mark: 'fresh', ids };
  const [fresh, other]: [Ids, Ids] = [{}, {}];
  for (const some of [fresh, other])
    for (const kind of ['Team', 'User', 'Feature', 'Release', 'Milestone']) some[kind] = await make(app, kind, place);
  second = await joinProjects(ids, fresh, other);
  const shared = { ...ids, Release: await elsewhere(ids) };
  ids.ReleaseProject = await make(app, 'ReleaseProject', { mark: '', ids: shared });
  const configuration = await configured(workflow.Workflow);
  const histories = await historiesOf(ids);
  const kinds = { General: ids.Build!, Assignable: ids.UserStory!, GeneralUser: ids.User! };
  return {
    ids: { ...ids, ...configuration, ...histories, ...kinds },
    fresh: { ...fresh, General: fresh.Feature! },
    other,
  };
}

/** Of the projects of a release those can be taken out that it does not lie in. */
const elsewhere = (ids: Ids): Promise<number> =>
  make(app, 'Release', { mark: 'second', ids: { ...ids, Project: second } });

/** One that only administrators see. */
async function ofAdministrators(kind: string): Promise<number> {
  if (kind === 'AccessToken') return make(app, kind, { mark: 'own', ids: {} });
  const [made] = await app.rows(
    `insert into login_attempt (login, last_date, failures) values (gen_random_uuid()::text, now(), '{}') returning id`,
  );
  return made.id;
}

/** What may be joined must be seen, and not be joined yet. */
async function joinProjects(ids: Ids, fresh: Ids, other: Ids): Promise<number> {
  const Project = await make(app, 'Project', { mark: 'second', ids });
  const members = await app.rows('select user_id as id from project_member where project_id = $1', [ids.Project]);
  for (const { id: User } of members) await make(app, 'ProjectMember', { mark: '', ids: { ...ids, Project, User } });
  for (const { Milestone, Release } of [fresh, other] as Required<Ids>[]) {
    await make(app, 'MilestoneProject', { mark: '', ids: { ...ids, Project, Milestone: Milestone! } });
    await app.rows('delete from release_project where release_id = $1', [Release]);
  }
  fresh.Role = 2;
  return Project;
}

/** One row of each kind that only comes with the service or along with others. */
async function configured(workflow: number): Promise<Ids> {
  const idsByKind: Ids = {};
  for (const { name, collection } of model.resources) {
    const [first] = await app.items(`/api/v1/${collection}?take=1&include=[Id]`);
    if (first) idsByKind[name] = first.Id;
  }
  const states = await app.rows('select id from entity_state where workflow_id = $1 order by id', [workflow]);
  const wanted = [
    'Practice',
    'Priority',
    'RequestType',
    'Severity',
    'Term',
    'CustomField',
    'CustomRule',
    'RoleEntityType',
  ];
  const kept = Object.entries(idsByKind).filter(([kind]) => wanted.includes(kind));
  return { ...Object.fromEntries(kept), Workflow: workflow, EntityState: states[0].id, otherState: states[2].id };
}

/** The first record of each kind of the rows that stand for it. */
async function historiesOf(ids: Ids): Promise<Ids> {
  const idsByKind: Ids = {};
  for (const { name, table } of model.resources.filter((one) => /_history$/.test(one.table))) {
    const id = ids[name.replace(/(Simple|Full)?History$/, '')] ?? ids.UserStory;
    const [record] = await app.rows(`select min(id) as id from "${table}" where general_id = $1`, [id]);
    if (record.id !== null) idsByKind[name] = record.id;
  }
  return idsByKind;
}

interface Asked extends Sent {
  kind: string;
  operation: Operation;
  caller: Caller;
  expected: string;
}

const isRead = (operation: Operation): boolean => ['list', 'meta', 'one', 'inner'].includes(operation);
const columnOf = (caller: Caller): Column => (caller === 'system' ? 'admin' : (caller as Column));

/** What the table says; 405 where the kind does not offer it. */
function expectedOf(kind: string, operation: Operation, caller: Caller): string {
  const { create, update, delete: remove } = model.resource(kind).settings.operations;
  const isOffered =
    operation === 'create'
      ? create || single.has(kind)
      : /^(update|bulk)$/.test(operation)
        ? update
        : /^delete/.test(operation)
          ? remove
          : true;
  if (refused.includes(caller as never)) return '401';
  if (!isOffered) return '405';
  if (caller === 'system' && notForSystem.has(`${kind} ${operation}`)) return notForSystem.get(`${kind} ${operation}`)!;
  return rightsOf(model.resource(kind), model)?.get(operation)?.[columnOf(caller)] ?? 'nothing said';
}

function questions(who: readonly Caller[]): Asked[] {
  return model.resources.flatMap(({ name: kind }) =>
    operations.flatMap((operation) => {
      if (fixtures.ids[kind] === undefined && operation !== 'list' && operation !== 'meta') return [];
      const sent = requestOf(operation, kind, fixtures);
      return sent
        ? who.map((caller) => ({ kind, operation, caller, expected: expectedOf(kind, operation, caller), ...sent }))
        : [];
    }),
  );
}

const send = ({ method, path, body }: Sent, caller: Caller): Promise<Answer> =>
  askAs(app, callers.tokens[caller], path, { method, body });

const outcome = (status: number): string => (status === 200 || status === 201 ? 'ok' : String(status));

/** What was answered otherwise than the table says. */
async function mismatches(asked: readonly Asked[]): Promise<string[]> {
  const answers = await inParallel(asked, (one) => send(one, one.caller), 8);
  return asked.flatMap(({ kind, operation, caller, expected }, at) => {
    const { status, text } = answers[at]!;
    if (outcome(status) === expected) return [];
    return [
      `${kind} ${operation} by ${caller}: ${outcome(status)}, not ${expected}: ${/Message>?"?:?"?([^"<]*)/.exec(text)?.[1]}`,
    ];
  });
}

describe('the table', () => {
  it('has a line for every route there is, and every kind', () => {
    const ofResources = model.resources.flatMap(({ collection }) => {
      const path = `/api/v1/${collection.toLowerCase()}`;
      return [
        ...[`GET ${path}`, `POST ${path}`, `GET ${path}/meta`],
        ...['GET', 'POST', 'DELETE'].flatMap((method) => [
          `${method} ${path}/:id`,
          `${method} ${path}/:id/:collection`,
        ]),
        `DELETE ${path}/:id/:collection/:child`,
      ];
    });
    const listed = new Set([
      ...ofResources,
      ...open,
      ...doors,
      ...[...otherRoutes.keys()].map((route) => route.split('?', 1)[0]!),
    ]);
    const there = routesOf(app).filter((route) => !nowhere.test(route));
    expect(there.filter((route) => !listed.has(route))).toEqual([]);
    expect([...listed].filter((route) => !there.includes(route))).toEqual([]);
    expect(groupedKinds.filter((kind) => model.resources.every(({ name }) => name !== kind))).toEqual([]);
    expect(model.resources.filter((one) => rightsOf(one, model) === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('has something to ask for of every kind that is there', () => {
    const without = model.resources.filter(({ name }) => fixtures.ids[name] === undefined).map(({ name }) => name);
    expect(without).toEqual([]);
  });
});

describe('E7: what is refused', () => {
  it('is refused as the table says, and leaves every table as it was', async () => {
    const before = await everyTable();
    const asked = questions(columns).filter(({ operation, expected }) => isRead(operation) || expected !== 'ok');
    expect(await mismatches(asked)).toEqual([]);
    expect(await everyTable()).toEqual(before);
  });
});

describe('A15, E7: who may not call', () => {
  /** In either format, on every route and on none, refused in one answer. */
  it('is refused on every route with the same answer', async () => {
    const routes = [
      ...questions(refused),
      ...[
        ...otherRoutes.keys(),
        'GET /api/v1/nothing',
        'GET /api/v1/nothing/1',
        'DELETE /api/v9',
        'PUT /api/v1/bugs',
      ].flatMap((route) => refused.map((caller) => ({ caller, ...sentTo(route) }))),
    ];
    const seen = new Set<string>();
    await inParallel(routes, async (one) => {
      const { status, text, headers } = await send(
        { ...one, path: `${one.path}${one.path.includes('?') ? '&' : '?'}format=json` },
        one.caller,
      );
      const isPage = /^\/(entity|query|profile|administration|api\/docs)\b/.test(one.path);
      seen.add(`${status} ${headers.get('www-authenticate')} ${isPage ? 'page' : plain(text)}`);
    });
    const { text } = await app.ask('/api/v1/Users?format=json', { as: 'nobody' });
    const challenge = '401 Basic realm="Worktrack", charset="UTF-8"';
    expect([...seen].toSorted()).toEqual([`${challenge} ${plain(text)}`, `${challenge} page`].toSorted());
  });

  it.each([
    'application/json',
    'application/xml',
    'text/plain',
    '',
  ])('is told nothing of what a body of %s holds', async (type) => {
    const answers = [];
    for (const body of ['{"Name":', '<!DOCTYPE x><Bug/>', 'x'.repeat(100_000)])
      for (const path of ['/api/v1/Bugs', '/api/v1/nothing'])
        answers.push(await app.ask(path, { as: 'nobody', method: 'POST', body, headers: { 'content-type': type } }));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
  });

  it.each(refused.slice(1))('is refused with the right password: %s', async (caller) => {
    const asCaller = { as: callers.logins[caller]! };
    for (const format of ['json', 'xml']) {
      const [one, wrong] = [
        await app.ask(`/api/v1/Users?format=${format}`, asCaller),
        await app.ask(`/api/v1/Users?format=${format}`, { as: 'nobody-at-all:demo' }),
      ];
      expect([one.status, plain(one.text), one.headers.get('www-authenticate')]).toEqual([
        401,
        plain(wrong.text),
        wrong.headers.get('www-authenticate'),
      ]);
    }
  });
});

describe('other routes', () => {
  it.each([...otherRoutes])('%s', async (route, row) => {
    for (const caller of [...columns, 'system'] as const) {
      const { status } = await send(sentTo(route), caller);
      expect([route, caller, outcome(status)]).toEqual([route, caller, row[columnOf(caller)]]);
    }
  });

  it.each(open)('%s is open to anybody', async (route) => {
    for (const caller of ['anonymous', 'outsider', 'admin'] as const)
      expect((await send(sentTo(route), caller)).status).toBe(200);
  });
});

/** A line of the table as a request. */
function sentTo(route: string): Sent {
  const [method, path] = route.split(' ') as [string, string];
  const { UserStory, UserStoryHistory, Attachment } = fixtures.ids;
  return {
    method,
    path: path
      .replace('history/v2/:entity*', `history/v2/userstory/${UserStoryHistory}`)
      .replace(':entity*', `userstory/${UserStory}`)
      .replace(':entity', 'userstory')
      .replace(':id', String(UserStory))
      .replace(':hash/:name', 'any/page.css')
      .replace('documentation/:name', 'documentation/contract')
      .replace('documentation/pictures/:name', 'documentation/pictures/query.png')
      .replace(/aspx$/, `aspx?AttachmentID=${Attachment}`),
  };
}

const plain = (text: string): string => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '');

describe('E7: what is allowed', () => {
  it.each(['member', 'team', 'outsider', 'observer', 'admin', 'system'] as const)('to %s is done', async (caller) => {
    const asked = questions([caller]).filter(({ operation, expected }) => !isRead(operation) && expected === 'ok');
    expect(asked.length).toBeGreaterThan(0);
    const wrong: string[] = [];
    for (const one of asked) wrong.push(...(await done(one)));
    expect(wrong).toEqual([]);
  });
});

/** Sends a write about an entity of its own, so that every write finds what it needs. */
async function done(asked: Asked): Promise<string[]> {
  const { kind, operation, caller, expected } = asked;
  const id = await victim(kind, operation);
  if (/^take/.test(operation)) await send(requestOf('add', kind, fixtures, id)!, 'admin');
  const general =
    kind === 'Relation' ? await make(app, 'Feature', { mark: 'end', ids: fixtures.ids }) : fixtures.fresh.General!;
  const sent = requestOf(operation, kind, { ...fixtures, fresh: { ...fixtures.fresh, General: general } }, id)!;
  return mismatches([{ kind, operation, caller, expected, ...sent }]);
}

/** The row that a write is about: where it would take the row away, one made for that. */
async function victim(kind: string, operation: Operation): Promise<number> {
  const { ids, fresh } = fixtures;
  if (!/^delete/.test(operation)) return ids[kind]!;
  const made = { General: 'Build', Assignable: 'UserStory', GeneralUser: 'User' }[kind] ?? kind;
  const { table, settings } = model.resource(made);
  if (made === 'LoginAttempt') return ofAdministrators(made);
  if (!settings.operations.create || made === 'TestCaseRun') return copied(table, ids[kind]!);
  const General = made === 'Relation' ? await make(app, 'Feature', { mark: 'end', ids }) : ids.UserStory!;
  const Release = made === 'ReleaseProject' ? await elsewhere(ids) : fresh.Release!;
  return make(app, made, { mark: 'victim', ids: { ...ids, ...fresh, General, Release } });
}

async function copied(table: string, id: number): Promise<number> {
  const columns = await app.rows(
    `select column_name as name from information_schema.columns where table_name = $1 and column_name <> 'id'`,
    [table],
  );
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const [made] = await app.rows(
    `insert into "${table}" (${names}) select ${names} from "${table}" where id = $1 returning id`,
    [id],
  );
  return made.id;
}

/** A digest of each table, but for what says that somebody called. */
async function everyTable(): Promise<unknown[]> {
  const tables = await app.rows(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const digests = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int as rows, md5(string_agg(md5(x::text), '' order by md5(x::text))) as digest from "${name}" x${only[name] ?? ''}`,
  );
  return app.rows(`${digests.join(' union all ')} order by name`);
}

/** The service does its own work every minute, which takes a lease. */
const only: Readonly<Record<string, string>> = { setting: ` where name not like 'lease %'` };
