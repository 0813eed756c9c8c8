/**
 * What a caller may not see changes nothing that the caller gets. Two services run on databases that differ in hidden
 * rows alone, and must answer every request byte for byte the same. SEED and CASES choose other requests and more of
 * them.
 *
 * Facts that docs/contract.md publishes may differ and are kept equal here, so that they are not compared: that a
 * visible row was written (no hidden work writes one; hidden-writes.api-spec.ts lists what shows it), totals stored
 * with a visible parent, names of tags, allocation of people, logins that are taken, ids of what is new.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Answer, type Ask, TestApp } from '../support/app.js';
import { type Ids, make, model } from '../support/builder.js';
import { diceOf } from '../support/dice.js';
import { type HiddenPlaces, moveHidden, plantPlaces } from '../support/hidden-places.js';
import { workInHiding } from '../support/hidden-work.js';
import { RandomRequests } from '../support/random-requests.js';
import { RandomWrites } from '../support/random-writes.js';
import { rulesLookUp } from '../support/rules-look-up.js';
import { definePointers, idsFrom, ownMark, plant, type Secrets, scramble, secretMark } from '../support/secrets.js';
import { inParallel } from '../support/sweep.js';

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 180_000 });

const seed = Number(process.env.SEED ?? 14);
const cases = Number(process.env.CASES ?? 400);

/**
 * The member is in the team of items of the hidden project as well; the limited one, who sees the project too, may not
 * edit bugs nor delete releases.
 */
const callers = {
  member: 'the member',
  observer: 'the observer',
  outsider: 'the outsider',
  team: 'the team',
  limited: 'the limited',
};
type Caller = keyof typeof callers;
const names = Object.keys(callers) as Caller[];

let one: TestApp;
let other: TestApp;
let secrets: Secrets;
let places: HiddenPlaces;
const ids: Ids = {};

beforeAll(async () => {
  [one, other] = await TestApp.twins(prepare, { BASE_URL: 'https://work.example.com' });
  await workInHiding(other, secrets);
  await differ(other);
  for (const app of [one, other]) await idsFrom(app, 90_000_000);
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
});

async function prepare(app: TestApp): Promise<void> {
  await app.rows('truncate general cascade');
  await definePointers(app, { Due: 'Date' });
  secrets = await plant(app);
  places = await plantPlaces(app, secrets);
  const { Id: limited } = await app.write('Roles', { Name: 'limited' });
  for (const kind of ['Bug', 'Release'])
    await app.write('RoleEntityTypes', {
      Role: { Id: limited },
      EntityType: { Id: model.resource(kind).settings.entityTypeId },
      IsEditEnabled: false,
    });
  for (const name of names) await caller(app, name, name === 'limited' ? { Role: { Id: limited } } : {});
}

async function caller(app: TestApp, name: Caller, role: object): Promise<void> {
  const place = { mark: 'caller', ids: { ...secrets.own } };
  const person = { Login: callers[name], Email: `${name}@example.com`, IsObserver: name === 'observer', ...role };
  ids[name] = await make(app, 'User', place, person);
  const own = { mark: '', ids: { ...place.ids, User: ids[name] } };
  if (name !== 'outsider' && name !== 'team') await make(app, 'ProjectMember', own, role);
  if (name !== 'member' && name !== 'team') return;
  await make(app, 'TeamMember', { ...own, ids: { ...own.ids, Team: places.across.Team! } });
}

/**
 * Hidden rows say other things, are deleted for good or for a time, and are more. No trigger runs; hidden work was for
 * them.
 */
