/**
 * Writes that reach from a member's own project into others: what he may not see, and what he sees through a team only.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Ask, TestApp } from '../support/app.js';
import { type Ids, make, makeEverything, type Place } from '../support/builder.js';

let app: TestApp;
/** The member's project; one he sees some items of, through his team; one he sees nothing of. */
let own: Ids;
let lent: Ids;
let hidden: Ids;
const member = { as: 'the member' };
const observer = { as: 'the observer' };

beforeAll(async () => {
  app = await TestApp.start();
  await app.rows('truncate general cascade');
  own = (await makeEverything(app, 'own', {})).ids;
  const people = { Company: own.Company!, Tag: own.Tag!, Requester: own.Requester! };
  lent = (await makeEverything(app, 'lent', people)).ids;
  hidden = (await makeEverything(app, 'hidden', people)).ids;
  await callers({ mark: 'caller', ids: own });
});
afterAll(() => app.stop());

async function callers(place: Place): Promise<void> {
  for (const name of ['member', 'observer']) {
    const person = { Login: `the ${name}`, Email: `${name}@example.com`, IsObserver: name === 'observer' };
    const User = await make(app, 'User', place, person);
    await make(app, 'ProjectMember', { mark: '', ids: { ...own, User } });
    if (name === 'observer') continue;
    const Team = await make(app, 'Team', { ...place, mark: 'callers' });
    await make(app, 'TeamMember', { mark: '', ids: { ...own, Team, User } });
    for (const kind of ['UserStory', 'Bug', 'Feature', 'TestPlan', 'TestPlanRun'])
      await make(app, 'TeamAssignment', { mark: '', ids: { ...lent, Team, Assignable: lent[kind]! } });
  }
}

const post = (path: string, body: unknown, ask: Ask = member): Promise<Answer> =>
  app.post(`/api/v1/${path}?format=json`, body, ask);
const remove = (path: string, ask: Ask = member): Promise<Answer> =>
  app.ask(`/api/v1/${path}`, { ...ask, method: 'DELETE' });

/** Everything that a write could have changed. */
const everything = async () =>
  (
    await app.rows(
      `select (select sum(entity_version) from general) as versions, ${[
        ...[
          'general',
          'assignment',
          'team_assignment',
          'relation',
          'role_effort',
          'time',
          'comment',
          'general_follower',
        ],
        ...['general_tag', 'test_case_run_bug', 'test_plan_test_case', 'test_step', 'test_step_run', 'release_project'],
      ]
        .map(
          (table) => `(select md5(string_agg(md5(x::text), '' order by md5(x::text))) from "${table}" x) as "${table}"`,
        )
        .join(', ')}`,
    )
  )[0];

type Case = [what: string, status: number, act: () => Promise<Answer>];

async function refuses([, status, act]: Case): Promise<void> {
  const before = await everything();
  const answer = await act();
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.any(String)]);
  expect(await everything()).toEqual(before);
}

