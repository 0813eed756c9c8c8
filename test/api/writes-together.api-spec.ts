/**
 * Writes that come at one moment may share a transaction. Nobody can tell: each is stored, answered, recorded and
 * refused as if it were alone.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Ask, TestApp } from '../support/app.js';
import { type Ids, make, makeEverything } from '../support/builder.js';

let app: TestApp;
let own: Ids;
let hidden: Ids;
let last: number;

beforeAll(async () => {
  app = await TestApp.start();
  own = (await makeEverything(app, 'own', {})).ids;
  hidden = (await makeEverything(app, 'hidden', {})).ids;
  const ids = {
    ...own,
    User: await make(app, 'User', { mark: 'm', ids: own }, { Login: 'member', Email: 'm@example.com' }),
  };
  await make(app, 'ProjectMember', { mark: '', ids });
}, 120_000);
afterAll(() => app.stop());
beforeEach(async () => {
  last = (await app.rows('select coalesce(max(id), 0)::int as last from change_record'))[0].last;
});

const count = 40;
const numbers = Array.from({ length: count }, (_, at) => at);

const together = (ask: (at: number) => [path: string, body: unknown, more?: Ask]): Promise<Answer[]> =>
  Promise.all(
    numbers.map((at) => {
      const [path, body, more] = ask(at);
      const headers = { 'x-request-id': `job.7:${at}`, ...more?.headers };
      return app.post(`/api/v1/${path}`, body, { ...more, headers });
    }),
  );

const records = () =>
  app.rows(
    `select entity_id::int as id, resource, kind, request_id as request, author_id::int as author, xid::text as transaction
     from change_record where id > $1 order by id`,
    [last],
  );

const story = (at: number): object => ({ Name: `together ${at}`, Project: { Id: own.Project } });

/** As many as there are transactions: fewer than writes where some shared one. */
const transactions = async (): Promise<number> => new Set((await records()).map(({ transaction }) => transaction)).size;

