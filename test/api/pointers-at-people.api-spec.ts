/**
 * A custom field that points at a person shows that person, though an item that is hidden, deleted or seen has the same
 * id: people and items are numbered apart.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Agent } from '../support/agent.js';
import { basic, TestApp } from '../support/app.js';
import { model } from '../support/builder.js';

let app: TestApp;
const ids = { process: 0, project: 0 };
const items = { hidden: 0, deleted: 0, seen: 0 };
const shown = /zq(hidden|deleted|seen)/;
const callers = ['alice', 'admin'];

beforeAll(async () => {
  app = await TestApp.start();
  ids.process = (await app.write('Processes', { Name: 'Pointing' })).Id;
  const project = { Process: { Id: ids.process } };
  ids.project = (await app.write('Projects', { Name: 'seen', ...project })).Id;
  const [{ Id }] = await app.items("/api/v1/Users?where=(Login eq 'alice')");
  await app.write('ProjectMembers', { Project: { Id: ids.project }, User: { Id } });
  const other = (await app.write('Projects', { Name: 'other', ...project })).Id;
  const bug = (Name: string, project: number) => app.write('Bugs', { Name, Project: { Id: project } });
  items.hidden = (await bug('zqhidden bug', other)).Id;
  items.deleted = (await bug('zqdeleted bug', ids.project)).Id;
  items.seen = (await bug('zqseen bug', ids.project)).Id;
  await app.ask(`/api/v1/Bugs/${items.deleted}`, { method: 'DELETE' });
  await define(['Pointer', 'Twin']);
  await define(['Pointers'], 'MultipleEntities');
  await define(['Pointer'], 'Entity', { EntityType: { Id: 6 } });
  await define(['Pointer'], 'Entity', { EntityType: { Id: 7 }, Process: { Id: ids.process } });
});
afterAll(() => app.stop());

async function define(
  names: readonly string[],
  FieldType = 'Entity',
  where: object = { EntityType: { Id: 4 }, Process: { Id: ids.process } },
): Promise<void> {
  for (const Name of names) await app.write('CustomFields', { Name, FieldType, ...where });
}

const kinds = model.pointable.filter((kind) => kind.isA(model.person)).map(({ name }) => name);
/** Whom a pointer of the kind can be at. */
const concrete = (kind: string): string => (kind === 'GeneralUser' ? 'Requester' : kind);

interface Pointer {
  Id: number;
  Kind: string;
}

let made = 0;

/** Somebody who has the id of that item. */
async function personLike(item: number, kind: string): Promise<void> {
  made += 1;
  const Email = `pat${made}@example.com`;
  const person = { FirstName: 'Pat', LastName: kind, Email };
  const more = kind === 'User' ? { Login: Email, Password: 'a long password' } : {};
  const { Id } = await app.write(`${kind}s`, { ...person, ...more });
  // The one before gives way.
  await app.rows('update general_user set id = (select max(id) + 1 from general_user) where id = $1', [item]);
  await app.rows('update general_user set id = $1 where id = $2', [item, Id]);
}

/** What points at one of them, each with what it is read by; written by somebody who does not see the item. */
async function pointing(Value: Pointer): Promise<{ story: number; paths: [string, RegExp][] }> {
  const write = (path: string, body: object, as = 'alice') => app.write(path, body, { as });
  const CustomFields = [{ Name: 'Pointer', Value }];
  const both = [...CustomFields, { Name: 'Twin', Value }, { Name: 'Pointers', Value: `${Value.Id} ${Value.Kind}` }];
  const { Id: story } = await write('UserStories', { Name: 'pointing', Project: { Id: ids.project } });
  await app.rows(`update full_history set date = date - interval '1 hour' where general_id = $1`, [story]);
  await write(`UserStories/${story}`, { CustomFields: both });
  const time = await write('Times', { Assignable: { Id: story }, Spent: 1, Description: 'x', CustomFields });
  const [{ Id: alice }] = await app.items("/api/v1/Users?where=(Login eq 'alice')");
  await write(`Users/${alice}`, { CustomFields }, 'admin');
  const listed = `v1/UserStories?where=(Id eq ${story})&include=[CustomFields]`;
  return {
    story,
    paths: [
      ...['UserStories', 'Assignables', 'Generals'].flatMap((list): [string, RegExp][] => [
        [`v1/${list}/${story}?include=[CustomFields]&format=json`, inJson],
        [`v1/${list}?where=(Id eq ${story})&include=[CustomFields]&format=xml`, inXml],
      ]),
      [`${listed}&format=json`, inJson],
      [`v1/Projects/${ids.project}/UserStories?where=(Id eq ${story})&include=[CustomFields]&format=json`, inJson],
      [`v1/UserStories/${story}/Times?include=[CustomFields]&format=json`, inJson],
      [`v1/Times/${time.Id}?include=[CustomFields]&format=xml`, inXml],
      [`v1/Users/${alice}?include=[CustomFields]&format=json`, inJson],
      [`v2/UserStory/${story}?select={customValues}`, inV2],
      [`v2/Assignable?where=(id==${story})&select={customValues}`, inV2],
      [`v2/User/${alice}?select={customValues}`, inV2],
      [`v2/UserStory/${story}?select={v:customValues.Get("Pointer")}`, inV2],
      [`v2/UserStory/${story}?select={Pointer}`, inV2],
      [`v2/UserStory/${story}?select={name:Pointer.name}`, inV2],
      [`v2/UserStory/${story}?select={name:customValues.Text("Pointer")}`, inV2],
      [`v2/UserStory?where=(id==${story})&groupBy=Pointer`, inV2],
      [`v2/UserStory?where=(id==${story})&groupBy={name:Pointer.name}`, inV2],
    ],
  };
}

