/**
 * Fields that only some kinds of a base type have, asked for of the base type: shown where an item has them, null
 * elsewhere.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Field, ResourceType } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { asXmlTells, itemOf, parseXml } from '../support/xml.js';

// It reads every item of every kind.
vi.setConfig({ testTimeout: 180_000 });

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

// biome-ignore lint/suspicious/noExplicitAny: items have the shape that was asked for
type Item = Record<string, any> & { Id: number };

const bases = ['General', 'Assignable', 'GeneralUser', 'Timebox'].flatMap((name) =>
  model.resources.filter((resource) => resource.name === name),
);

const leaves = (type: ResourceType): ResourceType[] =>
  type.derived.length === 0 ? [type] : type.derived.flatMap(leaves);

const all = async (
  collection: string,
  include: readonly string[],
  as: string,
  append: readonly string[] = [],
): Promise<Item[]> => {
  const asked = `include=[${['Id', ...include]}]&append=[${append}]&orderBy=Id&take=1000&innerTake=1000`;
  const first = await app.items(`/api/v1/${collection}?${asked}`, { as });
  return [...first, ...(await app.items(`/api/v1/${collection}?${asked}&skip=1000`, { as }))];
};

const inTens = (fields: readonly Field[]): Field[][] =>
  Array.from({ length: Math.ceil(fields.length / 10) }, (_, at) => fields.slice(at * 10, at * 10 + 10));

/** What a base type shows of a field that its kind has not. */
const without = ({ kind }: Field) => (kind === 'collection' ? { Items: [] } : null);

/** Their views have the columns that migrations gave them. */
const views = model.resources.filter(({ like }) => like !== undefined);

it.each(
  views.map((view) => [view.collection, view] as const),
)('%s have the fields of each kind', async (path, view) => {
  const fields = view.commonKindFields;
  expect(fields.length).toBeGreaterThan(10);
  for (const ten of inTens(fields)) {
    const names = ten.map(({ name }) => name);
    const { status, text } = await app.ask(`/api/v1/${path}?include=[${names}]`);
    expect([names, status === 200 ? '' : text]).toEqual([names, '']);
  }
});

describe.each(bases.map((base) => [base.collection, base] as const))('%s', (collection, base) => {
  it.each(['admin', 'alice'])('show %s the fields of each kind as the kind does, and nothing elsewhere', async (as) => {
    // What depends on the moment of asking is the same a moment later, or not.
    const common = base.commonKindFields.filter(({ name }) => name !== 'ForecastEndDate');
    expect(common.length).toBeGreaterThan(3);
    for (const fields of inTens(common)) {
      const shown = new Map(
        (
          await all(
            collection,
            fields.map(({ name }) => name),
            as,
          )
        ).map((one) => [one.Id, one]),
      );
      for (const kind of leaves(base)) {
        const own = fields.filter(({ name }) => kind.field(name));
        for (const item of await all(
          kind.collection,
          own.map(({ name }) => name),
          as,
        )) {
          const expected = Object.fromEntries(fields.map((field) => [field.name, item[field.name] ?? without(field)]));
          expect([kind.name, shown.get(item.Id)]).toEqual([
            kind.name,
            { ResourceType: base.name, Id: item.Id, ...expected },
          ]);
        }
      }
    }
  });
});

const functions = ['Count', 'Sum', 'Avg', 'Min', 'Max'] as const;
const numbers = new Set(['id', 'integer', 'long', 'decimal', 'double']);

/** Count, and one number of each function over each collection, in the spelling of answers. */
const numbersOf = ({ kind, name, ...field }: Field): string[] => {
  if (kind !== 'collection' || !('target' in field)) return [];
  const value = field.target.fields.find(
    (one) => one.kind === 'scalar' && numbers.has(one.scalar) && one.name !== 'Id',
  );
  return functions.flatMap((fn) => (fn === 'Count' ? `${name}-Count` : value ? `${name}-${value.name}-${fn}` : []));
};

