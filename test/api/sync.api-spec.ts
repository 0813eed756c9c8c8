/** The job of docs/sync.md, as it stands there: it finds every change, and keeps a copy of what there is. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { TestApp } from '../support/app.js';

// It reads all there is, many times.
vi.setConfig({ testTimeout: 180_000 });

// biome-ignore lint/suspicious/noExplicitAny: items have the shape that was asked for
type Copy = Record<string, Map<number, any>>;
type Asking = (path: string) => Promise<unknown>;

interface Job {
  sync(ask: Asking, copy: Copy): Promise<{ collection: string; id: number; change: string }[]>;
  // biome-ignore lint/suspicious/noExplicitAny: items have the shape that was asked for
  changedItems(ask: Asking, copy: Copy, changes: unknown): AsyncIterable<any>;
}

let app: TestApp;
let job: Job;
let folder: string;
let project: number;

beforeAll(async () => {
  app = await TestApp.start();
  const text = await readFile(new URL('../../docs/sync.md', import.meta.url), 'utf8');
  const [, code] = /```js\n(.*?)```/s.exec(text)!;
  folder = await mkdtemp(join(tmpdir(), 'sync-'));
  await writeFile(join(folder, 'sync.mjs'), code!);
  job = (await import(pathToFileURL(join(folder, 'sync.mjs')).href)) as Job;
  const [row] = await app.rows(
    `select p.id from general p join project_member m on m.project_id = p.id join general_user u on u.id = m.user_id
     where p.process_id = 3 and p.delete_date is null and u.login = 'alice' order by p.id limit 1`,
  );
  project = row.id;
});
afterAll(async () => {
  await app.stop();
  await rm(folder, { recursive: true });
});

const asking =
  (as: string): Asking =>
  (path) =>
    app.json(path, { as });

// biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
async function write(path: string, body: unknown): Promise<any> {
  const answer = await app.post(`/api/v1/${path}${path.includes('?') ? '&' : '?'}format=json`, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
}

const remove = async (path: string): Promise<void> => {
  const answer = await app.ask(`/api/v1/${path}`, { method: 'DELETE' });
  expect(answer.status, answer.text).toBe(200);
};

/** What an administrator's copy has to hold, from the database itself. */
async function stored(): Promise<Record<string, string[]>> {
  const texts = async (text: string): Promise<string[]> =>
    (await app.rows(text)).map((row) => Object.values(row).join(' '));
  const live = 'join general g on g.id = t.assignable_id and g.delete_date is null';
  return {
    Generals: await texts(
      `select id, entity_version + (select count(*) from span_delta where span_id = id) from general where delete_date is null order by id`,
    ),
    Assignments: await texts(
      `select t.id, t.assignable_id, t.general_user_id, t.role_id from assignment t ${live} order by t.id`,
    ),
    RoleEfforts: await texts(
      `select t.id, t.effort::float8, t.effort_completed::float8 from role_effort t ${live} order by t.id`,
    ),
    Times: await texts(
      `select t.id, t.spent::float8, t.description from time t left join general g on g.id = t.assignable_id
       join general p on p.id = t.project_id and p.delete_date is null
       where (t.assignable_id is null or g.delete_date is null) order by t.id`,
    ),
    Comments: await texts(
      'select t.id, t.general_id from comment t join general g on g.id = t.general_id and g.delete_date is null order by t.id',
    ),
  };
}

/** The same of a copy. */
function copied(copy: Copy): Record<string, string[]> {
  // biome-ignore lint/suspicious/noExplicitAny: items have the shape that was asked for
  const keysOf: Record<string, (item: any) => unknown[]> = {
    Generals: ({ Id, EntityVersion }) => [Id, EntityVersion],
    Assignments: ({ Id, Assignable, GeneralUser, Role }) => [
      Id,
      ...[Assignable, GeneralUser, Role].map((one) => one?.Id),
    ],
    RoleEfforts: ({ Id, Effort, EffortCompleted }) => [Id, Effort, EffortCompleted],
    Times: ({ Id, Spent, Description }) => [Id, Spent, Description],
    Comments: ({ Id, General }) => [Id, General.Id],
  };
  return Object.fromEntries(
    Object.entries(keysOf).map(([name, tell]) => [name, [...copy[name]!.values()].map((item) => tell(item).join(' '))]),
  );
}

