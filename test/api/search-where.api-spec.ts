/** Search: a filter leaves what lists of the same kinds, with the same filter, show to the same caller. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
  const own = (await app.write('Projects', { Name: 'Orchard', Process: { Id: 3 } })).Id;
  const hidden = (await app.write('Projects', { Name: 'Hedge', Process: { Id: 3 } })).Id;
  const [{ Id: alice }] = await app.items("/api/v1/Users?where=(Login eq 'alice')&include=[Id]");
  await app.write('ProjectMembers', { Project: { Id: own }, User: { Id: alice }, Role: { Id: 1 } });
  const team = (await app.write('Teams', { Name: 'Pickers' })).Id;
  await app.write('TeamMembers', { Team: { Id: team }, User: { Id: alice } });
  await app.write('CustomFields', { Name: 'Soil', FieldType: 'Text', EntityType: { Id: 8 }, Process: { Id: 3 } });
  await app.write('CustomFields', { Name: 'Depth', FieldType: 'Number', EntityType: { Id: 4 }, Process: { Id: 3 } });
  const write = async (kind: string, fields: object, Project = own): Promise<number> =>
    (await app.write(kind, { Name: `zzquince ${kind}`, Project: { Id: Project }, ...fields })).Id;
  const seenFeature = await write('Features', { Name: 'zzquince seen' });
  const hiddenFeature = await write('Features', { Name: 'zzquince hidden' }, hidden);
  const severities = await app.items('/api/v1/Severities?include=[Id]&take=2');
  for (const [at, Project] of [own, own, hidden].entries()) {
    const depth = [{ Name: 'Depth', Value: at }];
    await write(
      'UserStories',
      { RoleEfforts: [{ Role: { Id: 1 }, Effort: 3 + at }], Feature: { Id: seenFeature }, CustomFields: depth },
      Project,
    );
    await write('UserStories', { Feature: { Id: hiddenFeature }, Tags: 'ripe' }, Project);
    const soil = [{ Name: 'Soil', Value: 'clay' }];
    await write('Bugs', { Severity: { Id: severities[at % 2].Id }, CustomFields: soil }, Project);
    const closed = await write('Bugs', { Description: 'zzquince' }, Project);
    const states = (await app.items(`/api/v1/Bugs?where=(Id eq ${closed})&include=[EntityState[NextStates]]`))[0];
    await app.write(`Bugs/${closed}`, { EntityState: { Id: states.EntityState.NextStates.Items[0].Id } });
    await write('Releases', { Name: `zzquince ${at}` }, Project);
    await write('Comments', { Name: undefined, General: { Id: closed }, Description: 'zzquince', Project: undefined });
  }
  const assigned = await write('UserStories', { RoleEfforts: [{ Role: { Id: 1 }, Effort: 4 }] }, hidden);
  await app.write('TeamAssignments', { Assignable: { Id: assigned }, Team: { Id: team } });
  await app.write('Programs', { Name: 'zzquince' });
});
afterAll(() => app.stop());

const search = (more: string, as: string) => app.ask(`/api/v1/Search?format=json&take=100&q=zzquince${more}`, { as });

const found = async (types: string | undefined, where: string, as: string): Promise<number[]> => {
  const filter = where && `&where=${encodeURIComponent(where)}`;
  const { status, text, json } = await search(`${types ? `&types=${types}` : ''}${filter}`, as);
  expect(status, text).toBe(200);
  return json.Items.map(({ Id }: { Id: number }) => Id).sort();
};

const listed = async (collection: string, where: string, as: string): Promise<number[]> => {
  const filter = `(Name contains 'zzquince')${where && `and(${where})`}`;
  const path = `/api/v1/${collection}?where=${encodeURIComponent(filter)}&include=[Id]&take=100`;
  return (await app.items(path, { as })).map(({ Id }: { Id: number }) => Id).sort();
};

const notEmpty: Record<string, number> = {};

describe.each(['admin', 'alice', 'bruno'])('%s', (as) => {
  it.each([
    ['Bug', 'Bugs', ''],
    ['UserStory', 'UserStories', ''],
    ['Release', 'Releases', ''],
    ['Program', 'Programs', ''],
    ['Assignable', 'Assignables', ''],
    ['Bug', 'Bugs', "EntityState.Name eq 'Open'"],
    ['bugs', 'Bugs', "not(EntityState.Name eq 'Open') and Description is not null"],
    ['Bug', 'Bugs', "Severity.Importance lte 2 or Severity.Name eq 'Normal'"],
    ['Bug', 'Bugs', "CustomFields.Soil eq 'clay'"],
    ['UserStory', 'UserStories', 'Effort gt 3'],
    ['UserStory', 'UserStories', 'CustomFields.Depth gte 1'],
    ['UserStory', 'UserStories', "Feature.Name contains 'hidden'"],
    ['UserStory', 'UserStories', "Feature.Name ne 'zzquince hidden'"],
    ['UserStory', 'UserStories', 'Feature is null'],
    ['UserStory', 'UserStories', "Tags contains 'ripe' and Feature is null"],
    ['Feature', 'Features', "UserStories.Name contains 'quince' and UserStories.Effort gt 4"],
    ['[UserStory]', 'UserStories', "Project.Name eq 'Hedge'"],
    ['Assignable', 'Assignables', 'Effort gte 4 or Severity is not null'],
    [undefined, 'Generals', "EntityState.Name eq 'Open'"],
    [undefined, 'Generals', 'Severity.Importance lte 3'],
    [undefined, 'Generals', 'Effort gt 3 and CustomFields.Depth gt 0'],
    [undefined, 'Generals', 'Feature is not null'],
  ])('types=%s finds what /%s shows where %s', async (types, collection, where) => {
    const ids = await found(types, where, as);
    expect(ids).toEqual(await listed(collection, where, as));
    const key = `${types} ${where}`;
    notEmpty[key] = (notEmpty[key] ?? 0) + ids.length;
  });

  it.each([
    ["EntityState.Name eq 'Open'"],
    ['Severity is not null or Effort gt 3'],
    ["CustomFields.Soil eq 'clay'"],
    ["Feature.Name ne 'zzquince hidden'"],
  ])('several types find what /Generals shows of them where %s', async (where) => {
    const ofKinds = `(${where}) and EntityType.Name in ('UserStory','Bug')`;
    for (const types of ['UserStory,Bug', '[Bugs, userstories]', 'UserStory,Bug,UserStory'])
      expect(await found(types, where, as)).toEqual(await listed('Generals', ofKinds, as));
  });
});

it('each of these finds something for somebody', () => {
  expect(Object.keys(notEmpty).length).toBeGreaterThan(20);
  expect(Object.entries(notEmpty).filter(([, count]) => count === 0)).toEqual([]);
});

describe('refuses', () => {
  it.each([
    ['&types=UserStory&where=Severity is null', 'Severity'],
    ['&where=Sverity is null', "Did you mean 'Severity'"],
    ['&types=UserStory&where=Efort gt 1', "Did you mean 'Effort'"],
    ['&types=Bug&where=CustomFields.Soill eq 1', 'CustomFields.Soil'],
    ["&where=Bugs.Name eq 'x'", 'ask for it of one kind'],
    ['&types=Bug,', 'types: names of types are needed, such as types=Bug'],
    ['&types=,', 'types: names of types are needed'],
    ['&types=[]', 'types: names of types are needed'],
    ['&types=[Buug]', 'there is no type Buug to search. Did you mean Bug?'],
    ['&project=-1', 'project: ids are needed'],
    ['&project=1,', 'project: ids are needed'],
    ['&project=[1,x]', 'project: ids are needed'],
    ['&project=9007199254740993', 'project: ids are needed'],
    ['&isodate=maybe', "isodate: use 'true', '1' or 'yes', or 'false', '0' or 'no'."],
  ])('%s', async (more, message) => {
    const { status, json } = await search(more, 'alice');
    expect([status, json.Message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('no project that could be one', async () => {
    for (const project of ['0', '999999999', '[0]', '0,999999999'])
      expect((await search(`&project=${project}`, 'alice')).json.Items).toEqual([]);
  });
});

it('deleted items are not found, and take no place on a page', async () => {
  const [{ Id: Project }] = await app.items("/api/v1/Projects?where=(Name eq 'Orchard')&include=[Id]");
  const ids: number[] = [];
  for (const n of [1, 2, 3, 4])
    ids.push((await app.write('Bugs', { Name: `zzmedlar ${n}`, Project: { Id: Project } })).Id);
  await app.ask(`/api/v1/Bugs/${ids[3]}`, { method: 'DELETE' });
  const where = encodeURIComponent("DeleteDate is not null or Name contains 'zzmedlar'");
  const items = await app.items(`/api/v1/Search?q=zzmedlar&take=2&types=Bug&where=${where}`);
  expect(items.map(({ Id }: { Id: number }) => Id)).toEqual([ids[2], ids[1]]);
});

it('costly filters are refused before they run', async () => {
  const many = Array.from({ length: 80 }, (_, n) => `UserStories.Tasks.Name contains 'a${n}'`).join(' and ');
  const { status, json } = await search(`&types=Feature&where=${encodeURIComponent(many)}`, 'admin');
  expect([status, json.Code]).toEqual([400, 'TooMuch']);
});
