/**
 * Totals of projects and releases, which writers append to: they read the same before and after somebody adds them up.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
let project: number;
let release: number;

beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const made = async (path: string, body: unknown): Promise<number> => {
  const answer = await app.post(`/api/v1/${path}?format=json`, body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.json.Id;
};

const story = (Effort: number, more: object = {}) =>
  made('UserStories', {
    Name: 'planned',
    Project: { Id: project },
    Release: { Id: release },
    RoleEfforts: [{ Role: { Id: 1 }, Effort }],
    ...more,
  });

// One transaction of many adds up what there is: then a project is made that still has something to be added.
beforeEach(async () => {
  do await plan();
  while ((await pending()) === 0);
});

async function plan(): Promise<void> {
  project = await made('Projects', { Name: 'gaining', Process: { Id: 3 } });
  release = await made('Releases', { Name: 'gaining', Project: { Id: project } });
  for (const effort of [3, 5]) await story(effort);
  const [done] = await app.items(
    '/api/v1/EntityStates?where=(Process.Id eq 3)and(EntityType.Id eq 4)and(IsFinal eq "true")&include=[Id]',
  );
  await story(2, { EntityState: { Id: done.Id } });
}

const pending = async (): Promise<number> =>
  (await app.rows('select count(*)::int as n from span_delta where span_id = any($1)', [[project, release]]))[0].n;

const addUp = () => app.rows('select fold_spans($1)', [[project, release]]);

const totals = { Effort: 10, EffortCompleted: 2, EffortToDo: 8, Progress: 0.2 };
const fields = 'include=[Effort,EffortCompleted,EffortToDo,Progress]';

const reads = (): Record<string, () => Promise<unknown>> => ({
  'the project': () => app.json(`/api/v1/Projects/${project}?${fields}`),
  'the release': () => app.json(`/api/v1/Releases/${release}?${fields}`),
  'the project in XML': () => app.xml(`/api/v1/Projects/${project}?${fields}`),
  'a reference to it': () => app.json(`/api/v1/Releases/${release}?include=[Project[Effort,Progress]]`),
  'both as Generals': () => app.items(`/api/v1/Generals?where=Id in (${project},${release})&${fields}`),
  'a filter': () =>
    app.items(`/api/v1/Projects?where=(Effort eq 10)and(Progress gt 0.1)and(Id eq ${project})&include=[Id]`),
  'an order': () => app.items(`/api/v1/Projects?orderByDesc=EffortToDo&include=[EffortToDo]&take=100`),
  'version 2': () =>
    app.json(`/api/v2/project?where=(id==${project})&select={effort,progress,toDo:effortToDo,v:entityVersion}`),
  'a sum of version 2': () =>
    app.json(`/api/v2/release?where=(project.id==${project} and effort==10)&select={effort,project.effort as whole}`),
  'their versions': () => app.items(`/api/v1/Generals?where=Id in (${project},${release})&include=[EntityVersion]`),
  'the version of the project': () => app.json(`/api/v1/Projects/${project}?include=[EntityVersion]`),
});

it('read the same before and after they are added up', async () => {
  expect(await pending()).toBeGreaterThan(0);
  const all = Object.entries(reads());
  const before = Object.fromEntries(await Promise.all(all.map(async ([name, read]) => [name, await read()] as const)));
  expect(before['the project']).toMatchObject(totals);
  expect(before['the release']).toMatchObject(totals);
  expect(before['a filter']).toHaveLength(1);
  await addUp();
  expect(await pending()).toBe(0);
  for (const [name, read] of all) expect([name, await read()]).toEqual([name, before[name]]);
});

describe('when they would end at their pace', () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  /** Noon: the day is the same however long the test takes. */
  const noon = (days: number) => new Date(daysAgo(days).setUTCHours(12, 0, 0, 0));
  const begin = (days: number) =>
    app.rows('update general set start_date = $2, end_date = null where id = any($1)', [
      [project, release],
      noon(days),
    ]);
  const forecasts = async () => {
    const shown = await Promise.all(
      [`Projects/${project}`, `Releases/${release}`].map((path) =>
        app.json(`/api/v1/${path}?include=[ForecastEndDate]`),
      ),
    );
    return shown.map(({ ForecastEndDate: date }) => date && Number(/\d+/.exec(date)![0]));
  };

  it('is told from what is done, added up or not', async () => {
    await begin(20);
    const before = await forecasts();
    const expected = noon(20).getTime() + (Date.now() - noon(20).getTime()) / 0.2;
    for (const moment of before) expect(Math.abs(moment! - expected)).toBeLessThanOrEqual(86_400_000);
    await addUp();
    expect(await forecasts()).toEqual(before);
  });

  it('is told by nobody in the first week, nor when a tenth is done at the most', async () => {
    await begin(6);
    expect(await forecasts()).toEqual([null, null]);
    await begin(20);
    await story(100);
    expect(await forecasts()).toEqual([null, null]);
  });

  it('is unknown where nothing began, and a project tells how long it took', async () => {
    expect(await forecasts()).toEqual([null, null]);
    await app.rows(
      "update general set end_date = create_date + interval '36 hours', start_date = create_date where id = $1",
      [project],
    );
    const times = await app.json(`/api/v1/Projects/${project}?include=[LeadTime,CycleTime]`);
    expect(times).toMatchObject({ LeadTime: 1.5, CycleTime: 1.5 });
    expect(await app.json(`/api/v1/Projects/${project}`)).not.toHaveProperty('LeadTime');
    const path = `/api/v1/Projects?where=(Id eq ${project})and(LeadTime gt 1)&include=[Id]`;
    expect(await app.items(path)).toHaveLength(1);
  });
});