it('finds each change of items and of what hangs on them, once', async () => {
  const made = await write('UserStories?include=[Tasks,RoleEfforts,Assignments,Comments]', {
    Name: 'synced',
    Project: { Id: project },
    Tasks: [{ Name: 'part' }],
    RoleEfforts: [{ Role: { Id: 1 }, Effort: 3 }],
    Assignments: [{ GeneralUser: { Id: 3 } }, { GeneralUser: { Id: 7 } }],
    Comments: [{ Description: 'one' }, { Description: 'two' }],
  });
  const story = made.Id;
  const ids = (name: string): number[] => made[name].Items.map(({ Id }: { Id: number }) => Id);
  const time = (await write('Times', { Assignable: { Id: story }, Spent: 1, Description: 'work' })).Id;
  const gone = await write('UserStories?include=[Tasks]', {
    Name: 'goes',
    Project: { Id: project },
    Tasks: [{ Name: 'along' }],
  });
  const [first, second] = [{} as Copy, {} as Copy];
  for (const [as, copy] of [
    ['admin', first],
    ['alice', second],
  ] as const)
    await job.sync(asking(as), copy);
  expect(await job.sync(asking('admin'), first)).toEqual([]);

  await write(`RoleEfforts/${ids('RoleEfforts')[0]}`, { InitialEstimate: 5 });
  await write(`Times/${time}`, { Description: 'other' });
  const assignment = (
    await write('Assignments', { Assignable: { Id: story }, GeneralUser: { Id: 3 }, Role: { Id: 9 } })
  ).Id;
  await remove(`Assignments/${ids('Assignments')[1]}`);
  await write(`Comments/${ids('Comments')[0]}`, { Description: 'changed' });
  await remove(`Comments/${ids('Comments')[1]}`);
  await remove(`UserStories/${gone.Id}`);
  const plan = (await write('TestPlans', { Name: 'plan', Project: { Id: project }, LinkedGeneral: { Id: story } })).Id;

  for (const [as, copy] of [
    ['admin', first],
    ['alice', second],
  ] as const) {
    const changes = await job.sync(asking(as), copy);
    const lines = changes.map(({ collection, id, change }) => `${collection} ${id} ${change}`);
    expect(lines).toEqual(
      expect.arrayContaining([
        `Generals ${story} changed`,
        `Generals ${plan} new`,
        `Generals ${gone.Id} gone`,
        `Generals ${gone.Tasks.Items[0].Id} gone`,
        `RoleEfforts ${ids('RoleEfforts')[0]} changed`,
        `Times ${time} changed`,
        `Assignments ${assignment} new`,
        `Assignments ${ids('Assignments')[1]} gone`,
        `Comments ${ids('Comments')[0]} changed`,
        `Comments ${ids('Comments')[1]} gone`,
      ]),
    );
    const whole = [];
    for await (const item of job.changedItems(asking(as), copy, changes)) whole.push(item);
    expect(whole.map(({ Id }) => Id)).toEqual(expect.arrayContaining([story, plan]));
    expect(whole.find(({ Id }) => Id === story)).toMatchObject({
      ResourceType: 'UserStory',
      LinkedTestPlan: { Id: plan },
    });
    expect(await job.sync(asking(as), copy)).toEqual([]);
  }
  expect(copied(first)).toEqual(await stored());
});

it('finds what is restored, with what hung on it', async () => {
  const { Id } = await write('Bugs', { Name: 'back', Project: { Id: project }, Comments: [{ Description: 'said' }] });
  const copy: Copy = {};
  await job.sync(asking('admin'), copy);
  await remove(`Bugs/${Id}`);
  const gone = await job.sync(asking('admin'), copy);
  expect(gone.map(({ collection, change }) => `${collection} ${change}`)).toEqual(
    expect.arrayContaining(['Generals gone', 'Comments gone']),
  );
  const [deleted] = await app.items(
    `/api/v1/Generals?where=(DeleteDate is not null)&include=[Name,EntityType,DeleteDate]&orderByDesc=DeleteDate&take=1`,
  );
  expect(deleted).toMatchObject({ Id, Name: 'back', EntityType: { Name: 'Bug' }, DeleteDate: expect.any(String) });
  const xml = await app.xml(`/api/v1/Bugs?where=(DeleteDate is not null)and(Id eq ${Id})&include=[DeleteDate]`);
  expect(xml).toContain(`<Bug ResourceType="Bug" Id="${Id}"><DeleteDate>`);
  const v2 = await app.json(
    `/api/v2/General?where=deleteDate is not null&includeDeleted=true&select=id&orderBy=deleteDate desc&take=1`,
  );
  expect(v2.items).toEqual([Id]);
  await write('undelete', { EntityType: 'Bug', Id });
  const back = await job.sync(asking('admin'), copy);
  expect(back.map(({ collection, change }) => `${collection} ${change}`)).toEqual(
    gone.map(({ collection }) => `${collection} new`),
  );
  expect(copied(copy)).toEqual(await stored());
});