describe.each(bases.map((base) => [base.collection, base] as const))('numbers over collections of %s', (_, base) => {
  const names = [...new Set(base.allKindFields.flatMap(numbersOf))];
  if (names.length === 0) return;
  const isOf = (kind: ResourceType, aggregate: string): boolean => {
    const [collection, value, fn] = aggregate.split('-');
    const field = kind.field(collection!);
    return field?.kind === 'collection' && (fn === undefined || field.target.field(value!) !== undefined);
  };

  it.each(['admin', 'alice'])('are those of the kind, and null where it has no such collection: %s', async (as) => {
    for (let at = 0; at < names.length; at += 10) {
      const some = names.slice(at, at + 10);
      const shown = new Map((await all(base.collection, [], as, some)).map((one) => [one.Id, one]));
      for (const kind of leaves(base)) {
        const own = some.filter((name) => isOf(kind, name));
        for (const item of await all(kind.collection, [], as, own)) {
          const expected = Object.fromEntries(some.map((name) => [name, item[name] ?? null]));
          expect([kind.name, shown.get(item.Id)]).toEqual([
            kind.name,
            { ResourceType: base.name, Id: item.Id, ...expected },
          ]);
        }
      }
    }
  });
});

describe('in XML and JSON', () => {
  it.each([
    "Generals?include=[Id,Name,EntityState]&where=(EntityType.Name in ('Bug','Release'))&orderBy=EntityState.Name desc",
    'Assignables?include=[Severity,Severity[Importance]]&orderBy=Severity.Importance,Id desc',
    'Assignables?include=[IsPrivate,AssignedUser[Login]]&where=(IsPrivate is not null)',
    'Comments?include=[General[Id,EntityState,IsPrivate]]',
    'Generals?include=[Id,Tasks-Count]&append=[Bugs-Id-Max]&orderBy=Id',
    'Assignables?append=[Tasks-Count,TestCases-Count]&include=[Id,Assignments-Count]',
    'Comments?include=[General[Id,Tasks-Count]]',
    'OutboundAssignables?include=[Id]&append=[Tasks-Count]',
  ])('%s is the same', async (path) => {
    const json = await app.items(`/api/v1/${path}`);
    expect(json.length).toBeGreaterThan(0);
    const xml = await parseXml(await app.xml(`/api/v1/${path}`));
    expect(xml.children.map(itemOf)).toEqual(json.map(asXmlTells));
  });

  it('null stands where a kind has no such field', async () => {
    const [{ id }] = await app.rows('select id from general where entity_type_id = 23 and delete_date is null limit 1');
    expect(await app.xml(`/api/v1/Generals/${id}?include=[EntityState,Severity,IsPrivate,Assignments]`)).toBe(
      `<General ResourceType="General" Id="${id}"><IsPrivate nil="true" /><EntityState nil="true" /><Severity nil="true" /><Assignments></Assignments></General>`,
    );
  });
});

describe('filters and orders', () => {
  const ids = async (where: string, order = 'Id'): Promise<number[]> =>
    (await app.items(`/api/v1/Generals?include=[Id]&take=1000&where=${where}&orderBy=${order}`)).map(({ Id }) => Id);
  const rows = async (where: string, order = 'id'): Promise<number[]> =>
    (await app.rows(`select id from general where delete_date is null and ${where} order by ${order} limit 1000`)).map(
      ({ id }) => id,
    );

  it.each([
    ["(EntityState.Name eq 'Done')", "entity_state_id in (select id from entity_state where name = 'Done')"],
    ['(Severity is not null)', 'severity_id is not null and entity_type_id = 8'],
    ["(IsPrivate eq 'false')", 'not is_private and entity_type_id in (1, 16, 17)'],
    ["(IsPrivate ne 'false')", '(entity_type_id not in (1, 16, 17) or is_private)'],
    ["not(IsPrivate eq 'true')", '(entity_type_id not in (1, 16, 17) or not is_private)'],
    ['(VotesCount is null)', 'entity_type_id <> 17'],
    ['(AssignedUser.Id eq 3)', 'id in (select assignable_id from assignment where general_user_id = 3)'],
  ])('%s', async (where, condition) => {
    expect(await ids(where)).toEqual(await rows(condition));
  });

  it('order by a value of some kinds, those without it first', async () => {
    expect(await ids('(EntityType.Id in (8,17))', 'VotesCount,Id desc')).toEqual(
      await rows(
        'entity_type_id in (8, 17)',
        'case when entity_type_id = 17 then votes_count end nulls first, id desc',
      ),
    );
  });
});

