/** One request changes a row once in the record of changes, whatever rules write it besides. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CollectionField, ReferenceField, ResourceType } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { bodyOf, type Ids, model, twoOfEverything } from '../support/builder.js';

vi.setConfig({ testTimeout: 120_000 });

let app: TestApp;
let ids: Ids;
let others: Ids;
beforeAll(async () => {
  app = await TestApp.start();
  ({ ids, others } = await twoOfEverything(app, 'once'));
});
afterAll(() => app.stop());

const kinds = model.resources.filter(({ settings, isAbstract }) => settings.operations.update && !isAbstract);

it.each(kinds.map((kind) => [kind.name, kind] as const))('%s', async (name, kind) => {
  const path = `/api/v1/${kind.collection}/${ids[name] ?? 1}?format=json&include=[Id]`;
  const twice: unknown[] = [];
  for (const body of bodies(kind)) {
    const [{ last }] = await app.rows('select coalesce(max(id), 0) as last from change_record');
    await app.post(path, body);
    // Several links of one entity are records of different rows.
    const rows = await app.rows(
      `select resource, array_agg(changes order by id) as changes from change_record where id > $1 and kind in ('update', 'create')
       group by xid, resource, entity_id having count(*) > 1 and bool_or(kind = 'update')`,
      [last],
    );
    if (rows.length > 0) twice.push([body, ...rows]);
  }
  expect(twice).toEqual([]);
});

function* bodies({ fields }: ResourceType): Generator<object> {
  for (const field of fields) {
    if (field.kind === 'reference' && field.isSettable) {
      for (const id of idsOf(field)) yield { [field.name]: { Id: id } };
      yield { [field.name]: null };
      for (const id of idsOf(field)) yield { Name: `beside ${field.name}`, [field.name]: { Id: id } };
    } else if (field.kind === 'collection') {
      yield* itemsOf(field);
    }
  }
}

const leafOf = ({ target }: ReferenceField | CollectionField): string =>
  ({ General: 'Bug', Assignable: 'Bug', GeneralUser: 'User' })[target.name] ?? target.name;

const idsOf = (field: ReferenceField | CollectionField): number[] =>
  [others, ids].flatMap((all) => all[leafOf(field)] ?? []);

/** New ones, and those that are there. */
function* itemsOf(field: CollectionField): Generator<object> {
  for (const Id of idsOf(field)) yield { [field.name]: [{ Id }] };
  yield { [field.name]: [bodyOf(leafOf(field), { mark: 'item', ids: others })] };
  yield { [field.name]: [bodyOf(leafOf(field), { mark: 'item', ids })] };
}

describe('the team of a story', () => {
  const brief = async (act: () => Promise<unknown>) => {
    const [{ last }] = await app.rows('select max(id) as last from change_record');
    await act();
    const text = 'select kind, changes from change_record where id > $1 and resource = $2 order by id';
    return app.rows(text, [last, 'UserStory']);
  };
  const link = async (story: number) =>
    (await app.rows('select min(id) as id from team_assignment where assignable_id = $1', [story]))[0].id;
  const teams = () => [others.Team, ids.Team];

  it('is one record with what it was and is, alone and beside other values', async () => {
    const [one, other] = teams();
    const { Id, Project } = await app.write('UserStories', { Name: 'team', Project: { Id: ids.Project } });
    expect(Project.Id).toBe(ids.Project);
    const set = (body: object) => brief(() => app.write('UserStories', { Id, ...body }));
    const first = await set({ Team: { Id: one }, Name: 'of a team' });
    const before = await link(Id);
    const changes = { name: ['team', 'of a team'], team_id: [null, one], responsible_team_id: [null, before] };
    expect(first).toEqual([{ kind: 'update', changes }]);
    const second = await set({ Team: { Id: other } });
    const after = await link(Id);
    const moved = { team_id: [one, other], responsible_team_id: [before, after] };
    expect(second).toEqual([{ kind: 'update', changes: moved }]);
    const cleared = { team_id: [other, null], responsible_team_id: [after, null] };
    expect(await set({ Team: null })).toEqual([{ kind: 'update', changes: cleared }]);
  });

  it('is in the record of a new one, beside those of its tags', async () => {
    const body = { Name: 'new', Project: { Id: ids.Project }, Team: { Id: ids.Team }, Tags: 'one, two' };
    let id = 0;
    const records = await brief(async () => {
      id = (await app.write('UserStories', body)).Id;
    });
    const changes = { name: [null, 'new'], team_id: [null, ids.Team], responsible_team_id: [null, await link(id)] };
    expect(records).toEqual([{ kind: 'create', changes: expect.objectContaining(changes) }]);
    const tags = await app.rows(`select 1 from change_record where entity_id = $1 and resource = 'GeneralTag'`, [id]);
    expect(tags).toHaveLength(2);
  });

  it('is one record where the team goes and another one takes its place', async () => {
    const AssignedTeams = teams().map((Id) => ({ Team: { Id } }));
    const { Id } = await app.write('UserStories', { Name: 'two', Project: { Id: ids.Project }, AssignedTeams });
    const before = await link(Id);
    const records = await brief(() => app.ask(`/api/v1/TeamAssignments/${before}?format=json`, { method: 'DELETE' }));
    const changes = { team_id: teams(), responsible_team_id: [before, await link(Id)] };
    expect(records).toEqual([{ kind: 'update', changes }]);
  });
});
