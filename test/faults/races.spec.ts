/**
 * Two services on one database that are asked for the same at one moment: the database decides, and one of them wins.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Ask, TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { eventually } from '../support/eventually.js';

const ids: Ids = { Process: 3, Role: 1 };
const place = { mark: 'race', ids };
const rounds = Array.from({ length: 6 }, (_, at) => at);

let services: TestApp[];
beforeAll(async () => {
  const one = await TestApp.start();
  services = [one, await one.replica()];
  ids.Project = await make(one, 'Project', place);
}, 60_000);
afterAll(async () => {
  for (const service of [...services].reverse()) await service.stop();
});

const one = (): TestApp => services[0]!;

/** The same, eight times, of each service in turn. */
const together = (ask: (service: TestApp, at: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: 8 }, (_, at) => ask(services[at % 2]!, at)));

const post =
  (path: string, body: unknown, more: Ask = {}) =>
  (service: TestApp) =>
    service.post(`/api/v1/${path}?format=json&include=[Id]`, body, more);

const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();
const oneOf = (winner: number, loser: number): number[] => [winner, ...Array.from({ length: 7 }, () => loser)];

describe('F17: what is asked of both at once', { timeout: 60_000 }, () => {
  it('makes a tag once, whoever names it', async () => {
    for (const round of rounds) {
      const answers = await together(
        post('UserStories', { Name: 'tagged', Project: { Id: ids.Project }, Tags: `tag ${round}` }),
      );
      expect(statuses(answers)).toEqual(oneOf(201, 201));
      expect(await one().rows('select id from tag where name = $1', [`tag ${round}`])).toHaveLength(1);
    }
  });

  it('gives a login once', async () => {
    for (const round of rounds) {
      const body = { Login: `racer${round}`, Email: `racer${round}@example.com`, Password: 'chosen by a spec' };
      expect(statuses(await together(post('Users', body)))).toEqual(oneOf(201, 409));
      expect(await one().rows('select id from general_user where login = $1', [`racer${round}`])).toHaveLength(1);
    }
  });

  it('writes once for an idempotency key, and gives all the same answer', async () => {
    for (const round of rounds) {
      const body = { Name: `keyed ${round}`, Project: { Id: ids.Project } };
      const answers = await together(
        post('Bugs', body, { headers: { 'idempotency-key': `race ${round}`.replace(' ', '-') } }),
      );
      expect(statuses(answers)).toEqual(oneOf(201, 201));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await one().rows('select id from general where name = $1', [`keyed ${round}`])).toHaveLength(1);
    }
  });

  it('restores once', async () => {
    for (const _ of rounds) {
      const id = await make(one(), 'Project', place);
      await one().ask(`/api/v1/Projects/${id}`, { method: 'DELETE' });
      const path = `/api/DeletedItems/v1/Projects/${id}/Restore?format=json`;
      const answers = await together((service) => service.ask(path, { method: 'POST' }));
      expect(statuses(answers)).toEqual(oneOf(200, 404));
    }
  });

  it('closes a story whose last tasks are closed at once', async () => {
    const closed = async (ways: readonly TestApp[]): Promise<boolean> => {
      const Tasks = ways.map(() => ({ Name: 'task' }));
      const { json: story } = await one().post('/api/v1/UserStories?format=json&include=[Tasks]', {
        Name: 'story',
        Project: { Id: ids.Project },
        Tasks,
      });
      const tasks: number[] = story.Tasks.Items.map(({ Id }: { Id: number }) => Id);
      const answers = await Promise.all(
        ways.map((service, at) => post(`Tasks/${tasks[at]}`, { EntityState: { Name: 'Done' } })(service)),
      );
      expect(statuses(answers)).toEqual(ways.map(() => 200));
      return (await one().json(`/api/v1/UserStories/${story.Id}?include=[EntityState[IsFinal]]`)).EntityState.IsFinal;
    };
    await one().post('/api/v1/CustomRules/2', { IsEnabled: true });
    // A process may remember for a second that the rule was off.
    for (const service of services) await eventually(async () => expect(await closed([service])).toBe(true));
    for (const _ of rounds) expect(await closed([...services, ...services])).toBe(true);
    await one().post('/api/v1/CustomRules/2', { IsEnabled: false });
  });

  it('takes a bug out of a run when the last test case runs that found it lose it at once', async () => {
    const cases = [1, 2].map((at) => ({ Name: `case ${at}`, Project: { Id: ids.Project } }));
    const plan = await one().post('/api/v1/TestPlans', {
      Name: 'plan',
      Project: { Id: ids.Project },
      TestCases: cases,
    });
    for (const _ of rounds) {
      const path = '/api/v1/TestPlanRuns?format=json&include=[TestCaseRuns]';
      const { json: run } = await one().post(path, { TestPlan: { Id: plan.json.Id } });
      const caseRuns: number[] = run.TestCaseRuns.Items.map(({ Id }: { Id: number }) => Id);
      const found = caseRuns.map((Id) => ({ Id }));
      const bug = await one().post('/api/v1/Bugs', { Name: 'bug', Project: { Id: ids.Project }, TestCaseRuns: found });
      const answers = await Promise.all(
        caseRuns.map((id, at) =>
          services[at % 2]!.ask(`/api/v1/TestCaseRuns/${id}/Bugs/${bug.json.Id}`, { method: 'DELETE' }),
        ),
      );
      expect(statuses(answers)).toEqual([200, 200]);
      expect(await one().items(`/api/v1/TestPlanRuns/${run.Id}/Bugs`)).toEqual([]);
    }
  });

  it('leaves an administrator, whoever demotes whom', async () => {
    const administrators = () =>
      one().rows(`select id from general_user where is_administrator and is_active and kind = 'User'`);
    for (const _ of rounds) {
      const before = (await administrators()).map(({ id }) => Number(id));
      const answers = await together((service, at) =>
        service.post(`/api/v1/Users/${before[at % before.length]}?format=json`, { IsAdministrator: false }),
      );
      expect(statuses(answers).filter((status) => ![200, 400, 403, 409].includes(status))).toEqual([]);
      expect((await administrators()).length).toBeGreaterThan(0);
      await one().rows('update general_user set is_administrator = true where id = any($1)', [before]);
    }
  });
});