describe('names', () => {
  it.each([
    ['Generals?include=[Severty]', "'Severty' does not exist in 'General'. Did you mean 'Severity'?"],
    ['Generals?where=(Nowhere eq 1)', "'Nowhere' does not exist in 'General'."],
    ['Assignables?orderBy=Nowhere', "'Nowhere' does not exist in 'Assignable'."],
    [
      'Generals?include=[Bugs]',
      "'Bugs' is something else for each kind of 'General' that has it; ask for it of one kind.",
    ],
    ["Generals?where=(Bugs.Name eq 'x')", "'Bugs' is something else for each kind of 'General'"],
    ['Users/1?include=[Company]', "'Company' does not exist in 'User'."],
    ['Generals?include=[Password]', "'Password' does not exist in 'General'."],
    ['Assignables?append=[Tsks-Count]', "'Assignable' has no collection 'Tsks'; did you mean 'Tasks'."],
    ['Generals?append=[Severity-Count]', "'General' has no collection 'Severity'."],
    ['Generals?append=[Tasks-Efort-Sum]', "'Task' has no value 'Efort'; did you mean 'Effort'."],
    ['Generals?append=[Tasks-Name-Sum]', 'Sum needs a number.'],
    ['Bugs?append=[Tasks-Count]', "'Bug' has no collection 'Tasks'"],
    ['Assignables?where=(Tasks-Count gt 2)', "'Tasks-Count'"],
  ])('%s is 400', async (path, message) => {
    for (const format of ['json', 'xml']) {
      const answer = await app.ask(`/api/v1/${path}${path.includes('?') ? '&' : '?'}format=${format}`);
      expect(answer.status).toBe(400);
      if (format === 'json') expect(answer.json.Message).toContain(message);
    }
  });

  it('lead from a cut collection to the rest of it', async () => {
    const [{ id }] = await app.rows(
      'select g.id from assignment a join general g on g.id = a.assignable_id where g.delete_date is null group by 1 having count(*) > 1 limit 1',
    );
    const { Assignments } = await app.json(`/api/v1/Generals/${id}?include=[Assignments]&innerTake=1`);
    expect(Assignments.Items).toHaveLength(1);
    const rest = await app.items(Assignments.Next.replace(app.base, ''));
    expect(rest[0].Id).not.toBe(Assignments.Items[0].Id);
    expect((await app.post(`/api/v1/Generals/${id}/Assignments`, { GeneralUser: { Id: 3 } })).status).toBe(400);
  });

  it('of all kinds at once stay below what a request may cost', async () => {
    const general = model.resource('General');
    const named = [...general.fields, ...general.commonKindFields];
    const ask = (include: readonly string[], more = '') =>
      app.ask(`/api/v1/Generals?take=1&format=json&include=[${include}]${more}`);
    expect((await ask(named.map(({ name }) => name))).status).toBe(200);
    const far = Array.from({ length: 90 }, (_, at) => `(Iteration.Release.Project.Owner.Login eq 'x${at}')`);
    const answer = await ask(['Id'], `&where=${far.join('or')}`);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('asks for too much at once')]);
  });
});