describe('E8: a member of one project', () => {
  it.each<Case>([
    [
      'moves a story into a project he may not see',
      400,
      () => post(`UserStories/${own.UserStory}`, { Project: { Id: hidden.Project } }),
    ],
    [
      'moves a story into a project he sees an item of',
      400,
      () => post(`UserStories/${own.UserStory}`, { Project: { Id: lent.Project } }),
    ],
    [
      'moves a story of another project into his own',
      403,
      () => post(`UserStories/${lent.UserStory}`, { Project: { Id: own.Project } }),
    ],
    ['sets a hidden Feature', 400, () => post(`UserStories/${own.UserStory}`, { Feature: { Id: hidden.Feature } })],
    ['writes a hidden story', 404, () => post(`UserStories/${hidden.UserStory}`, { Name: 'x' })],
    ['writes it under another name of its kind', 404, () => post(`Generals/${hidden.UserStory}`, { Name: 'x' })],
    [
      'writes it in a bulk',
      404,
      () =>
        post('UserStories/bulk', [
          { Id: own.UserStory, Name: 'y' },
          { Id: hidden.UserStory, Name: 'x' },
        ]),
    ],
    [
      'writes a story lent to his team in a bulk',
      403,
      () =>
        post('UserStories/bulk', [
          { Id: own.UserStory, Name: 'y' },
          { Id: lent.UserStory, Name: 'x' },
        ]),
    ],
    [
      'writes it as an item of a collection of his own',
      403,
      () => post(`Features/${own.Feature}`, { UserStories: { Items: [{ Id: lent.UserStory, Name: 'x' }] } }),
    ],
    [
      'takes it into a collection of his own',
      403,
      () => post(`Features/${own.Feature}/UserStories`, { Id: lent.UserStory }),
    ],
    ['takes a hidden one', 404, () => post(`Features/${own.Feature}/UserStories`, { Id: hidden.UserStory })],
    [
      'makes a task in a story lent to his team',
      403,
      () => post('Tasks', { Name: 'x', UserStory: { Id: lent.UserStory } }),
    ],
    ['makes one through its collection', 403, () => post(`UserStories/${lent.UserStory}/Tasks`, { Name: 'x' })],
    [
      'assigns somebody to it',
      403,
      () => post('Assignments', { Assignable: { Id: lent.UserStory }, GeneralUser: { Id: own.User }, Role: { Id: 1 } }),
    ],
    [
      'assigns somebody through its collection',
      403,
      () => post(`UserStories/${lent.UserStory}/Assignments`, { GeneralUser: { Id: own.User }, Role: { Id: 1 } }),
    ],
    [
      'moves an assignment of it to his own story',
      403,
      () => post(`Assignments/${lent.Assignment}`, { Assignable: { Id: own.Bug } }),
    ],
    [
      'moves an assignment of his own to it',
      403,
      () => post(`Assignments/${own.Assignment}`, { Assignable: { Id: lent.UserStory } }),
    ],
    [
      'takes an assignment away from it',
      403,
      () => remove(`UserStories/${lent.UserStory}/Assignments/${lent.Assignment}`),
    ],
    ['tags it', 403, () => post(`UserStories/${lent.UserStory}`, { Tags: 'x' })],
    ['tags it by a tag', 403, () => post(`UserStories/${lent.UserStory}/TagObjects`, { Id: own.Tag })],
    ['joins two items of other projects', 403, () => relate(lent.UserStory!, lent.Bug!)],
    [
      'joins them beside one of his own',
      403,
      () => post('Relations/bulk', [relation(own.UserStory!, own.Bug!), relation(lent.UserStory!, lent.Bug!)]),
    ],
    ['joins his own with a hidden one', 400, () => relate(own.UserStory!, hidden.UserStory!)],
    [
      'moves a relation away from all of his own',
      403,
      async () => {
        const made = await relate(own.UserStory!, lent.Feature!);
        const before = await everything();
        const answer = await post(`Relations/${made.json.Id}`, { Master: { Id: lent.Bug } });
        expect(await everything()).toEqual(before);
        await remove(`Relations/${made.json.Id}`, {});
        return answer;
      },
    ],
    [
      'makes somebody else a follower of it',
      403,
      () => post('GeneralFollowers', { General: { Id: lent.UserStory }, User: { Id: own.User } }),
    ],
    [
      'notes the time of somebody else',
      403,
      () => post('Times', { Assignable: { Id: lent.UserStory }, User: { Id: own.User }, Spent: 1, Description: 'x' }),
    ],
    ['deletes it', 403, () => remove(`UserStories/${lent.UserStory}`)],
    [
      'tags what lies above all projects',
      403,
      () => post(`PortfolioEpics/${lent.PortfolioEpic}/TagObjects`, { Id: own.Tag }),
    ],
    [
      'assigns himself to what lies above all projects',
      403,
      () =>
        post('Assignments', { Assignable: { Id: lent.PortfolioEpic }, GeneralUser: { Id: own.User }, Role: { Id: 1 } }),
    ],
    ['joins what lies above all projects', 403, () => relate(lent.PortfolioEpic!, own.PortfolioEpic!)],
    [
      'comments on a hidden story',
      400,
      () => post('Comments', { Description: 'x', General: { Id: hidden.UserStory } }),
    ],
    [
      'comments through its collection',
      404,
      () => post(`UserStories/${hidden.UserStory}/Comments`, { Description: 'x' }),
    ],
    [
      'lets his team into a project',
      403,
      () => post('TeamProjects', { Team: { Id: lent.Team }, Project: { Id: own.Project } }),
    ],
  ])('%s: %i', async (...one) => refuses(one));

  it('writes in his own project, says something about what he sees, and follows it himself', async () => {
    const [{ id }] = await app.rows("select id from general_user where login = 'the member'");
    const done = [
      await post(`UserStories/${own.UserStory}`, { Name: 'changed', Feature: { Id: own.Feature } }),
      await post(`UserStories/${own.UserStory}/Assignments`, { GeneralUser: { Id: id }, Role: { Id: 2 } }),
      await relate(own.UserStory!, lent.UserStory!),
      await post('Comments', { Description: 'x', General: { Id: lent.UserStory } }),
      await post('GeneralFollowers', { General: { Id: lent.UserStory }, User: { Id: id } }),
      await post('Times', { Assignable: { Id: lent.UserStory }, Spent: 1, Description: 'x' }),
    ];
    expect(done.map(({ status, text }) => [status, text.slice(0, 100)])).toEqual(
      done.map(({ status }) => [status === 200 ? 200 : 201, expect.any(String)]),
    );
  });
});