describe('many at one moment', () => {
  it('are created each with its answer, its parts and its record, in fewer transactions', async () => {
    const answers = await together((at) => [
      `UserStories?format=${at % 2 ? 'json' : 'xml'}&resultInclude=[Id,Name${at % 3 ? '' : ',Tasks'}]`,
      { ...story(at), Description: `d${at}`, Tasks: { Items: [{ Name: `task ${at}` }] } },
    ]);
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 201));
    const ids = answers.map(({ text }) => Number(/(?:"Id":|Id=")(\d+)/.exec(text)![1]));
    expect(new Set(ids).size).toBe(count);
    for (const at of numbers) {
      expect(answers[at]!.text).toContain(`together ${at}"`);
      expect(answers[at]!.text.includes(`task ${at}`)).toBe(at % 3 === 0);
      expect(answers[at]!.headers.get('x-request-id')).toBe(`job.7:${at}`);
    }
    const stored = await app.items(
      `/api/v1/UserStories?take=1000&include=[Id,Name,Description,Tasks[Name]]&where=Name contains 'together'`,
    );
    const byId = new Map(stored.map((one) => [one.Id, one]));
    for (const at of numbers) {
      expect(byId.get(ids[at]!)).toMatchObject({ Name: `together ${at}`, Description: `d${at}` });
      expect(byId.get(ids[at]!).Tasks.Items.map(({ Name }: { Name: string }) => Name)).toEqual([`task ${at}`]);
    }
    const made = (await records()).filter(({ kind, resource }) => kind === 'create' && /UserStory|Task/.test(resource));
    expect(made).toHaveLength(2 * count);
    for (const at of numbers) {
      const [{ request }] = made.filter(({ id }) => id === ids[at]);
      expect(request).toBe(`job.7:${at}`);
      expect(made.filter((one) => one.request === request)).toHaveLength(2);
    }
    expect(await transactions()).toBeLessThan(count);
  });

  it('are changed each by its own values, with its record', async () => {
    const ids: number[] = [];
    for (const at of numbers)
      ids.push((await app.post('/api/v1/Bugs?format=json', { ...story(at), Name: `bug ${at}` })).json.Id);
    last = (await app.rows('select max(id)::int as last from change_record'))[0].last;
    const answers = await together((at) => [
      `Bugs/${ids[at]}?format=json&resultInclude=[Name]`,
      { Name: `changed ${at}` },
    ]);
    expect(answers.map(({ status, json }) => [status, json.Name])).toEqual(numbers.map((at) => [200, `changed ${at}`]));
    for (const at of numbers) {
      const now = await app.ask(`/api/v1/Bugs/${ids[at]}?format=json&resultInclude=[Name]`);
      expect(answers[at]!.headers.get('etag')!.split('-')[0]).toBe(now.headers.get('etag')!.split('-')[0]);
    }
    const changed = (await records()).filter(({ kind }) => kind === 'update');
    expect(new Map(changed.map(({ id, request }) => [id, request]))).toEqual(
      new Map(numbers.map((at) => [ids[at], `job.7:${at}`])),
    );
    expect(await transactions()).toBeLessThan(count);
  });

  it('of one entity follow one another', async () => {
    const { Id } = (await app.post('/api/v1/Bugs?format=json', { Name: 'one', Project: { Id: own.Project } })).json;
    const version = async () =>
      Number((await app.rows('select entity_version::int as version from general where id = $1', [Id]))[0].version);
    const before = await version();
    const answers = await together((at) => [`Bugs/${Id}?format=json&resultInclude=[Name]`, { Name: `turn ${at}` }]);
    // The answer is read behind the commit: it may show what the next one wrote.
    for (const { status, json } of answers)
      expect([status, json.Name]).toEqual([200, expect.stringMatching(/^turn \d+$/)]);
    expect(await version()).toBe(before + count);
  });

  it('leave the totals right', async () => {
    const [bug] = await app.items(`/api/v1/Bugs?take=1&where=Project.Id eq ${own.Project}`);
    const answers = await together((at) => [
      at % 2 ? 'Times?format=json' : 'UserStories?format=json',
      at % 2
        ? { Assignable: { Id: bug.Id }, Spent: 1, Remain: 1, Description: 'x', Role: { Id: 1 }, User: { Id: own.User } }
        : { ...story(at), Feature: { Id: own.Feature }, RoleEfforts: { Items: [{ Role: { Id: 1 }, Effort: 2 }] } },
    ]);
    expect(answers.map(({ status, text }) => (status === 201 ? 201 : text))).toEqual(numbers.map(() => 201));
    const sums = 'Id,Effort,EffortCompleted,EffortToDo,Progress';
    const totals = async () =>
      Promise.all(
        ['Projects', 'Features', 'UserStories', 'Bugs'].map(async (kind) =>
          app.items(`/api/v1/${kind}?take=1000&include=[${sums}${kind === 'Projects' ? '' : ',TimeSpent,TimeRemain'}]`),
        ),
      );
    const before = await totals();
    expect(before[1]!.find(({ Id }) => Id === own.Feature).Effort).toBeGreaterThanOrEqual(count);
    await app.rows('select recompute_totals()');
    expect(await totals()).toEqual(before);
  });
});

describe('one that is refused among many', () => {
  it.each<[string, (at: number) => object, number, RegExp]>([
    ['a reference that nobody has', () => ({ Feature: { Id: 99_999_999 } }), 400, /99999999/],
    ['a value that does not fit', () => ({ NumericPriority: 'much' }), 400, /NumericPriority/],
    ['a name that is missing', () => ({ Name: '' }), 400, /Name/],
    ['a state that there is not', () => ({ EntityState: { Name: 'no such state' } }), 400, /no such state/],
  ])('%s: is refused alone, in its own words', async (_, wrong, status, message) => {
    const isWrong = (at: number): boolean => at % 7 === 3;
    const answers = await together((at) => [
      'UserStories?format=json&resultInclude=[Id]',
      { ...story(at), Name: `refused ${at}`, ...(isWrong(at) && wrong(at)) },
    ]);
    for (const at of numbers) {
      expect([at, answers[at]!.status]).toEqual([at, isWrong(at) ? status : 201]);
      if (isWrong(at)) expect(answers[at]!.json.Message).toMatch(message);
    }
    const ids = answers.filter((one) => one.status === 201).map(({ json }) => json.Id);
    const made = (await records()).filter(({ kind, resource }) => kind === 'create' && resource === 'UserStory');
    expect(made.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(new Set(made.map(({ request }) => request)).size).toBe(ids.length);
  });

  it('is not stored where its writer would lose sight of it, and the others are', async () => {
    const ids: number[] = [];
    for (const at of numbers)
      ids.push((await app.post('/api/v1/Bugs?format=json', { ...story(at), Name: `sight ${at}` })).json.Id);
    const to = (at: number): number => (at % 5 === 2 ? hidden.Project! : own.Project!);
    const answers = await together((at) => [
      `Bugs/${ids[at]}?format=json&resultInclude=[Name]`,
      { Name: `seen ${at}`, Project: { Id: to(at) } },
      { as: 'member' },
    ]);
    for (const at of numbers) expect([at, answers[at]!.status === 200]).toEqual([at, to(at) === own.Project]);
    const stored = await app.rows('select id::int, name, project_id::int as project from general where id = any($1)', [
      ids,
    ]);
    for (const { id, name, project } of stored) {
      const at = ids.indexOf(id);
      expect([name, project]).toEqual([to(at) === own.Project ? `seen ${at}` : `sight ${at}`, own.Project]);
    }
  });
});

it('one that waits for a lock holds up none of the others', async () => {
  const ids: number[] = [];
  for (const at of numbers.slice(0, 12))
    ids.push((await app.post('/api/v1/Bugs?format=json', { ...story(at), Name: `locked ${at}` })).json.Id);
  const locking = await app.database.connect();
  try {
    await locking.query('begin');
    await locking.query('select 1 from general where id = $1 for update', [ids[7]]);
    let isHeld = true;
    const writing = ids.map(async (id, at) => {
      const { status } = await app.post(`/api/v1/Bugs/${id}?format=json`, { Name: `written ${at}` });
      return { status, isHeld };
    });
    const others = await Promise.all(writing.filter((_, at) => at !== 7));
    expect(others).toEqual(others.map(() => ({ status: 200, isHeld: true })));
    isHeld = false;
    await locking.query('commit');
    expect((await writing[7]!).status).toBe(200);
  } finally {
    locking.release();
  }
});

describe('callers', () => {
  it('are the authors of their own writes alone', async () => {
    const [me] = await app.rows(`select id::int from general_user where login = 'member'`);
    const answers = await together((at) => [
      'Comments?format=json&resultInclude=[Id,Owner]',
      { Description: `comment ${at}`, General: { Id: own.UserStory } },
      at % 2 ? { as: 'member' } : {},
    ]);
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 201));
    for (const at of numbers) expect(answers[at]!.json.Owner.Id === me.id).toBe(at % 2 === 1);
    const made = (await records()).filter(({ resource }) => resource === 'Comment');
    for (const { author, request } of made) expect(author === me.id).toBe(Number(request.split(':')[1]) % 2 === 1);
    const authors = new Map<string, Set<number>>();
    for (const { author, transaction } of made)
      authors.set(transaction, (authors.get(transaction) ?? new Set<number>()).add(author));
    for (const one of authors.values()) expect(one.size).toBe(1);
  });

  it('keep what an entity tag or an idempotency key asks for', async () => {
    const { Id } = (await app.post('/api/v1/Bugs?format=json', { Name: 'tagged', Project: { Id: own.Project } })).json;
    const tag = (await app.ask(`/api/v1/Bugs/${Id}?format=json`)).headers.get('etag')!;
    const matched = await together((at) => [
      `Bugs/${Id}?format=json`,
      { Name: `m${at}` },
      { headers: { 'if-match': tag } },
    ]);
    expect(matched.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: count - 1 }, () => 412)]);
    const keyed = await together((at) => [
      'Bugs?format=json&resultInclude=[Id]',
      { Name: 'keyed', Project: { Id: own.Project } },
      { headers: { 'idempotency-key': `k${at % 2}` } },
    ]);
    expect(new Set(keyed.filter(({ status }) => status === 201).map(({ json }) => json.Id)).size).toBe(2);
    expect(keyed.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
  });
});