it('move the version and the entity tag, and adding up moves neither', async () => {
  const tag = async () => (await app.ask(`/api/v1/Projects/${project}?include=[Id]`)).headers.get('etag');
  const before = await tag();
  await story(1);
  const after = await tag();
  expect(after).not.toBe(before);
  await addUp();
  expect(await tag()).toBe(after);
  const write = (match: string) =>
    app.post(`/api/v1/Projects/${project}?format=json`, { Name: 'renamed' }, { headers: { 'if-match': match } });
  expect((await write(before!)).status).toBe(412);
  expect((await write(after!)).status).toBe(200);
});

it('stay with a deleted project and are right when it is restored', async () => {
  const shown = () =>
    app.items(`/api/v1/Projects?where=(Id eq ${project})and(DeleteDate is not null)&include=[Effort,Progress]`);
  expect((await app.ask(`/api/v1/Projects/${project}`, { method: 'DELETE' })).status).toBe(200);
  expect(await shown()).toMatchObject([{ Effort: 10, Progress: 0.2 }]);
  await app.rows('update general set delete_date = null where id = $1 or project_id = $1', [project]);
  expect(await app.json(`/api/v1/Projects/${project}?${fields}`)).toMatchObject(totals);
});

it.each<[string, (at: number) => Promise<unknown>]>([
  ['new items', (at) => story(1, { Name: `many ${at}` })],
  [
    'times alone',
    async () => {
      const [{ Id }] = await app.items(
        `/api/v1/UserStories?where=(Project.Id eq ${project})and(EntityState.IsFinal eq 'false')&include=[Id]`,
      );
      return made('Times', { Assignable: { Id }, Spent: 1, Remain: 1000 });
    },
  ],
])('are added up by one of many writes: %s', async (_, write) => {
  let most = 0;
  for (let at = 0; at < 1000; at++) {
    await write(at);
    const left = await pending();
    if (left < most) break;
    most = left;
  }
  expect(most).toBeGreaterThan(1);
  expect(await pending()).toBeLessThan(most);
  const before = await app.json(`/api/v1/Projects/${project}?${fields}`);
  await app.rows('select recompute_totals()');
  expect(await app.json(`/api/v1/Projects/${project}?${fields}`)).toEqual(before);
});

it('the version of a project grows where it is summed up anew', async () => {
  const states = await app.items(
    `/api/v1/EntityStates?where=(Process.Id eq 3)and(EntityType.Name eq 'Project')&include=[Id,IsFinal]`,
  );
  let version = 0;
  for (const isFinal of [true, false, true]) {
    do await story(1);
    while ((await pending()) < 8);
    const { EntityVersion } = await app.json(`/api/v1/Projects/${project}?include=[EntityVersion]`);
    expect(EntityVersion).toBeGreaterThan(version);
    const EntityState = states.find(({ IsFinal }) => IsFinal === isFinal);
    const answer = await app.post(`/api/v1/Projects/${project}?include=[EntityVersion]&format=json`, { EntityState });
    expect(answer.status, answer.text).toBe(200);
    version = answer.json.EntityVersion;
    expect(version).toBeGreaterThan(EntityVersion);
  }
});

it('versions of what had wrong totals, and of what it lies in, grow where totals are computed anew', async () => {
  const [wrong, right] = [await story(3), await story(4)];
  const versions = async () => {
    const ids = [wrong, right, project, release];
    const items = await app.items(`/api/v1/Generals?where=Id in (${ids})&include=[Id,EntityVersion]`);
    return ids.map((id) => items.find(({ Id }) => Id === id).EntityVersion);
  };
  const before = await versions();
  const tag = (await app.ask(`/api/v1/UserStories/${wrong}?format=json`)).headers.get('etag')!;
  const client = await app.database.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    await client.query('update general set effort = 7, effort_to_do = 7 where id = any($1)', [[wrong, project]]);
    await client.query('update full_history set effort = 7, effort_to_do = 7 where general_id = $1', [wrong]);
    await client.query('commit');
  } finally {
    client.release();
  }
  await app.rows('select recompute_totals()');
  const [wrongBefore, ...others] = before;
  expect(await versions()).toEqual([wrongBefore + 1, others[0], others[1] + 1, others[2] + 1]);
  const renamed = { Name: 'renamed' };
  const refused = await app.post(`/api/v1/UserStories/${wrong}?format=json`, renamed, { headers: { 'if-match': tag } });
  expect(refused.status).toBe(412);
  const records = await app.items(`/api/v1/UserStoryHistories?where=CurrentUserStory.Id eq ${wrong}&include=[Effort]`);
  expect(records.map(({ Effort }) => Effort)).toEqual([3]);
});
