/**
 * A condition and its negation share out all rows, whatever a reference points at; and what is shown is what is
 * filtered.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReferenceField, ResourceType } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const listed = async (collection: string, where: string): Promise<number[]> =>
  (await app.items(`/api/v1/${collection}?${new URLSearchParams({ where, include: '[Id]', ...page })}`)).map(
    ({ Id }) => Id,
  );

const listedByV2 = async (kind: string, where: string): Promise<number[]> =>
  (await app.json(`/api/v2/${kind}?${new URLSearchParams({ where, select: 'id', ...page })}`)).items;

const page = { orderBy: 'Id', take: '1000' };

/** The first rows with the id that the reference shows, which is null where it shows nothing. */
async function shown({ collection }: ResourceType, { name }: ReferenceField): Promise<[id: number, key: unknown][]> {
  const include = `[Id,${name}[Id]]`;
  const rows = await app.items(`/api/v1/${collection}?${new URLSearchParams({ include, ...page })}`);
  return rows.map((row) => [row.Id, row[name]?.Id ?? null]);
}

/** The same column of the same table, for the same kind, is asked once. */
const asked = new Set<string>();
const references = model.resources.flatMap((kind) =>
  kind.fields.flatMap((field) => {
    const key = field.kind === 'reference' && `${kind.table} ${field.column} ${field.target.name}`;
    if (!key || asked.has(key)) return [];
    asked.add(key);
    return [[kind.name, field.name, kind, field as ReferenceField] as const];
  }),
);

describe('what a reference points at, and what it does not', () => {
  it.each(references)('%s.%s', async (_, name, kind, field) => {
    const rows = await shown(kind, field);
    const some = rows.find(([, key]) => key !== null)?.[1] ?? 1;
    const last = rows.at(-1)?.[0] ?? 0;
    const idsWhere = (holds: (key: unknown) => boolean) => rows.filter(([, key]) => holds(key)).map(([id]) => id);
    const same = idsWhere((key) => key === some);
    const other = idsWhere((key) => key !== some);
    const missing = idsWhere((key) => key === null);
    for (const [text, expected] of [
      [`X.Id eq ${some}`, same],
      [`X.Id in (${some})`, same],
      [`X.Id ne ${some}`, other],
      [`not (X.Id eq ${some})`, other],
      [`X.Id not in (${some})`, other],
      [`not (X.Id in (${some}))`, other],
      [`not (not (X.Id ne ${some}))`, other],
      ['X is null', missing],
      ['X.Id is null', missing],
      ['not (X is not null)', missing],
      ['not (X.Id gt 0)', missing],
    ] as const) {
      const ids = await listed(kind.collection, `(${text.replace('X', name)}) and (Id lte ${last})`);
      expect([text, ids.join()]).toEqual([text, expected.join()]);
    }
    for (const [text, expected] of [
      [`X.Id==${some}`, same],
      [`X.Id!=${some}`, other],
      [`not(X.Id==${some})`, other],
      [`X.Id not in [${some}]`, other],
      [`not(not(X.Id!=${some}))`, other],
      ['X is null', missing],
      ['X.Id==null', missing],
      ['not(X.Id>0)', missing],
    ] as const) {
      const ids = await listedByV2(kind.name, `(${text.replace('X', name)}) and id<=${last}`);
      expect([text, ids.join()]).toEqual([text, expected.join()]);
    }
  });
});

describe('a test at the end of a path', () => {
  const states = 'select s.id from entity_state s left join role r on r.id = s.role_id';
  const bugs = 'select 1 from general b left join general i on i.id = b.iteration_id and i.delete_date is null';
  const ofFeature = 'b.feature_id = f.id and b.entity_type_id = 8 and b.delete_date is null';
  const features = 'select f.id from general f where f.entity_type_id = 9 and f.delete_date is null and';
  const comments = 'select b.id from general b where b.entity_type_id = 8 and b.delete_date is null and b.id in';
  const deleted = 'select id from general_user where delete_date is not null';
  it.each([
    ['EntityStates', 'Role.Name is null', `${states} where r.name is null`],
    ['EntityStates', "Role.Name ne 'Developer'", `${states} where r.name is distinct from 'Developer'`],
    ['EntityStates', "Role.Name not in ('Developer')", `${states} where r.name is distinct from 'Developer'`],
    ['EntityStates', "Role.Name not contains 'e'", `${states} where coalesce(r.name, '') not like '%e%'`],
    ['Features', 'Bugs.Iteration.Name is null', `${features} exists (${bugs} where ${ofFeature} and i.id is null)`],
    ['Features', 'Bugs.Iteration is null', `${features} exists (${bugs} where ${ofFeature} and i.id is null)`],
    [
      'Features',
      "Bugs.Iteration.Name ne 'x'",
      `${features} exists (${bugs} where ${ofFeature} and i.name is distinct from 'x')`,
    ],
    ['Features', 'Bugs is null', `${features} not exists (${bugs} where ${ofFeature})`],
    [
      'Features',
      'Bugs.Comments is null',
      `${features} exists (${bugs} where ${ofFeature} and not exists (select 1 from comment c where c.general_id = b.id))`,
    ],
    ['Bugs', 'Comments.Owner is null', `${comments} (select general_id from comment where owner_id is null)`],
    [
      'Bugs',
      'Comments.Owner.DeleteDate is not null',
      `${comments} (select general_id from comment where owner_id in (${deleted}))`,
    ],
    [
      'Processes',
      "CustomFields.EntityType.Name ne 'UserStory'",
      'select id from process where id in (select process_id from custom_field where entity_type_id <> 4)',
    ],
    [
      'Processes',
      "CustomFields.Name eq 'Ready'",
      "select process_id as id from custom_field where name = 'Ready' and process_id > 0 group by 1",
    ],
  ])('%s?where=%s', async (collection, where, expected) => {
    const ids = (await app.rows(`${expected} order by 1`)).map(({ id }) => id);
    expect(await listed(collection, where)).toEqual(ids);
  });

  it('is only of what the reference can point at', async () => {
    const [{ id, other }] = await app.rows(
      'update general set assignable_id = (select max(id) from general where entity_type_id = 1) where id = (select min(id) from general where entity_type_id = 16 and delete_date is null) returning id, assignable_id as other',
    );
    expect(await app.json(`/api/v1/Impediments/${id}?include=[Assignable]`)).toMatchObject({ Assignable: null });
    expect((await app.ask(`/api/v1/Assignables/${other}`)).status).toBe(404);
    expect(await listed('Impediments', `Assignable.Id eq ${other}`)).toEqual([]);
    expect(await listed('Impediments', 'Assignable is null')).toContain(id);
    expect(await listed('Impediments', 'Assignable.Name is null')).toContain(id);
    expect(await listedByV2('Impediment', `assignable.id==${other}`)).toEqual([]);
    const shown = await app.json(`/api/v2/Impediment/${id}?select={id,assignable}`);
    expect(shown.items).toEqual([{ id }]);
  });

  it('every work item that the demonstration hinders is one', async () => {
    const [{ none }] = await app.rows(
      'select count(*)::int as none from general i join general a on a.id = i.assignable_id where i.entity_type_id = 16 and a.entity_type_id not in (4, 5, 8, 9, 13, 14, 17, 27, 31)',
    );
    expect(none).toBe(1);
  });
});