async function differ(app: TestApp): Promise<void> {
  await scramble(app, Object.values(ids));
  const { secret } = secrets;
  const client = await app.database.connect();
  try {
    await client.query('set session_replication_role = replica');
    // Texts that are numbers and dates, and values of custom fields that are none.
    await client.query(
      `update general set name = case id % 3 when 0 then '12' when 1 then '2026-01-31' else name end, description = '7',
         custom_values = '{"Due": "never", "Pointer": {"Id": "x", "Kind": "Bug"}}' where id between 77000000 and 77000999`,
    );
    await client.query('delete from comment where id = $1', [secret.Comment]);
    await client.query('update general_user set token_version = token_version + 1');
    await client.query('delete from general where id = any($1)', [[secret.Task, secret.Bug, secret.TestCase]]);
    const columns = `select string_agg(quote_ident(column_name), ',') as names from information_schema.columns
      where table_name = 'general' and column_name <> 'id' and is_generated = 'NEVER'`;
    const [{ names }] = (await client.query(columns)).rows;
    await client.query(
      `insert into general (id, ${names}) select 77000500 + n, ${names} from general, generate_series(1, 300) n where id = $1`,
      [secret.UserStory],
    );
    await moveHidden(client, secrets, places);
    await client.query('analyze');
  } finally {
    client.release(true);
  }
}

const sets = (): Ids[] => [secrets.own, secrets.tied, secrets.open, secrets.secret, ...Object.values(places)];
const pool = () => ({
  ids: [...sets().flatMap((some) => Object.values(some)), 77_000_501, 99_000_001, 1, 0],
  texts: [
    '',
    'zqo',
    'zqs',
    'zqa',
    ownMark,
    `${secretMark}1`,
    secretMark,
    'E',
    '1',
    '12',
    '2026-01-31',
    'x',
    '%',
    'never',
  ],
});

/** Which request it was, and when it was asked. */
const plain = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, 'request')
    .replace(/(UniqueFileName\W+)[0-9a-f]{32}/g, '$1key')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+|\/Date\((\d+)[^)]*\)\\?\//g, (date, milliseconds) =>
      Math.abs(Date.now() - (milliseconds ? Number(milliseconds) : Date.parse(`${date}Z`))) < 3_600_000 ? 'now' : date,
    );

/**
 * What a write reckons anew of a visible parent takes the hidden items in: a fact that is published. Versions move with
 * totals.
 */
const totals =
  'Effort|EffortCompleted|EffortToDo|Progress|TimeSpent|TimeRemain|(?:NotRun|Passed|Failed|OnHold|Blocked)Count|EntityVersion';
const inJson = new RegExp(`"(${totals})":[\\d.]+`, 'g');
const inXml = new RegExp(`<(${totals})>[\\d.]+<`, 'g');
/** So are the ids of what is new: a step that is added to a visible test case is added to hidden runs of it too. */
const withoutFacts = (text: string): string =>
  text
    .replace(inJson, '"$1":total')
    .replace(inXml, '<$1>total<')
    .replace(/\b9000\d{4}\b/g, 'new');

/** Where a reference of these went from one hidden row to another, which their tags tell. */
const tagged = /\/(Times|Attachments|TestCaseRuns)\/\d+\?/;

/** A time may be a digit shorter than another, and the tag of what was just written holds the moment it was. */
function shown({ status, headers, text }: Answer, hasOtherTag: boolean): string {
  const varying = ['date', 'x-request-id', 'content-length', ...(hasOtherTag ? ['etag'] : [])];
  const compared = [...headers].filter(([name]) => !varying.includes(name));
  return `${status} ${compared.map((header) => header.join(': ')).join('; ')}\n${plain(text)}`;
}

/** Empty where both answer the same. */
async function difference(path: string, ask: Ask): Promise<string> {
  const whole: Ask = { ...ask, headers: { 'accept-encoding': 'identity', ...ask.headers } };
  const answers = await Promise.all([one, other].map((app) => app.ask(path, whole)));
  const isWrite = ask.method !== undefined;
  const [first, second] = answers.map((answer) =>
    isWrite ? withoutFacts(shown(answer, true)) : shown(answer, tagged.test(path)),
  ) as [string, string];
  if (first === second) return '';
  const at = [...first].findIndex((letter, place) => letter !== second[place]);
  const around = (text: string): string => text.slice(Math.max(0, at - 100), at + 60);
  return `seed ${seed}, ${ask.as}, ${ask.method ?? 'GET'} ${decodeURIComponent(path)} ${ask.body ?? ''}\n  ${around(first)}\n  <> ${around(second)}`;
}

