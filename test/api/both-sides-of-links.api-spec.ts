/**
 * A link can be written from either of its sides: who may not write the one that it belongs to is refused from the
 * other side as well.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResourceType } from '../../src/model/model.js';
import { type Answer, TestApp } from '../support/app.js';
import { bodyOf, type Ids, make, makeEverything, model } from '../support/builder.js';
import { eventually } from '../support/eventually.js';

let app: TestApp;
/** The member's project, and one that he sees some items of, through his team. */
let own: Ids;
let lent: Ids;
/** Shares a release of the lent one; the member is a member of it, too. */
let sharing: number;
let lentRelease: number;
const as = 'linking.member';

beforeAll(async () => {
  app = await TestApp.start();
  own = (await makeEverything(app, 'own', {})).ids;
  const people = { Company: own.Company!, Tag: own.Tag!, Requester: own.Requester! };
  lent = (await makeEverything(app, 'lent', people)).ids;
  const place = { mark: 'linking', ids: own };
  const User = await make(app, 'User', place, { Login: as });
  sharing = await make(app, 'Project', place);
  for (const Project of [own.Project!, sharing])
    await make(app, 'ProjectMember', { mark: '', ids: { ...own, User, Project } });
  const Team = await make(app, 'Team', place);
  await make(app, 'TeamMember', { mark: '', ids: { ...own, Team, User } });
  for (const kind of ['TestPlan', 'TestPlanRun'])
    await make(app, 'TeamAssignment', { mark: '', ids: { ...lent, Team, Assignable: lent[kind]! } });
  await post(`TestPlans/${lent.TestPlan}/TestCases`, { Id: own.TestCase }, administrator);
  const [seen] = await app.rows(
    `select c.id, s.id as step from test_case_run c left join test_step_run s on s.test_case_run_id = c.id
     where c.test_plan_run_id = $1 and c.test_case_id = $2`,
    [lent.TestPlanRun, own.TestCase],
  );
  lent = { ...lent, TestCaseRun: seen.id, TestStepRun: seen.step };
  lentRelease = await make(app, 'Release', { mark: 'lent', ids: lent });
  await make(app, 'ReleaseProject', { mark: '', ids: { ...lent, Release: lentRelease, Project: sharing } });
});
afterAll(() => app.stop());

const post = (path: string, body: unknown, asWhom: string | undefined = as): Promise<Answer> =>
  app.post(`/api/v1/${path}?format=json`, body, { as: asWhom });
const remove = (path: string, asWhom: string | undefined = as): Promise<Answer> =>
  app.ask(`/api/v1/${path}`, { as: asWhom, method: 'DELETE' });
const administrator = 'admin';

/** Collections of links that belong to the items, by kind; but those that administrators alone write. */
const inverse = model.resources.flatMap((resource) =>
  resource.fields.flatMap((field) =>
    field.kind === 'collection' && field.isInverse && field.canAdd && field.target.settings.lies === 'inProject'
      ? [{ resource, field }]
      : [],
  ),
);
const ways = inverse.map(({ resource, field }) => [`${resource.collection}/${field.name}`, resource, field] as const);

it('all such collections are here', () => {
  expect(ways.map(([path]) => path).toSorted()).toEqual([
    'Bugs/TestCaseRuns',
    'Bugs/TestPlanRuns',
    'Projects/CrossProjectReleases',
    'TestCases/TestPlans',
    'TestPlans/ParentTestPlans',
  ]);
});

/** Rows of every table of links. */
const links = async () =>
  Promise.all(
    [...new Set(inverse.flatMap(({ field: { via } }) => (via.kind === 'link' ? via.table : [])))].map((table) =>
      app.rows(`select x::text from "${table}" x order by 1`),
    ),
  );

async function refused(act: () => Promise<Answer>): Promise<void> {
  const before = await links();
  const { status, text } = await act();
  expect([status, text.slice(0, 300)]).toEqual([
    403,
    expect.stringMatching(/Only members of its project|role does not allow you to edit/),
  ]);
  expect(await links()).toEqual(before);
}

async function setRight({ settings }: ResourceType, IsEditEnabled: boolean): Promise<void> {
  const where = `where=(Role.Id eq 1) and (EntityType.Id eq ${settings.entityTypeId})`;
  const [row] = await app.items(`/api/v1/RoleEntityTypes?${where}`);
  expect((await post(`RoleEntityTypes/${row.Id}`, { IsEditEnabled }, administrator)).status).toBe(200);
}

/** One that the member may write, and that may be joined with the project where he is the owner. */
const ownItem = async ({ name }: ResourceType): Promise<number> =>
  name === 'Release' ? make(app, name, { mark: 'own', ids: { ...own, Project: sharing } }) : own[name]!;

