/** What a request costs before a row is read: planning it, and keeping plans. Rows E21 and E22 of hostile input. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { inParallel } from '../support/sweep.js';

vi.setConfig({ testTimeout: 240_000 });

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start({ DB_POOL: '2' });
});
afterAll(() => app.stop());

const times = (count: number, spell: (index: number) => string, separator = ''): string =>
  Array.from({ length: count }, (_, index) => spell(index)).join(separator);

const v1 = (parameters: Record<string, string>, collection = 'UserStories') =>
  app.ask(`/api/v1/${collection}?${new URLSearchParams({ format: 'json', take: '2', ...parameters })}`, {
    as: 'alice',
  });
const v2 = (parameters: Record<string, string>, entity = 'UserStory') =>
  app.ask(`/api/v2/${entity}?${new URLSearchParams({ take: '2', ...parameters })}`, { as: 'alice' });

const notes = "customValues['Release Notes']";

describe('E21: what multiplies SQL', () => {
  it.each([
    ['a path of 11 names in a condition', { where: `${times(10, () => 'project.')}name=='x'` }],
    ['101 conditions', { where: times(101, (at) => `id==${at}`, ' or ') }],
    ['a path of 300 names', { where: `${times(300, () => 'project.')}name=='x'` }],
    ['a path of 900 names', { select: `{x:${times(900, () => 'project.')}name}` }],
    ['references back and forth', { where: `${times(11, () => 'feature.userStories.first().')}name=='x'` }],
    ['200 names for all custom values', { select: `{${times(200, (at) => `c${at}:customValues`, ',')}}` }],
    ['200 names for one collection', { select: `{${times(200, (at) => `c${at}:bugs`, ',')}}` }],
    ['200 names for one reference', { select: `{${times(200, (at) => `c${at}:feature`, ',')}}` }],
  ])('is refused in version 2: %s', async (_, parameters) => {
    const { status, json } = await v2(parameters);
    expect([status, json.Message, json.Code]).toEqual([
      400,
      expect.stringMatching(/deep|too many|too much/),
      'TooMuch',
    ]);
  });

  it.each([
    [
      '60 long paths that all must hold',
      { where: times(60, (at) => `(${times(9, () => 'Project.')}Name eq '${at}')`, 'and') },
    ],
    [
      '60 long paths of which one must hold',
      { where: times(60, (at) => `(Feature.Epic.Project.Program.Name eq '${at}')`, 'or') },
    ],
    ['a path of 11 names', { where: `${times(10, () => 'Project.')}Name eq 'x'` }],
    ['101 conditions', { where: times(101, (at) => `(Id gt ${at})`, 'and') }],
  ])('is refused in version 1: %s', async (_, parameters) => {
    const { status, json } = await v1(parameters);
    expect([status, json.Message, json.Code]).toEqual([400, expect.stringMatching(/too many|too much/), 'TooMuch']);
  });

  it('a path of 10 names and 100 conditions are taken in both versions', async () => {
    const path = times(9, () => 'project.');
    const answers = [
      await v1({ where: `${path}Name eq 'x'` }),
      await v2({ where: `${path}name=='x'` }),
      await v1({ where: times(100, (at) => `(Id gt ${at})`, 'and') }),
      await v2({ where: times(100, (at) => `id>${at}`, ' and ') }),
    ];
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(({ text }) => [200, text]));
  });

  it.each([
    ['functions', { select: `{x:${times(21, () => 'description.toUpper().length()', '+')}}` }],
    ['members', { select: `{${times(21, (at) => `c${at}:description.trim()`, ',')}}` }],
    ['functions of functions', { select: `{x:description${times(40, () => '.toUpper()')}.length()}` }],
    ['comparisons', { where: times(21, (at) => `description=='${at}'`, ' or ') }],
    ['comparisons in a collection', { select: `{x:comments.count(${times(21, () => "description!='a'", ' and ')})}` }],
    ['lists', { where: times(21, (at) => `description in ['${at}','x']`, ' or ') }],
    ['joins', { select: `{x:${times(9, () => 'description', '+')}}` }],
    ['joins of many', { select: `{x:description+${times(400, () => "'a'", '+')}}` }],
    ['joins of custom fields', { select: `{x:${times(9, () => notes, '+')}}` }],
    ['places in custom fields', { select: `{x:${times(11, () => `${notes}.indexOf('n')`, '+')}}` }],
    ['groups by custom fields', { groupBy: times(2, (at) => `k${at}:${notes}+'n'`, ','), result: 'count' }],
    ['places', { select: `{${times(11, (at) => `c${at}:description.indexOf('${at}')`, ',')}}` }],
    ['plain texts', { select: `{${times(3, (at) => `c${at}:description.toPlainText()`, ',')}}` }],
    ['results', { result: `{${times(21, (at) => `c${at}:max(description)`, ',')}}` }],
    ['groups', { groupBy: "a:description,b:description+'x'", result: 'count' }],
    ['orders', { orderBy: "description,description+'x'" }],
    ['orders of a collection', { select: "{x:comments.orderBy(description).thenBy(description+'x').select(id)}" }],
    [
      'different items',
      { select: '{x:comments.select(description+description+description+description+description).distinct()}' },
    ],
  ])('is refused where it takes many long texts, in version 2: %s', async (_, parameters) => {
    const { status, json } = await v2(parameters);
    expect([status, json.Message]).toEqual([400, expect.stringContaining('too many uses of descriptions')]);
  });

  it('is refused where it takes many long texts, in version 1 and in searches', async () => {
    const where = times(21, (at) => `(Description contains 'q${at}')`, 'or');
    const custom = where.replaceAll('Description', "'CustomFields.Release Notes'");
    for (const answer of [await v1({ where }), await v1({ where: custom }), await v1({ where, q: 'story' }, 'Search')])
      expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining('where: too many uses of')]);
    for (const parameter of ['orderBy', 'orderByDesc']) {
      const { status, json } = await v1({ [parameter]: 'Description,Feature.Description' });
      expect([status, json.Message]).toEqual([400, expect.stringMatching(`^${parameter}: too many uses of`)]);
    }
  });

  it('is answered where long texts are shown, and read a few times', async () => {
    const shown = times(100, (at) => `c${at}:description`, ',');
    const preview = 'd:description.toPlainText().substring(0,200).trim()';
    const joined = `description+${times(12, () => "name+'-'", '+')}`;
    const answers = await Promise.all([
      v2({ select: `{${shown},x:${times(40, () => 'description.length()', '+')}}` }),
      v1({ where: times(20, (at) => `(Description contains 'q${at}')`, 'or') }),
      v2({ select: `{x:${times(8, () => 'description', '+')}}` }),
      v2({ select: '{x:description.toPlainText(),y:comments.select(description.toPlainText())}' }),
      v2({ select: `{${preview},t:tasks.select({${preview}}),b:bugs.select({${preview}})}` }),
      v2({ select: `{x:${joined}}` }),
      v2({ where: times(12, (at) => `${notes}.contains('q${at}')`, ' or ') }),
      v1({ where: times(12, (at) => `('CustomFields.Release Notes' contains 'q${at}')`, 'or') }),
      v2({ groupBy: times(4, (at) => `k${at}:${notes}`, ','), result: 'count' }),
      v2({ groupBy: 'description', result: '{count,max(description)}' }),
      v2({ orderBy: 'description,name', select: '{id,comments.orderBy(description).select(id)}' }),
      v1({ orderBy: 'Description' }),
    ]);
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(({ text }) => [200, text]));
  });

  it('tells what is too much, and how much is allowed', async () => {
    const { json } = await v2({ select: `{${times(200, (at) => `c${at}:bugs`, ',')}}` });
    expect(json.Message).toMatch(
      /^The request asks for too much at once: it would take \d+ (tables|look-ups|look-ups behind four references|sorts|bytes of SQL), and at most \d+ are allowed\. Ask for fewer/,
    );
  });

  it.each([
    ['version 2', () => v2({ where: times(20, (at) => `${times(9, () => 'project.')}name=='${at}'`, ' or ') })],
    ['version 1', () => v1({ where: times(20, (at) => `(${times(9, () => 'Project.')}Name eq '${at}')`, 'or') })],
  ])('is refused where many paths of conditions are long, in %s', async (_, ask) => {
    const { status, json } = await ask();
    expect([status, json.Message]).toEqual([400, expect.stringContaining('look-ups behind four references')]);
  });

  it.each([
    [
      'version 2',
      () => v2({ select: `{${times(195, (at) => `c${at}:allocations.count(id>${at})`, ',')}}` }, 'Project'),
    ],
    [
      'version 2, in conditions',
      () => v2({ where: times(60, (at) => `allocations.any(id>${at})`, ' and ') }, 'Project'),
    ],
    ['version 1', () => v1({ where: times(100, (at) => `(Allocations.Id eq ${at})`, 'or') }, 'Projects')],
    ['version 1, of relations', () => v1({ where: times(90, (at) => `(InboundAssignables.Id eq ${at})`, 'or') })],
  ])('counts the tables that views read, in %s', async (_, ask) => {
    const { status, json } = await ask();
    expect([status, json.Message]).toEqual([400, expect.stringMatching(/it would take \d+ tables/)]);
  });

  it.each([
    ['what is left out', 'userStories.orderBy(name+name).skip(1).count()'],
    ['what is left', 'userStories.orderBy(name+name).take(1000).count()'],
    ['different values', 'userStories.select(name+name).distinct().count()'],
    ['the distinct', 'userStories.select(name+name).distinct().skip(1).count()'],
  ])('is refused where it sorts often: %s', async (_, sorted) => {
    const ask = (count: number) => v2({ select: `{${times(count, (at) => `c${at}:${sorted}`, ',')}}` }, 'Feature');
    const [few, many] = [await ask(5), await ask(40)];
    expect([few.status, many.status, many.json.Message]).toEqual([200, 400, expect.stringMatching(/\d+ sorts/)]);
  });

  it('is answered where lists are many, and few of each are sorted', async () => {
    const lists = (list: string) => v2({ select: `{${times(60, (at) => `c${at}:${list}`, ',')}}` }, 'Feature');
    const answers = [
      await lists('userStories.select(id)'),
      await lists('userStories.orderBy(name).take(25).select(id)'),
      await lists('userStories.orderBy(name).first().name'),
    ];
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(({ text }) => [200, text]));
  });

  it('is refused in XML, too', async () => {
    const { status, text } = await v1({
      format: 'xml',
      where: times(60, (at) => `(Feature.Epic.Project.Program.Name eq '${at}')`, 'or'),
    });
    expect([status, text]).toEqual([400, expect.stringContaining('<Message>The request asks for too much at once')]);
  });

  it('is answered below the bound', async () => {
    const answers = await Promise.all([
      v2({ where: `${times(9, () => 'project.')}name=='x'`, select: 'id' }),
      v2({ select: `{${times(5, (at) => `c${at}:customValues`, ',')}}` }),
      v1({ where: times(20, (at) => `(Project.Program.Name eq '${at}')`, 'and') }),
      v1({ include: '[Project[Process,Program],Feature[Epic],Tasks,Bugs,Comments,Assignments,Attachments]' }),
      v1({ where: times(100, (at) => `(Name ne '${at}')`, 'and') }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });
});

describe('E21: what a statement keeps in files', () => {
  const put = 'x'.repeat(1000);
  const groups = `name${times(3, (at) => `.replace('${'aei'[at]}','${put}')`)}`;

  it('is bounded by the embedded PostgreSQL', async () => {
    expect(await app.rows('show temp_file_limit')).toEqual([{ temp_file_limit: '2GB' }]);
  });

  it('is refused beyond', async () => {
    const ask = () => v2({ groupBy: `k:${groups}`, result: 'count', take: '1' });
    expect((await ask()).status).toBe(200);
    const [{ name }] = await app.rows('select current_database() as name');
    for (const setting of ["temp_file_limit = '100kB'", "work_mem = '64kB'"])
      await app.rows(`alter database "${name}" set ${setting}`);
    await app.rows(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    );
    await eventually(async () => {
      const { status, json } = await ask();
      expect([status, json.Message]).toEqual([400, expect.stringContaining('sorts or groups more')]);
    });
    await app.rows(`alter database "${name}" reset all`);
  });
});

/** Memory of their own that the backends of the service hold, in MiB; where the system does not tell, none. */
async function largestBackend(): Promise<number> {
  const rows = await app.rows(
    "select pid from pg_stat_activity where datname = current_database() and application_name = 'worktrack' and pid <> pg_backend_pid()",
  );
  return Math.max(0, ...rows.map(({ pid }) => ownMemory(pid)));
}

function ownMemory(pid: number): number {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

describe('E22: any number of different requests', () => {
  it.each([
    ['pages of a walk', (at: number) => v1({ skip: String(at % 300), take: '1' })],
    ['lengths of pages', (at: number) => v1({ take: String(1 + (at % 500)), include: '[Id]' })],
    ['inner pages', (at: number) => v1({ include: '[Tasks]', innerTake: '1', innerSkip: String(at % 300) })],
    ['choices of fields', (at: number) => v1({ include: `[${fields.filter((_, bit) => ((at % 400) >> bit) & 1)}]` })],
    ['literals', (at: number) => v2({ where: `id!=${at % 300} and name!='${at % 300}'`, select: 'id' })],
  ])('leaves the backends small: %s', async (_, ask) => {
    const statuses = await inParallel(
      Array.from({ length: 1000 }, (_unused, at) => at),
      async (at) => (await ask(at)).status,
      4,
    );
    expect(statuses.every((status) => status === 200)).toBe(true);
    expect(await largestBackend()).toBeLessThan(100);
  });
});

const fields = ['Project', 'Feature', 'Release', 'Iteration', 'EntityState', 'Owner', 'Team', 'Priority', 'Tasks'];