const differences = async (requests: readonly [path: string, ask: Ask][]): Promise<string[]> =>
  (await inParallel(requests, ([path, ask]) => difference(path, ask), 4)).filter((text) => text !== '');

describe.each(['member', 'observer', 'outsider', 'team'] as const)('to the %s', (who) => {
  const as = callers[who];

  it('E20: random requests of both versions are answered byte for byte the same', async () => {
    const requests = new RandomRequests(diceOf(seed * 31 + who.length), pool());
    const asked = Array.from({ length: cases }, (): [string, Ask] => [requests.next(), { as }]);
    expect(await differences(asked)).toEqual([]);
    const statuses = await inParallel(asked.slice(0, 200), async ([path]) => (await one.ask(path, { as })).status);
    // Most must be good requests, or they tell nothing.
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(100);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
  });

  it('contexts, pages, files, pictures and tools are answered byte for byte the same', async () => {
    const asked = [...new Set(pool().ids)].flatMap((id): [string, Ask][] => [
      ...aboutId(id).map((path): [string, Ask] => [path, { as }]),
      tool('get', { id }, as),
      tool('move', { id, state: 'Nowhere' }, as),
    ]);
    const lists = model.resources.flatMap(({ name: kind }) => [
      tool('list', { kind, take: 50 }, as),
      tool('report', { kind }, as),
      tool('search', { words: 'zq*', project: kind === 'Bug' ? 'zqsecret' : secrets.secret.Project }, as),
    ]);
    expect(await differences([...asked, ...lists])).toEqual([]);
  });

  it('whole lists are streamed byte for byte the same', async () => {
    const found: string[] = [];
    for (const { collection } of model.resources.filter(({ name }) => !/^GlobalSettings$/.test(name))) {
      // One after another: a user has few streams at a time.
      found.push(await difference(`/api/v1/${collection}?format=ndjson`, { as }));
    }
    expect(found.filter((text) => text !== '')).toEqual([]);
  });

  it('entities of every kind carry the same entity tags', async () => {
    const asked = model.resources.flatMap(({ name, collection }) =>
      [secrets.own, secrets.tied, secrets.open]
        .filter((rows) => rows[name] !== undefined)
        .map((rows): [string, Ask] => [`/api/v1/${collection}/${rows[name]}`, { as }]),
    );
    const { tied } = secrets;
    const moved = ['Time', 'Attachment', 'TestCaseRun'].map(
      (kind) => `/${model.resource(kind).collection}/${tied[kind]}`,
    );
    const unmoved = asked.filter(([path]) => !moved.some((end) => path.endsWith(end)));
    expect(await differences(unmoved)).toEqual([]);
    const tags = await inParallel(asked, async ([path]) => (await one.ask(path, { as })).headers.get('etag'), 4);
    expect(tags.filter((tag) => tag !== null).length).toBeGreaterThan(who === 'team' ? 5 : 15);
  });

  it('E19: expressions that fit some rows only tell nothing of hidden ones, wherever they stand', async () => {
    const asked = failing().map((path): [string, Ask] => [path, { as }]);
    expect(await differences(asked)).toEqual([]);
  });
});