it('F19: of updates with one entity tag one is taken, and none is lost', { timeout: 120_000 }, async () => {
  const id = await make(one(), 'UserStory', place);
  const path = `/api/v1/UserStories/${id}?format=json&include=[Id,Effort]`;
  const version = async () =>
    Number((await one().rows('select entity_version as version from general where id = $1', [id]))[0].version);
  const before = await version();
  // Administrators may have been none a moment ago, which a service remembers for a second.
  const statusesNow = async () => statuses(await Promise.all(services.map((service) => service.ask(path))));
  await expect.poll(statusesNow).toEqual([200, 200]);
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      const service = services[at % 2]!;
      const tag = (await service.ask(path)).headers.get('etag')!;
      return service.post(path, { Name: `by ${at}` }, { headers: { 'if-match': tag } });
    }),
  );
  const won = answers.filter(({ status }) => status === 200).length;
  expect([...new Set(statuses(answers))].filter((status) => status !== 200 && status !== 412)).toEqual([]);
  expect(won).toBeGreaterThan(0);
  expect(await version()).toBe(before + won);
});

it('F19: of updates of a list by the tags of its entities none is lost', { timeout: 120_000 }, async () => {
  const ids: number[] = [];
  for (let at = 0; at < 3; at++) ids.push(await make(one(), 'UserStory', place));
  await one().rows('update general set numeric_priority = 0 where id = any($1)', [ids]);
  const answers = await together(async (service) => {
    let answer: Answer | undefined;
    for (let tries = 0; tries < 6 && answer?.status !== 200; tries++) {
      const tags: string[] = [];
      const body: { Id: number; NumericPriority: number }[] = [];
      for (const Id of ids) {
        const read = await service.ask(`/api/v1/UserStories/${Id}?format=json&include=[NumericPriority]`);
        tags.push(read.headers.get('etag')!);
        body.push({ Id, NumericPriority: read.json.NumericPriority + 1 });
      }
      const headers = { 'if-match': tags.join(', ') };
      answer = await service.post('/api/v1/UserStories/bulk?format=json&include=[Id]', body, { headers });
    }
    return answer!;
  });
  const won = answers.filter(({ status }) => status === 200).length;
  expect(statuses(answers).filter((status) => status !== 200 && status !== 412)).toEqual([]);
  expect(won).toBeGreaterThan(0);
  const stored = await one().rows('select numeric_priority as n from general where id = any($1)', [ids]);
  expect(stored.map(({ n }) => Number(n))).toEqual(ids.map(() => won));
});
