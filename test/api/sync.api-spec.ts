/** The job of docs/sync.md, as it stands there: it finds every change, and keeps a copy of what there is. */
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { Field, ResourceType } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { type Asking, type Copy, type Job, type Result, syncJob } from '../support/sync-job.js';

// It reads all there is, many times.
vi.setConfig({ testTimeout: 180_000 });

let app: TestApp;
let job: Job;
let project: number;

beforeAll(async () => {
  app = await TestApp.start();
  job = await syncJob();
  const [row] = await app.rows(
    `select p.id from general p join project_member m on m.project_id = p.id join general_user u on u.id = m.user_id
     where p.process_id = 3 and p.delete_date is null and u.login = 'alice' order by p.id limit 1`,
  );
  project = row.id;
});
afterAll(() => app.stop());

const asking =
  (as: string): Asking =>
  (path) =>
    app.json(path, { as });

const write = (path: string, body: unknown) => app.write(path, body);

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
  const first = await job.sync(asking('admin'), {});
  const second = await job.sync(asking('alice'), {});
  expect((await job.sync(asking('admin'), first.copy)).changes).toEqual([]);

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

  for (const [as, { copy: old }] of [
    ['admin', first],
    ['alice', second],
  ] as const) {
    const result = await job.sync(asking(as), old);
    const lines = result.changes.map(({ collection, id, change }) => `${collection} ${id} ${change}`);
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
    for await (const item of job.changedItems(asking(as), result)) whole.push(item);
    expect(whole.map(({ Id }) => Id)).toEqual(expect.arrayContaining([story, plan]));
    expect(whole.find(({ Id }) => Id === story)).toMatchObject({
      ResourceType: 'UserStory',
      LinkedTestPlan: { Id: plan },
    });
    expect((await job.sync(asking(as), result.copy)).changes).toEqual([]);
    if (as === 'admin') expect(copied(result.copy)).toEqual(await stored());
  }
});

/** Each changes what an item, or something that hangs on it, shows; most of them without its version. */
const silent: [
  what: string,
  collection: string,
  make: () => Promise<{ id: number; change: () => Promise<unknown> }>,
][] = [
  ...(
    [
      ['Releases', 'Release', { StartDate: '2031-01-01', EndDate: '2031-02-01' }],
      ['Features', 'Feature', {}],
      ['Builds', 'Build', {}],
    ] as const
  ).map(([kind, name, more]): (typeof silent)[number] => [
    `${name} deleted`,
    'Generals',
    async () => {
      const target = await write(kind, { Name: 'goes', Project: { Id: project }, ...more });
      const story = await write('UserStories', { Name: 's', Project: { Id: project }, [name]: { Id: target.Id } });
      return { id: story.Id, change: () => remove(`${kind}/${target.Id}`) };
    },
  ]),
  [
    'a release restored',
    'Generals',
    async () => {
      const days = { StartDate: '2032-01-01', EndDate: '2032-02-01' };
      const release = await write('Releases', { Name: 'back', Project: { Id: project }, ...days });
      const bug = await write('Bugs', { Name: 'b', Project: { Id: project }, Release: { Id: release.Id } });
      await remove(`Releases/${release.Id}`);
      return { id: bug.Id, change: () => write('undelete', { EntityType: 'Release', Id: release.Id }) };
    },
  ],
  [
    'a milestone deleted',
    'Generals',
    async () => {
      const milestone = await write('Milestones', {
        Name: 'm',
        CssClass: 'a',
        Date: '2031-01-01',
        Projects: [{ Id: project }],
      });
      const story = await write('UserStories', {
        Name: 's',
        Project: { Id: project },
        Milestone: { Id: milestone.Id },
      });
      return { id: story.Id, change: () => remove(`Milestones/${milestone.Id}`) };
    },
  ],
  [
    'a team deleted',
    'Generals',
    async () => {
      const team = await write('Teams', { Name: 't' });
      const story = await write('UserStories', { Name: 's', Project: { Id: project }, Team: { Id: team.Id } });
      return { id: story.Id, change: () => remove(`Teams/${team.Id}`) };
    },
  ],
  [
    'a tag renamed',
    'Generals',
    async () => {
      const story = await write('UserStories?include=[TagObjects]', {
        Name: 's',
        Project: { Id: project },
        Tags: 'old name',
      });
      return { id: story.Id, change: () => write(`Tags/${story.TagObjects.Items[0].Id}`, { Name: 'new name' }) };
    },
  ],
  [
    'a tag deleted',
    'Generals',
    async () => {
      const story = await write('UserStories?include=[TagObjects]', {
        Name: 's',
        Project: { Id: project },
        Tags: 'to go',
      });
      return { id: story.Id, change: () => remove(`Tags/${story.TagObjects.Items[0].Id}`) };
    },
  ],
  [
    'what a custom field points at deleted',
    'Generals',
    async () => {
      const pointed = await write('Bugs', { Name: 'pointed at', Project: { Id: project } });
      const value = { Name: 'Customer', Value: { Id: pointed.Id, Kind: 'Bug' } };
      const story = await write('UserStories', { Name: 's', Project: { Id: project }, CustomFields: [value] });
      return { id: story.Id, change: () => remove(`Bugs/${pointed.Id}`) };
    },
  ],
  [
    'a file renamed',
    'Attachments',
    async () => {
      const story = await write('UserStories', { Name: 's', Project: { Id: project } });
      const [{ id }] = await app.rows(
        `insert into attachment (name, unique_file_name, date, mime_type, size, content, owner_id, general_id)
         values ('a.txt', 'a.txt', now(), 'text/plain', 4, 'text', 1, $1) returning id`,
        [story.Id],
      );
      return { id, change: () => write(`Attachments/${id}`, { Name: 'b.txt' }) };
    },
  ],
  [
    'a test step changed',
    'TestSteps',
    async () => {
      const body = { Name: 'c', Project: { Id: project }, TestSteps: [{ Description: 'do' }] };
      const { TestSteps } = await write('TestCases?include=[TestSteps]', body);
      const [{ Id: id }] = TestSteps.Items;
      return { id, change: () => write(`TestSteps/${id}`, { Result: 'done' }) };
    },
  ],
];