const itemIn = (ids: Ids, kind: string): number => (kind === 'Release' && ids === lent ? lentRelease : ids[kind]!);

describe.each(ways)('%s', (_, { name, collection, settings }, field) => {
  const inner = (owner: number) => `${collection}/${owner}/${field.name}`;
  const ownerOf = (): Promise<number> =>
    name === 'Project' ? Promise.resolve(own.Project!) : make(app, name, { mark: 'owner', ids: own });

  it('takes what is the member’s own, and gives it back', async () => {
    const owner = await ownerOf();
    const Id = await ownItem(field.target);
    expect((await post(inner(owner), { Id })).status).toBe(200);
    expect((await remove(`${inner(owner)}/${Id}`)).status).toBe(200);
    expect((await post(`${collection}/${owner}`, { [field.name]: [{ Id }] })).status).toBe(200);
  });

  it('does not take what lies in the project of others', async () => {
    const owner = await ownerOf();
    const Id = itemIn(lent, field.target.name);
    await refused(() => post(inner(owner), { Id }));
    await refused(() => post(`${collection}/${owner}`, { [field.name]: [{ Id }] }));
    if (settings.lies === 'inProject')
      await refused(() => post(collection, { ...bodyOf(name, { mark: 'new', ids: own }), [field.name]: [{ Id }] }));
  });

  it('does not give it back', async () => {
    const owner = name === 'Project' ? sharing : await ownerOf();
    const Id = itemIn(lent, field.target.name);
    await post(inner(owner), { Id }, administrator);
    await refused(() => remove(`${inner(owner)}/${Id}`));
    await refused(() => remove(`${inner(owner)}?childrenIds=${Id}`));
    // What is joined already may be sent back.
    expect((await post(`${collection}/${owner}`, { [field.name]: [{ Id }] })).status).toBe(200);
  });

  it('is not written by a role that may not edit what the links belong to', async () => {
    const owner = await ownerOf();
    const Id = await ownItem(field.target);
    await post(inner(owner), { Id }, administrator);
    const other = await ownerOf();
    await setRight(field.target, false);
    try {
      await refused(() => remove(`${inner(owner)}/${Id}`));
      if (other !== owner) await refused(() => post(inner(other), { Id }));
    } finally {
      await setRight(field.target, true);
    }
  });
});

describe('runs of the steps of a run in the project of others', () => {
  it('are seen by whoever sees it, and not written', async () => {
    const run = { TestCaseRun: { Id: lent.TestCaseRun } };
    const step = `TestStepRuns/${lent.TestStepRun}`;
    expect((await app.ask(`/api/v1/${step}`, { as })).status).toBe(200);
    const stored = () => app.rows('select s::text from test_step_run s order by id');
    const before = await stored();
    for (const act of [
      () => post(`TestCaseRuns/${lent.TestCaseRun}`, { Status: 'Passed' }),
      () => post(step, { Passed: true }),
      () => post(`TestCaseRuns/${lent.TestCaseRun}`, { TestStepRuns: [{ Id: lent.TestStepRun, Passed: true }] }),
      () => post('TestStepRuns', { ...run, Description: 'x' }),
      () => post('TestStepRuns/bulk', [{ ...run, Description: 'x' }]),
      () => post(`TestCaseRuns/${lent.TestCaseRun}/TestStepRuns`, { Description: 'x' }),
      () => remove(step),
      () => remove(`TestCaseRuns/${lent.TestCaseRun}/TestStepRuns/${lent.TestStepRun}`),
    ])
      await refused(act);
    expect(await stored()).toEqual(before);
  });

  it('are written where it lies in a project of one’s own', async () => {
    const made = await post('TestStepRuns', { TestCaseRun: { Id: own.TestCaseRun }, Description: 'x' });
    expect([made.status, (await remove(`TestStepRuns/${made.json.Id}`)).status]).toEqual([201, 200]);
  });
});

it('a release that comes to lie in a project while it is being taken out of it stays in it', async () => {
  const Release = await make(app, 'Release', { mark: 'moving', ids: own });
  await post(`Releases/${Release}/Projects`, { Id: sharing }, administrator);
  const mover = await app.database.connect();
  try {
    await mover.query('begin');
    await mover.query('update general set project_id = $2 where id = $1', [Release, sharing]);
    const taken = remove(`Projects/${sharing}/CrossProjectReleases/${Release}`, administrator);
    await eventually(async () => {
      const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(await app.rows(waits)).toHaveLength(1);
    });
    await mover.query('commit');
    expect((await taken).status).toBe(400);
  } finally {
    mover.release(true);
  }
});
