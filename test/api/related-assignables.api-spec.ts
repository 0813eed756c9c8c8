/** InboundAssignables and OutboundAssignables: work items at the ends of relations. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
/**
 * `story` is blocked by `bug`, which has two relations to it, and leads to `task`; `secret` lies in a hidden project.
 */
const ids: Ids = { Process: 3, Role: 1 };

beforeAll(async () => {
  app = await TestApp.start();
  const own = { mark: 'rel', ids };
  ids.Project = await make(app, 'Project', own);
  for (const kind of ['UserStory', 'Bug', 'Task', 'Build']) ids[kind] = await make(app, kind, own);
  const apart: Ids = { Process: 3, Role: 1 };
  apart.Project = await make(app, 'Project', { mark: 'apart', ids: apart });
  ids.secret = await make(app, 'UserStory', { mark: 'apart', ids: apart });
  const User = await make(app, 'User', own, { Login: 'rel.member' });
  await make(app, 'ProjectMember', { mark: '', ids: { ...ids, User } });
  await relate(ids.Bug, ids.UserStory, 2);
  await relate(ids.Bug, ids.UserStory, 1);
  await relate(ids.UserStory, ids.Task, 3);
  await relate(ids.Build, ids.UserStory, 3);
  await relate(ids.secret, ids.UserStory, 2);
  await relate(ids.Bug, ids.secret, 2);
});
afterAll(() => app.stop());

async function relate(master: number | undefined, slave: number | undefined, type: number): Promise<void> {
  const body = { Master: { Id: master }, Slave: { Id: slave }, RelationType: { Id: type } };
  expect((await app.post('/api/v1/Relations', body)).status).toBe(201);
}

const namesOf = (items: { Name: string }[]): string[] => items.map(({ Name }) => Name);

async function referencesOf(collection: string): Promise<string[]> {
  const { ResourceMetadataPropertiesDescription: properties } = await app.json(`/api/v1/${collection}/meta`);
  return namesOf(properties.ResourceMetadataPropertiesResourceReferencesDescription.Items);
}

const fields = 'include=[Id,Name,EntityState,RelationType,OutboundGeneral]';
const as = 'rel.member';

describe('the inner collections', () => {
  it('show work items with the type of the relation and the other end', async () => {
    const items = await app.items(`/api/v1/UserStories/${ids.UserStory}/InboundAssignables?${fields}`, { as });
    expect(items).toEqual(
      [
        ['Blocker', 2],
        ['Dependency', 1],
      ].map(([Name, Id]) => ({
        ResourceType: 'InboundAssignable',
        Id: ids.Bug,
        Name: expect.any(String),
        EntityState: expect.objectContaining({ Name: 'Open' }),
        RelationType: { ResourceType: 'RelationType', Id, Name },
        OutboundGeneral: expect.objectContaining({ ResourceType: 'General', Id: ids.UserStory }),
      })),
    );
    const outbound = await app.items(`/api/v1/UserStories/${ids.UserStory}/OutboundAssignables`, { as });
    expect(outbound).toEqual([
      expect.objectContaining({
        ResourceType: 'OutboundAssignable',
        Id: ids.Task,
        RelationType: expect.objectContaining({ Name: 'Relation' }),
        InboundGeneral: expect.objectContaining({ Id: ids.UserStory }),
        Project: expect.objectContaining({ Id: ids.Project }),
        Effort: 0,
        CustomFields: expect.any(Array),
      }),
    ]);
  });

  it('are included, counted and filtered in both formats', async () => {
    const path = `/api/v1/UserStories/${ids.UserStory}?include=[InboundAssignables[Id,RelationType]]&append=[InboundAssignables-Count]`;
    const answer = await app.json(path, { as });
    expect(answer['InboundAssignables-Count']).toBe(2);
    const xml = itemOf(await parseXml(await app.xml(path, { as })));
    expect(xml).toMatchObject({
      'InboundAssignables-Count': '2',
      InboundAssignables: { Items: answer.InboundAssignables.Items.map(() => ({ Id: String(ids.Bug) })) },
    });
    const where = (text: string) =>
      app.items(`/api/v1/UserStories?where=${encodeURIComponent(text)}&include=[Id]`, { as });
    const listed = await where(
      `InboundAssignables.RelationType.Name eq 'Blocker' and InboundAssignables.Id eq ${ids.Bug}`,
    );
    expect(listed.map(({ Id }) => Id)).toEqual([ids.UserStory]);
    expect(await where(`InboundAssignables.Id eq ${ids.secret}`)).toEqual([]);
  });

  it('are read by version 2', async () => {
    const answer = await app.json(
      `/api/v2/UserStory/${ids.UserStory}?select={id,from:inboundAssignables.select({id,type:relationType.name}),to:outboundAssignables.count()}`,
      { as },
    );
    expect(answer.items?.[0] ?? answer).toEqual({
      id: ids.UserStory,
      from: expect.arrayContaining([
        { id: ids.Bug, type: 'Blocker' },
        { id: ids.Bug, type: 'Dependency' },
      ]),
      to: 1,
    });
  });
});