it('finds what changes without a version', async () => {
  const made = [];
  for (const [what, collection, make] of silent) made.push({ what, collection, ...(await make()) });
  const { copy: old } = await job.sync(asking('admin'), {});
  for (const { change } of made) await change();
  const result = await job.sync(asking('admin'), old);
  const changed = new Set(result.changes.map(({ collection, id, change }) => `${collection} ${id} ${change}`));
  expect(made.filter(({ collection, id }) => !changed.has(`${collection} ${id} changed`))).toEqual([]);
  const whole = [];
  for await (const item of job.changedItems(asking('admin'), result)) whole.push(item);
  const items = made.filter(({ collection }) => collection === 'Generals').map(({ id }) => id);
  expect(whole.map(({ Id }) => Id)).toEqual(expect.arrayContaining(items));
  expect((await job.sync(asking('admin'), result.copy)).changes).toEqual([]);
});

const linesOf = (changes: Result['changes']): string[] =>
  changes.map(({ collection, change }) => `${collection} ${change}`);

it('finds all once more where a run was broken off at any request', async () => {
  const { Id } = await write('Bugs', { Name: 'broken off', Project: { Id: project } });
  const { copy: old } = await job.sync(asking('admin'), {});
  await write(`Bugs/${Id}`, { Name: 'changed', Comments: [{ Description: 'b' }] });
  let requests = 0;
  const answers = new Map<string, unknown>();
  const run = async (breaksAt: number): Promise<Result> => {
    requests = 0;
    const ask: Asking = async (path) => {
      requests += 1;
      if (requests === breaksAt) throw new Error('broken off');
      if (!answers.has(path)) answers.set(path, await asking('admin')(path));
      return answers.get(path);
    };
    const result = await job.sync(ask, old);
    for await (const _ of job.changedItems(ask, result));
    return result;
  };
  const { changes } = await run(Number.POSITIVE_INFINITY);
  expect(linesOf(changes)).toEqual(['Generals changed', 'Comments new']);
  const all = requests;
  expect(all).toBeGreaterThan(10);
  for (let at = 1; at <= all; at += 1) {
    await expect(run(at)).rejects.toThrow('broken off');
    expect(requests).toBe(at);
  }
  expect((await run(Number.POSITIVE_INFINITY)).changes).toEqual(changes);
});