/** The names of what is pointed at. */
const inJson = /"Name":"([^"]*)"\}\}/g;
const inXml = /<Name>([^<]*)<\/Name><\/Value>/g;
const inV2 = /"name":"([^"]*)"(?!,"type")/g;

it('people are pointed at by a base and by their kinds', () =>
  expect(kinds.toSorted()).toEqual(['GeneralUser', 'Requester', 'User']));

describe.each([
  ['compiled in', []],
  ['read in the statement', ['Leads to', 'Waits for', 'Seen in', 'Asked in']],
] as const)('by fields that are %s', (_, more) => {
  beforeAll(() => define(more));

  describe.each(kinds)('of Kind %s', (Kind) => {
    it.each(Object.keys(items) as (keyof typeof items)[])('at one who has the id of a %s item', async (item) => {
      const Id = items[item];
      await personLike(Id, concrete(Kind));
      const { story, paths } = await pointing({ Id, Kind });
      for (const as of callers) {
        for (const [path, names] of paths) {
          const { text } = await app.ask(`/api/${path}`, { as });
          const all = new Set([...text.matchAll(names)].map(([, name]) => name));
          expect([path, [...all], shown.test(text)]).toEqual([path, [`Pat ${concrete(Kind)}`], false]);
        }
        await says(story, { Id, Kind }, as);
      }
    });
  });
});

/** Tools, and ways that show an id, compare or lead further: to nothing that an item alone has. */
async function says(story: number, { Id, Kind }: Pointer, as: string): Promise<void> {
  const agent = await Agent.http(app.base, { authorization: basic(as) });
  const item = JSON.stringify(await agent.use('get', { id: story }));
  const { items: found } = await agent.use('search', { words: Kind });
  await agent.close();
  const name = `Pat ${concrete(Kind)}`;
  expect(item).toContain(JSON.stringify({ id: Id, kind: Kind, name }));
  expect([shown.test(item), found]).toEqual([false, []]);
  const shows = async (select: string, entity = `UserStory/${story}`, where = `id==${story}`) => {
    const { json } = await app.ask(`/api/v2/${entity}?${new URLSearchParams({ select, where })}`, { as });
    return json.items;
  };
  const compared = '{a:Pointer==Twin,b:Pointer!=Twin,c:Pointer.id,d:Pointer.resourceType,e:Pointers}';
  expect(await shows(compared)).toEqual([{ a: true, b: false, c: Id, d: Kind, e: `${Id} ${Kind.toLowerCase()}` }]);
  const further =
    '{a:Pointer.project,b:Pointer.entityState,c:Pointer.as<Bug>.name,d:Pointer.tags,e:Pointer.comments.count()}';
  expect(await shows(further)).toEqual([{}]);
  const past = await shows("{t:GetCustomValueString('Pointer')}", 'UserStoryHistory', `currentUserStory.id==${story}`);
  expect(past).toContainEqual({ t: name });
  const { text } = await app.ask(`/api/v1/UserStories?where=(Id eq ${story})&include=[CustomFields]&format=csv`, {
    as,
  });
  expect([text.includes(`,${Id},${Id},"${Id} ${Kind.toLowerCase()}"`), shown.test(text)]).toEqual([true, false]);
}