// After all reads, whose answers tell when a row was written.
describe.each(names)('to the %s', (who) => {
  it('writes that name hidden rows are answered as if these were not', async () => {
    const as = callers[who];
    const { own, secret, tied } = secrets;
    const { across, farther, gone } = places;
    const writes = new RandomWrites(diceOf(seed * 7 + who.length), {
      sets: [own, own, own, tied, across, across, secret, farther, gone],
      places: [own, { ...own, ...across }, { ...tied, ...across }],
      ids: pool().ids,
    });
    const messages: string[] = [];
    for (let round = 0; round < cases; round++) messages.push(await difference(...writes.next(as)));
    expect(messages.filter((text) => text !== '')).toEqual([]);
  });

  it('a place is taken from what is seen without a word of the project that it lies in', async () => {
    const as = callers[who];
    const { Release, UserStory, TestPlan, Feature } = places.across;
    const [hidden] = await one.rows('select start_date, end_date from general where id = $1', [
      secrets.secret.Iteration,
    ]);
    const days = { StartDate: hidden.start_date, EndDate: hidden.end_date };
    const bodies: [path: string, body: object][] = [
      ['Iterations', { Name: 'x', Release: { Id: Release }, ...days }],
      [`Releases/${Release}/Iterations`, { Name: 'x', ...days }],
      ['Builds', { Name: 'x', Release: { Id: Release } }],
      ['Tasks', { Name: 'x', UserStory: { Id: UserStory } }],
      ['TestPlanRuns', { TestPlan: { Id: TestPlan } }],
      [`TestPlans/${TestPlan}/TestCases`, { Name: 'x' }],
      [`Features/${Feature}`, { UserStories: [{ Name: 'x' }] }],
      ['bulk', { Items: [{ Name: 'x', UserStory: { Id: UserStory } }] }],
    ];
    for (const [path, body] of bodies) {
      const address = `/api/v1/${path === 'bulk' ? 'Tasks/bulk' : path}?format=json`;
      const ask: Ask = {
        as,
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      };
      expect(await difference(address, ask)).toBe('');
      const { status } = await one.ask(address, ask);
      expect([path, status]).toEqual([path, who === 'member' ? 403 : status]);
    }
  });

  it('what rules look up besides says nothing of what is hidden', async () => {
    const found: string[] = [];
    // One after another: some of them are writes.
    for (const asked of rulesLookUp(callers[who], secrets, places)) found.push(await difference(...asked));
    expect(found.filter((text) => text !== '')).toEqual([]);
  });

  it('a hidden row is as missing from a collection that it is taken out of as one that never was', async () => {
    const as = callers[who];
    const { own, secret } = secrets;
    const asked = model.resources.flatMap(({ name, collection, fields }) =>
      fields.flatMap((field): [string, Ask][] =>
        field.kind === 'collection' && field.canRemove && field.via.kind === 'link' && own[name] !== undefined
          ? // This bug is not in the other database.
            [[`/api/v1/${collection}/${own[name]}/${field.name}/${secret.Bug}`, { as, method: 'DELETE' }]]
          : [],
      ),
    );
    expect(asked.length).toBeGreaterThan(10);
    expect(await differences(asked)).toEqual([]);
  });

  it('and leave the same behind', async () => {
    const ask: Ask = { as: callers[who], method: 'GET' };
    // Efforts by role are totals too: an item has one of each role that its parts have, hidden ones among them.
    const lists = model.resources.filter(({ name }) => !/^(GlobalSettings|RoleEffort|AssignedEffort)$/.test(name));
    const paths = lists.map(({ collection }): [string, Ask] => [`/api/v1/${collection}?take=1000&format=json`, ask]);
    expect(await differences(paths)).toEqual([]);
  });
});

const aboutId = (id: number): string[] => [
  `/api/v1/Context?ids=${id}&format=json`,
  `/api/v1/Context?teamIds=${id}&format=xml`,
  `/entity/${id}`,
  `/Attachment.aspx?AttachmentID=${id}`,
  `/AttachmentThumbnail.aspx?AttachmentID=${id}`,
  `/avatar.ashx?UserID=${id}`,
];

function tool(name: string, args: object, as: string): [string, Ask] {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return ['/mcp', { as, method: 'POST', headers, body: JSON.stringify(body) }];
}