it('asks for every member that can be changed, and for every reference that may become null', async () => {
  const asked = new Map<string, string>();
  const nothing: Asking = async (path) => {
    const { pathname, searchParams } = new URL(path, 'http://x');
    asked.set(pathname.split('/').at(-1)!, searchParams.get('include')!);
    return { Items: [] };
  };
  await job.sync(nothing, {});
  for (const [collection, include] of asked) {
    const resource = model.collection(collection)!;
    const names = new Set(include.match(/\w+/g));
    const fields = collection === 'Generals' ? referencesToItems(resource) : resource.fields.filter(canChange);
    const missing = fields
      .map(({ name }) => name)
      .filter((name) => !names.has(name) && !coveredOtherwise[collection]?.includes(name));
    expect([collection, missing]).toEqual([collection, []]);
  }
});

/** By what else is asked for. */
const coveredOtherwise: Record<string, string[] | undefined> = {
  Comments: ['Description'],
  Relations: ['Inbound', 'Outbound'],
  TestCaseRuns: ['Name', 'Description', 'RootTestPlanRun'],
  // Second names of LinkedGeneral.
  Generals: [
    ...['LinkedAssignable', 'LinkedEpic', 'LinkedFeature', 'LinkedUserStory', 'LinkedTask', 'LinkedBug'],
    ...['LinkedRequest', 'LinkedBuild', 'LinkedRelease', 'LinkedIteration', 'LinkedTeamIteration'],
  ],
};

const canChange = (field: Field): boolean =>
  field.kind !== 'collection' &&
  field.name !== 'Id' &&
  field.isSettable &&
  !(field.kind === 'scalar' && field.isWriteOnly);

function referencesToItems(resource: ResourceType): Field[] {
  const all = [...resource.fields, ...resource.commonKindFields];
  return all.filter((field) => field.kind === 'reference' && field.target.root === resource.root);
}

it('finds what is restored, with what hung on it', async () => {
  const { Id } = await write('Bugs', { Name: 'back', Project: { Id: project }, Comments: [{ Description: 'said' }] });
  const { copy: old } = await job.sync(asking('admin'), {});
  await remove(`Bugs/${Id}`);
  const { changes: gone, copy: without } = await job.sync(asking('admin'), old);
  expect(linesOf(gone)).toEqual(expect.arrayContaining(['Generals gone', 'Comments gone']));
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
  const { changes: back, copy } = await job.sync(asking('admin'), without);
  expect(linesOf(back)).toEqual(gone.map(({ collection }) => `${collection} new`));
  expect(copied(copy)).toEqual(await stored());
});

it('reads items too long for an answer together in smaller pages', async () => {
  const narrow = await TestApp.start({ MAX_ANSWER_MB: '1' });
  onTestFinished(() => narrow.stop());
  const ask: Asking = async (path) => {
    const { status, json } = await narrow.ask(path);
    if (status !== 200) throw Object.assign(new Error(json.Message), { code: json.Code });
    return json;
  };
  await narrow.rows(`update general set description = repeat('x', 300000) where id in
    (select id from general where entity_type_id = 8 and delete_date is null order by id limit 9)`);
  const result = await job.sync(ask, {});
  const bugs = (await narrow.items('/api/v1/Bugs?include=[Id]&take=1000')).map(({ Id }) => Id);
  const kinds = result.changes.filter(({ id, collection }) => collection === 'Generals' && bugs.includes(id));
  const whole = [];
  for await (const { Id } of job.changedItems(ask, { ...result, changes: kinds })) whole.push(Id);
  expect(whole.sort()).toEqual(bugs.sort());
});

it('after an older archive is restored, finds what has the Id and version of what was lost, and what is gone', async () => {
  const [again, lost] = [
    await write('UserStories', { Name: 'lost, with an Id that is given again', Project: { Id: project } }),
    await write('UserStories', { Name: 'lost', Project: { Id: project } }),
  ];
  const { copy: old } = await job.sync(asking('admin'), {});
  const client = await app.database.connect();
  await client.query("begin; set local worktrack.versions = 'off'");
  await client.query(
    `update general set name = 'another', modify_date = modify_date + interval '1 second' where id = $1`,
    [again.Id],
  );
  await client.query('commit');
  client.release();
  await remove(`UserStories/${lost.Id}`);
  const { changes } = await job.sync(asking('admin'), old);
  const ofItems = changes.filter(({ collection }) => collection === 'Generals');
  expect(ofItems).toEqual([
    { collection: 'Generals', id: again.Id, change: 'changed' },
    { collection: 'Generals', id: lost.Id, change: 'gone' },
  ]);
});