describe('what a member may not see', () => {
  const start = async (TestPlan: number) => {
    const { status, json, text } = await post('TestPlanRuns', { TestPlan: { Id: TestPlan } });
    expect([status, text.slice(0, 200)]).toEqual([201, expect.any(String)]);
    const below = await app.rows(
      `select r.project_id, c.test_case_id from general r left join test_case_run c on c.test_plan_run_id = r.id
       where r.id = $1 or r.parent_test_plan_run_id = $1 order by r.id, c.id`,
      [json.Id],
    );
    return { ...json, below };
  };
  const planWith = async (more: object, ask: Ask = {}) =>
    (await post('TestPlans', { Name: 'plan', Project: { Id: own.Project }, ...more }, ask)).json.Id as number;
  const linksOf = async (...ids: (number | undefined)[]) =>
    (
      await app.rows(
        'select linked_test_plan_id as plan, linked_general_id as item from general where id = any($1) order by id',
        [ids],
      )
    ).map(({ plan, item }) => plan ?? item);

  it('does not go along with a run of his', async () => {
    const plan = await planWith({
      TestCases: [own, lent, hidden].map(({ TestCase }) => ({ Id: TestCase })),
      ChildTestPlans: [lent, hidden].map(({ TestPlan }) => ({ Id: TestPlan })),
    });
    const { NotRunCount, below } = await start(plan);
    expect(NotRunCount).toBe(1);
    expect(below).toEqual([{ project_id: own.Project, test_case_id: own.TestCase }]);
  });

  it('is not gone through to what lies behind it', async () => {
    const last = await planWith({ TestCases: [{ Id: own.TestCase }] });
    const between = await planWith({ Project: { Id: hidden.Project }, ChildTestPlans: [{ Id: last }] });
    const first = await planWith({ ChildTestPlans: [{ Id: between }] });
    expect((await start(first)).NotRunCount).toBe(0);
    // That would be a circle to who sees the plan between them.
    const closed = await post(`TestPlans/${last}`, { ChildTestPlans: [{ Id: first }] });
    expect([closed.status, closed.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    const all = await app.post('/api/v1/TestPlanRuns?format=json', { TestPlan: { Id: first } });
    expect([all.status, all.json.NotRunCount]).toEqual([201, 1]);
  });

  it('closes no circle that keeps others from sending plans back, or from joining other plans', async () => {
    const last = await planWith({ TestCases: [{ Id: own.TestCase }] });
    const between = await planWith({ Project: { Id: hidden.Project }, ChildTestPlans: [{ Id: last }] });
    const first = await planWith({ ChildTestPlans: [{ Id: between }] });
    expect((await post(`TestPlans/${last}`, { ChildTestPlans: [{ Id: first }] })).status).toBe(200);
    const circle = [first, between, last];
    for (const id of circle) {
      const members = 'include=[Id,Name,ChildTestPlans,ParentTestPlans]';
      const { EntityVersion } = await app.json(`/api/v1/TestPlans/${id}`);
      const sent = await app.json(`/api/v1/TestPlans/${id}?${members}`);
      const back = await app.post(`/api/v1/TestPlans/${id}?format=json`, sent);
      expect([back.status, back.json.EntityVersion]).toEqual([200, EntityVersion]);
    }
    const [above, below] = [await planWith({}), await planWith({})];
    expect(
      (await app.post(`/api/v1/TestPlans/${above}`, { ChildTestPlans: circle.map((Id) => ({ Id })) })).status,
    ).toBe(200);
    const joined = await app.post(`/api/v1/TestPlans/${first}?format=json`, {
      ChildTestPlans: [{ Id: between }, { Id: below }],
    });
    expect([joined.status, joined.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    const run = await app.post('/api/v1/TestPlanRuns?format=json', { TestPlan: { Id: above } });
    expect([run.status, run.json.NotRunCount]).toEqual([201, 1]);
    // What would close another circle is refused as ever.
    const closing = await app.post(`/api/v1/TestPlans/${below}?format=json`, { ChildTestPlans: [{ Id: last }] });
    expect([closing.status, closing.json.Message]).toEqual([400, expect.stringContaining('cannot lie below itself')]);
    for (const id of circle) expect((await app.ask(`/api/v1/TestPlans/${id}`, { method: 'DELETE' })).status).toBe(200);
  });

  it('closes no circle of runs, and runs in a circle are counted once', async () => {
    const plans = [await planWith({ TestCases: [{ Id: own.TestCase }] }), await planWith({})];
    const [one, two] = [await start(plans[0]!), await start(plans[1]!)];
    const between = await app.post('/api/v1/TestPlanRuns?format=json', {
      TestPlan: { Id: hidden.TestPlan },
      ParentTestPlanRun: { Id: one.Id },
    });
    await app.post(`/api/v1/TestPlanRuns/${two.Id}`, { ParentTestPlanRun: { Id: between.json.Id } });
    const closed = await post(`TestPlanRuns/${one.Id}`, { ParentTestPlanRun: { Id: two.Id } });
    expect([closed.status, closed.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    const [{ id }] = await app.rows('select id from test_case_run where test_plan_run_id = $1', [one.Id]);
    expect((await post(`TestCaseRuns/${id}`, { Status: 'Passed' })).status).toBe(200);
    const { PassedCount, NotRunCount } = await app.json(`/api/v1/TestPlanRuns/${two.Id}`);
    expect([PassedCount, NotRunCount]).toEqual([1, 1]);
    expect((await remove(`TestPlanRuns/${one.Id}`)).status).toBe(200);
  });

  it('stays when the run above it is deleted', async () => {
    const one = await start(await planWith({}));
    const { json } = await app.post('/api/v1/TestPlanRuns?format=json', {
      TestPlan: { Id: hidden.TestPlan },
      ParentTestPlanRun: { Id: one.Id },
    });
    expect((await remove(`TestPlanRuns/${one.Id}`)).status).toBe(200);
    expect((await app.json(`/api/v1/TestPlanRuns/${json.Id}`)).ParentTestPlanRun).toBeNull();
  });

  it('loses its link to an item that he links with something else, and keeps it otherwise', async () => {
    const mine = await planWith({});
    const [plan, item] = [hidden.TestPlan, own.Bug];
    await app.post(`/api/v1/TestPlans/${plan}`, { LinkedGeneral: { Id: item } });
    expect((await post(`Bugs/${item}`, { LinkedTestPlan: null })).json.LinkedTestPlan).toBeNull();
    expect(await linksOf(item, plan)).toEqual([plan, item]);
    expect((await post(`Bugs/${item}`, { LinkedTestPlan: { Id: mine } })).json.LinkedTestPlan.Id).toBe(mine);
    expect(await linksOf(item, plan, mine)).toEqual([mine, null, item]);
    await app.post(`/api/v1/Bugs/${item}`, { LinkedTestPlan: { Id: plan } });
    expect(await linksOf(item, plan, mine)).toEqual([plan, item, null]);
    expect((await post(`TestPlans/${mine}`, { LinkedGeneral: { Id: item } })).status).toBe(200);
    expect(await linksOf(item, plan, mine)).toEqual([mine, null, item]);
    const disagreeing = await app.rows(
      `select a.id from general a join general b on b.id = coalesce(a.linked_test_plan_id, a.linked_general_id)
       where coalesce(b.linked_general_id, b.linked_test_plan_id) is distinct from a.id`,
    );
    expect(disagreeing).toEqual([]);
  });

  it('does not keep what he deletes in use', async () => {
    const { json } = await app.post('/api/v1/CustomActivities?format=json', {
      Name: 'x',
      Project: { Id: own.Project },
    });
    const time = (item?: number) => ({
      Assignable: { Id: item },
      CustomActivity: { Id: json.Id },
      Spent: 1,
      Description: 'x',
    });
    const out = await app.post('/api/v1/Times?format=json', time(hidden.UserStory));
    const seen = await app.post('/api/v1/Times?format=json', time(own.UserStory));
    expect((await remove(`CustomActivities/${json.Id}`)).status).toBe(403);
    await app.ask(`/api/v1/Times/${seen.json.Id}`, { method: 'DELETE' });
    expect((await remove(`CustomActivities/${json.Id}`)).status).toBe(200);
    expect((await app.json(`/api/v1/Times/${out.json.Id}`)).CustomActivity).toBeNull();
  });

  it('is not taken out of his collections', async () => {
    await app.post(`/api/v1/TestPlans/${hidden.TestPlan}/TestCases`, { Id: own.TestCase });
    const links = 'select count(*)::int as n from test_plan_test_case where test_plan_id = $1 and test_case_id = $2';
    const path = `TestCases/${own.TestCase}/TestPlans`;
    for (const gone of [`${path}/${hidden.TestPlan}`, `${path}?childrenIds=${own.TestPlan},${hidden.TestPlan}`])
      expect((await remove(gone)).status).toBe(404);
    expect(await app.rows(links, [hidden.TestPlan, own.TestCase])).toEqual([{ n: 1 }]);
    expect(await app.rows(links, [own.TestPlan, own.TestCase])).toEqual([{ n: 1 }]);
  });
});

describe('an observer', () => {
  it.each<Case>([
    ['a story', 403, () => post(`UserStories/${own.UserStory}`, { Name: 'x' }, observer)],
    ['a time', 403, () => post('Times', { Assignable: { Id: own.UserStory }, Spent: 1, Description: 'x' }, observer)],
    ['a follower', 403, () => post(`UserStories/${own.UserStory}/Followers`, { User: { Id: own.User } }, observer)],
    ['a tag', 403, () => post('Tags', { Name: 'of an observer' }, observer)],
    ['a tag of a story', 403, () => post(`UserStories/${own.UserStory}/TagObjects`, { Id: own.Tag }, observer)],
    [
      'a story with a comment',
      403,
      () => post(`UserStories/${own.UserStory}`, { Comments: { Items: [{ Description: 'x' }] }, Name: 'x' }, observer),
    ],
    ['the comment of another', 403, () => post(`Comments/${own.Comment}`, { Description: 'x' }, observer)],
    ['it away', 403, () => remove(`UserStories/${own.UserStory}/Comments/${own.Comment}`, observer)],
  ])('does not write %s: %i', async (...one) => refuses(one));

  it('speaks for himself, at an item or in its collection', async () => {
    const [{ id }] = await app.rows("select id from general_user where login = 'the observer'");
    for (const path of ['Comments', `UserStories/${own.UserStory}/Comments`]) {
      const body = { Description: 'seen', General: { Id: own.UserStory }, Owner: { Id: own.User } };
      expect((await post(path, body, observer)).status).toBe(403);
      const answer = await post(path, { ...body, Owner: { Id: id } }, observer);
      expect([answer.status, answer.json.Owner.Id]).toEqual([201, id]);
      expect((await post(`Comments/${answer.json.Id}`, { Description: 'seen twice' }, observer)).status).toBe(200);
    }
  });
});

const relation = (master: number, slave: number) => ({
  Master: { Id: master },
  Slave: { Id: slave },
  RelationType: { Id: 2 },
});
const relate = (master: number, slave: number): Promise<Answer> => post('Relations', relation(master, slave));