/** Conversions and arithmetic that one row takes and another does not. */
const unfit = (text: string, of: string): string[] => [
  `Convert.ToInt32(IIF(${text}.StartsWith('zqs'),'x','1'))==1`,
  `Convert.ToInt32(${text})>0`,
  `Convert.ToDecimal(${text})>0`,
  `Convert.ToDateTime(${text})<Today`,
  `Convert.ToBoolean(${text})`,
  `Guid.Parse(${text})!=null`,
  `DateTime.Parse(${text}).year>1`,
  `Math.Pow(10,IIF(${text}=='12',400,1))>1`,
  `Math.Exp(${text}.length*1000)>1`,
  `Today.AddYears(IIF(${text}=='12',999999,1))>Today`,
  `Today.AddDays(IIF(${text}=='12',1e300,1))>Today`,
  `name.Substring(IIF(${text}=='12',99999999999,0))!=''`,
  `1/(${text}.length-2)>0`,
  `${of}>77000000 and Convert.ToInt32(${text})==12`,
];

const own = unfit('name', 'id');
const ofProject = unfit('project.name', 'project.id');
const ofFeature = unfit('feature.name', 'feature.id');
const ofTasks = unfit('name', 'id');

const ask = (entity: string, parameters: Record<string, string>): string =>
  `/api/v2/${entity}?${new URLSearchParams(parameters)}`;

function failing(): string[] {
  const { UserStory, Bug } = secrets.secret;
  return [
    ...own.flatMap((test) => [
      ask('UserStory', { where: `id==${UserStory} and ${test}` }),
      ask('UserStory', { where: test, select: 'id' }),
      ask('UserStory', { where: test, result: 'count' }),
      ask('UserStory', { select: `{id,x:IIF(${test},1,2)}` }),
      ask('UserStory', { orderBy: `IIF(${test},1,2)`, select: 'id' }),
      ask('UserStory', { groupBy: `x:IIF(${test},1,2)` }),
      ask('General', { where: test, select: 'id', take: '1000' }),
      ask('Comment', { where: test.replaceAll('name', 'description'), select: 'id' }),
    ]),
    ...[...ofProject, ...ofFeature].flatMap((test) => [
      ask('UserStory', { where: test, select: 'id' }),
      ask('UserStory', { select: `{id,x:IIF(${test},1,2)}` }),
    ]),
    ...ofTasks.flatMap((test) => [
      ask('UserStory', { where: `tasks.any(${test})`, select: 'id' }),
      ask('Project', { select: `{id,n:userStories.count(${test}),m:bugs.where(${test}).select(name)}` }),
      ask('Feature', { select: `{id,x:userStories.orderBy(IIF(${test},1,2)).first().id}` }),
    ]),
    ask('UserStory', { select: '{id,Pointer.resourceType,k:Pointer.id,d:Due,c:customValues}' }),
    ask('UserStory', { where: 'Pointer.resourceType=="Bug"', select: 'id' }),
    ask('UserStory', { where: 'Due<Today', select: 'id' }),
    ask('UserStory', { groupBy: 'a:Pointer.resourceType' }),
    ask('UserStoryHistory', { select: '{id,GetCustomValueString("Pointer"),x:Convert.ToInt32(name)}' }),
    ask('UserStory', { where: `Pointer.id==${Bug}`, select: 'id' }),
    ...['InPast(1)', 'InFuture(1)', 'InFuture(2)'].flatMap((near) => [
      ask('Release', { where: near, select: 'id' }),
      ask('UserStory', { select: `{id,x:release.${near}}` }),
    ]),
    `/api/v1/UserStories?where=CustomFields.Due gt '2026-01-01'&format=json`,
    `/api/v1/UserStories?orderBy=CustomFields.Due&format=json`,
    `/api/v1/UserStories?include=[CustomFields]&format=xml`,
  ];
}