describe('the collections', () => {
  it('list a work item once for each relation, page by page', async () => {
    const mine = `where=OutboundGeneral.Id eq ${ids.UserStory}`;
    const all = await app.items(`/api/v1/InboundAssignables?${mine}&${fields}`);
    expect(all.map(({ Id, RelationType }) => [Id, RelationType.Id])).toEqual([
      [ids.Bug, 2],
      [ids.Bug, 1],
      [ids.secret, 2],
    ]);
    const pages = await Promise.all(
      [0, 1, 2].map((skip) => app.items(`/api/v1/InboundAssignables?${mine}&${fields}&take=1&skip=${skip}`)),
    );
    expect(pages.flat()).toEqual(all);
    const backwards = await app.items(`/api/v1/InboundAssignables?${mine}&${fields}&orderByDesc=RelationType.Name`);
    expect(backwards.map(({ RelationType }) => RelationType.Name)).toEqual(['Dependency', 'Blocker', 'Blocker']);
  });

  it('are ordered and paged by version 2, with and without a choice between rows', async () => {
    const path = `/api/v2/InboundAssignable?where=id==${ids.Bug}&select={id,relationType.name as type,same:IIF(effort>=0,it,it).name}`;
    const { items } = await app.json(path);
    expect(items.length).toBe(3);
    const groups = await app.json(`/api/v2/InboundAssignable?where=id==${ids.Bug}&groupBy=item:it`);
    expect(groups.items).toEqual([{ item: expect.objectContaining({ id: ids.Bug }), count: 3 }]);
  });

  it('show one work item by its Id, with its own collections', async () => {
    const one = await app.json(`/api/v1/InboundAssignables/${ids.Bug}?include=[Id,RelationType]`);
    expect(one).toMatchObject({ Id: ids.Bug, RelationType: { Id: 2 } });
    const comment = await app.post('/api/v1/Comments?format=json', { Description: 'hm', General: { Id: ids.Bug } });
    const comments = await app.items(`/api/v1/InboundAssignables/${ids.Bug}/Comments`);
    expect(comments.map(({ Id }) => Id)).toEqual([comment.json.Id]);
    expect((await app.ask(`/api/v1/InboundAssignables/${ids.Build}`)).status).toBe(404);
  });

  it('show no relation with a hidden end', async () => {
    const items = await app.items(`/api/v1/InboundAssignables?${fields}`, { as });
    expect(items.map(({ Id, OutboundGeneral }) => [Id, OutboundGeneral.Id])).toEqual([
      [ids.UserStory, ids.Task],
      [ids.Bug, ids.UserStory],
      [ids.Bug, ids.UserStory],
    ]);
    expect((await app.ask(`/api/v1/InboundAssignables/${ids.secret}`, { as })).status).toBe(404);
    const outbound = await app.items('/api/v1/OutboundAssignables?include=[Id,InboundGeneral[Id]]', { as });
    expect(outbound.map(({ Id, InboundGeneral }) => [Id, InboundGeneral.Id])).toEqual([
      [ids.UserStory, ids.Bug],
      [ids.UserStory, ids.Bug],
      [ids.UserStory, ids.Build],
      [ids.Task, ids.UserStory],
    ]);
  });

  it('are read only, and described with the fields of Assignable in both formats', async () => {
    for (const name of ['InboundAssignables', 'OutboundAssignables']) {
      expect((await app.post(`/api/v1/${name}`, { Name: 'x' })).status).toBe(405);
      expect((await app.ask(`/api/v1/${name}/${ids.UserStory}`, { method: 'DELETE' })).status).toBe(405);
      const meta = await app.json(`/api/v1/${name}/meta`);
      const { ResourceMetadataPropertiesDescription: properties } = meta;
      const values = properties.ResourceMetadataPropertiesResourceValuesDescription.Items;
      expect(values.map(({ Name }: { Name: string }) => Name)).toEqual(
        expect.arrayContaining(['Effort', 'Tags', 'Units']),
      );
      expect(values.filter(({ CanSet, Name }: { CanSet: boolean; Name: string }) => CanSet && Name !== 'Id')).toEqual(
        [],
      );
      const xml = await app.xml(`/api/v1/${name}/meta`);
      expect((await parseXml(xml)).attributes.Name).toBe(meta.Name);
      expect(xml).toMatch(
        /<ResourceMetadataBaseResourceItemDescription Name="Assignable" Uri="[^"]*\/Assignables\/meta"/,
      );
      const base = meta.ResourceMetadataHierarchyDescription.ResourceMetadataBaseResourceDescription.Items;
      expect(base.map(({ Name }: { Name: string }) => Name)).toEqual(['Assignable']);
      const references = properties.ResourceMetadataPropertiesResourceReferencesDescription.Items;
      const ofAssignable = await referencesOf('Assignables');
      expect(namesOf(references)).toEqual([
        ...ofAssignable,
        'RelationType',
        name === 'InboundAssignables' ? 'OutboundGeneral' : 'InboundGeneral',
      ]);
    }
    const { ResourceMetadataHierarchyDescription: hierarchy } = await app.json('/api/v1/Assignables/meta');
    expect(namesOf(hierarchy.ResourceMetadataDerivedResourceDescription.Items)).toEqual(
      expect.arrayContaining(['Bug', 'InboundAssignable', 'OutboundAssignable', 'UserStory']),
    );
    for (const path of ['InboundAssignables?include=[Assignable]', 'InboundAssignables?where=Assignable.Id eq 1'])
      expect((await app.ask(`/api/v1/${path}`)).status).toBe(400);
  });

  it('have the fields of kinds, as Assignables have', async () => {
    for (const [name, id] of [
      ['InboundAssignables', ids.Bug],
      ['OutboundAssignables', ids.Task],
    ] as const) {
      const query = `where=Id eq ${id}&include=[Id,Severity,UserStory,LeadTime]&orderBy=Severity.Name`;
      const items = await app.items(`/api/v1/${name}?${query}`);
      const [like] = await app.items(`/api/v1/Assignables?${query}`);
      for (const item of items) expect({ ...item, ResourceType: 'Assignable' }).toEqual(like);
      expect(items.length).toBeGreaterThan(0);
      const xml = await parseXml(await app.xml(`/api/v1/${name}?${query}`));
      expect(itemOf(xml.children[0]!)).toMatchObject(
        name === 'InboundAssignables' ? { Severity: { Id: String(like.Severity.Id) } } : { Severity: null },
      );
    }
    expect(await app.items(`/api/v1/InboundAssignables?where=Severity is not null&include=[Id]&take=1000`)).not.toEqual(
      [],
    );
    const refused = await app.ask('/api/v1/InboundAssignables?include=[Nothing]');
    expect(refused.status).toBe(400);
  });
});
