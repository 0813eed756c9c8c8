/** Custom fields as they were: what the full history keeps of them, and how version 2 asks for it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenPassword, TestApp } from '../support/app.js';

let app: TestApp;
/** Alice sees the one project, and not the other. */
const [project, elsewhere] = [8, 26];
beforeAll(async () => {
  app = await TestApp.start();
  const [{ process }] = (await app.rows('select process_id as process from general where id = $1', [project])) as [
    { process: number },
  ];
  const where = { EntityType: { Id: 4 }, Process: { Id: process } };
  for (const [Name, FieldType] of types) await post('CustomFields', { Name, FieldType, ...where });
});
afterAll(() => app.stop());

const types = [
  ['Mood', 'Text'],
  ['Weight', 'Number'],
  ['Ready now', 'CheckBox'],
  ['Day', 'Date'],
  ['Page', 'URL'],
  ['Other', 'Entity'],
  ['Passing', 'Text'],
  ['Others', 'MultipleEntities'],
  ['Gone', 'Entity'],
] as const;

async function post(path: string, body: unknown, as = 'admin') {
  const answer = await app.post(`/api/v1/${path}?format=json`, body, { as });
  expect([answer.status < 300, answer.text]).toEqual([true, expect.anything()]);
  return answer.json;
}

const fields = (values: Record<string, unknown>) => Object.entries(values).map(([Name, Value]) => ({ Name, Value }));

async function story(values: Record<string, unknown>): Promise<number> {
  const { Id } = await post('UserStories', { Name: 's', Project: { Id: project }, CustomFields: fields(values) });
  return Id;
}

const change = (id: number, values: Record<string, unknown>, as = 'admin') =>
  post(`UserStories/${id}`, { CustomFields: fields(values) }, as);

async function past(id: number, select: string, as = 'admin', more: Record<string, string> = {}) {
  const parameters = { where: `currentUserStory.id==${id}`, select, orderBy: 'date,id', ...more };
  const answer = await app.ask(`/api/v2/UserStoryHistories?${new URLSearchParams(parameters)}`, { as });
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json.items;
}

it('keeps no teams, and leads to that of the item as it is', async () => {
  const asked = (where: string) => app.ask(`/api/history/v2/UserStory?${new URLSearchParams({ where })}`);
  const gone = await asked('Team.id==1');
  expect([gone.status, gone.json.Message]).toEqual([400, expect.stringContaining("'Team' does not exist")]);
  const now = await asked('CurrentUserStory.Team.id is not null');
  expect([now.status, now.json.items.length > 0]).toEqual([200, true]);
});

describe('the full history', () => {
  it('keeps the values of custom fields, and which of them changed', async () => {
    const id = await story({ Mood: 'calm', Weight: 2 });
    await change(id, { Mood: 'glad' }, 'grace');
    await change(id, { Weight: 3, Mood: 'glad' });
    const select =
      '{m:GetCustomValueString("Mood"),w:GetCustomValueString("Weight"),cm:IsCustomValueChanged("Mood"),cw:IsCustomValueChanged("Weight")}';
    expect(await past(id, select)).toEqual([
      { m: 'calm', w: '2', cm: false, cw: false },
      { m: 'glad', w: '2', cm: true, cw: false },
      { m: 'glad', w: '3', cm: false, cw: true },
    ]);
    expect(await past(id, 'GetCustomValueString("mood")')).toEqual(['calm', 'glad', 'glad']);
  });

  it("makes one record of one person's changes within five minutes, with all that changed", async () => {
    const id = await story({ Mood: 'calm' });
    await change(id, { Mood: 'glad' }, 'grace');
    await change(id, { 'Ready now': true, Mood: null }, 'grace');
    await change(id, { Weight: 5 }, 'grace');
    const names = ['Mood', 'Ready now', 'Weight', 'Page'];
    const select = `{${names.map((name, at) => `c${at}:IsCustomValueChanged("${name}")`)}}`;
    expect(await past(id, select)).toEqual([
      { c0: false, c1: false, c2: false, c3: false },
      { c0: true, c1: true, c2: true, c3: false },
    ]);
    expect(await past(id, '{m:GetCustomValueString("Mood"),w:GetCustomValueString("Weight")}')).toEqual([
      { m: 'calm' },
      { w: '5' },
    ]);
  });

  it('keeps them when something else changes, and for many items at once', async () => {
    const id = await story({ Mood: 'calm' });
    await post(`UserStories/${id}`, { Name: 'another' }, 'grace');
    expect(await past(id, '{name,m:GetCustomValueString("Mood"),c:IsCustomValueChanged("Mood")}')).toEqual([
      { name: 's', m: 'calm', c: false },
      { name: 'another', m: 'calm', c: false },
    ]);
    const ids = await Promise.all(Array.from({ length: 25 }, () => story({ Mood: 'calm' })));
    const sent = ids.map((Id) => ({ Id, CustomFields: fields({ Mood: 'busy' }) }));
    expect((await app.post('/api/v1/UserStories/bulk?format=json', sent, { as: 'grace' })).status).toBe(200);
    for (const one of ids)
      expect(await past(one, '{m:GetCustomValueString("Mood"),c:IsCustomValueChanged("Mood")}')).toEqual([
        { m: 'calm', c: false },
        { m: 'busy', c: true },
      ]);
  });

  it('tells every type as a text', async () => {
    const other = await post('UserStories', { Name: 'pointed at', Project: { Id: elsewhere } });
    const id = await story({
      'Ready now': true,
      Day: '2026-02-03',
      Page: { Url: 'http://there.example/x', Label: 'there' },
      Other: { Id: other.Id, Kind: 'UserStory' },
    });
    const select =
      '{r:GetCustomValueString("Ready now"),d:GetCustomValueString("Day"),p:GetCustomValueString("Page"),o:GetCustomValueString("Other"),n:GetCustomValueString("No such")}';
    const values = { r: 'True', d: expect.stringContaining('2026-02-03'), p: 'http://there.example/x' };
    expect(await past(id, select)).toEqual([{ ...values, o: 'pointed at' }]);
    // What she does not see is nothing to her, in the past as today.
    expect(await past(id, select, 'alice')).toEqual([values]);
    const now = await app.ask(`/api/v2/UserStory/${id}?${new URLSearchParams({ select })}`, { as: 'alice' });
    expect(now.json.items).toEqual([values]);
  });

  it('does not tell of a change between values that the reader may not see', async () => {
    const at = (Id: number) => post('UserStories', { Name: 'pointed at', Project: { Id } });
    const [seen, secret, other] = (await Promise.all([project, elsewhere, elsewhere].map(at))).map(({ Id }) => Id);
    const pointers = (one: number | null, ...several: number[]) => ({
      Other: one && { Id: one, Kind: 'UserStory' },
      Others: several.map((id) => `${id} userstory`).join(),
    });
    const id = await story(pointers(secret, seen, secret));
    for (const values of [
      pointers(other, seen, other),
      pointers(seen, seen),
      pointers(other, other),
      pointers(null, secret),
    ]) {
      await app.rows(`update full_history set date = date - interval '1 hour' where general_id = $1`, [id]);
      await change(id, values);
    }
    const select = '{o:IsCustomValueChanged("Other"),s:IsCustomValueChanged("Others")}';
    const [not, both] = [
      { o: false, s: false },
      { o: true, s: true },
    ];
    expect(await past(id, select)).toEqual([not, both, both, both, both]);
    const one = { o: true, s: false };
    expect(await past(id, select, 'alice')).toEqual([not, not, one, both, not]);
    const where = { where: `currentUserStory.id==${id} and IsCustomValueChanged("Others")` };
    expect(await past(id, 'modification', 'alice', where)).toEqual(['Update']);
  });

  /** Moves a story from one to the next, or out of them, and shows to each reader which records tell of that. */
  async function moves(id: number, to: string, ids: (number | null)[], told: Record<string, boolean[]>): Promise<void> {
    const flag = `IsChanged${to}`;
    const inVersion2 = `isChanged${to}`;
    for (const one of ids) {
      await app.rows(`update full_history set date = date - interval '1 hour' where general_id = $1`, [id]);
      await app.rows(`update general set ${to}_id = $2 where id = $1`, [id, one]);
    }
    for (const [as, flags] of Object.entries(told)) {
      expect(await past(id, inVersion2, as)).toEqual(flags);
      const all = `/api/v1/UserStoryHistories?where=CurrentUserStory.Id eq ${id}&orderBy=Date,Id`;
      expect((await app.items(all, { as })).map((record) => record[flag])).toEqual(flags);
      const raised = all.replace('&', ` and (${flag} eq 'true')&`);
      expect(await app.items(raised, { as })).toHaveLength(flags.filter(Boolean).length);
      const sorted = await past(id, inVersion2, as, { orderBy: `${inVersion2} desc,date` });
      expect(sorted).toEqual([...flags].sort().reverse());
    }
  }
  const makes: Record<string, (project: number) => Promise<{ Id: number }>> = {
    Release: (Id) => post('Releases', { Name: 'r', Project: { Id }, StartDate: '2031-01-01' }),
    Feature: (Id) => post('Features', { Name: 'f', Project: { Id } }),
    Build: (Id) => post('Builds', { Name: 'b', Project: { Id }, BuildDate: '2031-01-01' }),
  };
  const madeIn = async (kind: string, ...projects: number[]): Promise<number[]> =>
    (await Promise.all(projects.map((one) => makes[kind]!(one)))).map(({ Id }) => Id);

  describe.each(Object.keys(makes))('where a %s changes', (kind) => {
    it('does not tell those who may see neither, in either version', async () => {
      const [first, second] = (await madeIn(kind, project, project)) as [number, number];
      const Id = await story({});
      const login = `sees.by.a.team.${kind}`;
      const User = await post('Users', { Login: login, Email: `${login}@example.com`, Password: chosenPassword });
      const Team = await post('Teams', { Name: `sees ${kind}`, TeamMembers: [{ User: { Id: User.Id } }] });
      await post('TeamAssignments', { Team: { Id: Team.Id }, Assignable: { Id } });
      const all = [false, true, true, true];
      await moves(Id, kind, [first, second, null], { admin: all, alice: all, [login]: all.map(() => false) });
    });

    it('has no record where the project has no part in either, and shows where the item is', async () => {
      const [seen, secret, other] = (await madeIn(kind, project, elsewhere, elsewhere)) as [number, number, number];
      const id = await story({});
      const ids = (as?: string) => past(id, `${kind.toLowerCase()}.id`, as);
      await moves(id, kind, [secret, other], { admin: [false], alice: [false] });
      expect([await ids(), await ids('alice')]).toEqual([[other], [null]]);
      await moves(id, kind, [seen, secret, null], { admin: [false, true, true], alice: [false, true, true] });
      expect([await ids(), await ids('alice')]).toEqual([
        [other, seen, null],
        [null, seen, null],
      ]);
    });
  });

  it.each(['Feature', 'Build'])('keeps a %s that was there before it was kept, once it changes', async (kind) => {
    const [first] = (await madeIn(kind, project)) as [number];
    const id = await story({});
    await moves(id, kind, [first], { admin: [false, true] });
    await app.rows(`update full_history set ${kind}_id = null where general_id = $1`, [id]);
    const flags = [false, true, true];
    await moves(id, kind, [null], { admin: flags, alice: flags });
    expect(await past(id, `${kind.toLowerCase()}.id`)).toEqual([null, first, null]);
  });

  it('has a record where an item leaves a release that its project has a part in', async () => {
    const [seen, secret, other] = (await madeIn('Release', project, elsewhere, elsewhere)) as [number, number, number];
    const id = await story({});
    const simple = `/api/v1/UserStorySimpleHistories?where=UserStory.Id eq ${id}&include=[Release]&orderBy=Date,Id`;
    await moves(id, 'Release', [secret, other], { admin: [false] });
    expect(await app.items(simple)).toMatchObject([{}]);
    await moves(id, 'Release', [seen, secret, null], { admin: [false, true, true] });
    expect(await app.items(simple)).toMatchObject([
      { Release: null },
      { Release: { Id: seen } },
      { Release: { Id: secret } },
    ]);
    await post('ReleaseProjects', { Release: { Id: other }, Project: { Id: project } });
    const flags = [false, true, true, true, true];
    await moves(id, 'Release', [other, secret], { admin: flags, alice: flags });
  });

  it('tells of a field that is defined no longer only where it did not point at anything', async () => {
    const id = await story({ Gone: { Id: 582, Kind: 'UserStory' } });
    const [other] = await app.items('/api/v1/Bugs?take=1&include=[Id]');
    await app.rows(`update full_history set date = date - interval '1 hour' where general_id = $1`, [id]);
    await change(id, { Gone: { Id: other.Id, Kind: 'Bug' } });
    const changed = 'IsCustomValueChanged("Gone")';
    expect(await past(id, changed)).toEqual([false, true]);
    const [field] = await app.items(`/api/v1/CustomFields?where=Name eq 'Gone'&include=[Id]`);
    expect((await app.ask(`/api/v1/CustomFields/${field.Id}`, { method: 'DELETE' })).status).toBe(200);
    for (const as of ['admin', 'alice']) expect(await past(id, changed, as)).toEqual([false, false]);
  });

  it('can be filtered and grouped by them', async () => {
    const id = await story({ Mood: 'calm' });
    await change(id, { Mood: 'Glad' }, 'grace');
    const where = (condition: string) => ({ where: `currentUserStory.id==${id} and ${condition}` });
    expect(await past(id, 'modification', 'admin', where('GetCustomValueString("Mood")=="glad"'))).toEqual(['Update']);
    expect(await past(id, 'modification', 'admin', where('not(IsCustomValueChanged("Mood"))'))).toEqual(['Add']);
  });

  it('follows a definition that is renamed, without a record of it, and keeps what was when one goes', async () => {
    const [field] = await app.items(`/api/v1/CustomFields?where=Name eq 'Passing'&include=[Id]`);
    const id = await story({ Passing: 'one' });
    await change(id, { Passing: 'two' }, 'grace');
    await change(id, { Passing: null });
    await post(`CustomFields/${field.Id}`, { Name: 'Passed' });
    const select = (name: string) => `{v:GetCustomValueString("${name}"),c:IsCustomValueChanged("${name}")}`;
    const values = [{ v: 'one', c: false }, { v: 'two', c: true }, { c: true }];
    expect(await past(id, select('Passed'))).toEqual(values);
    await change(id, { Passed: 'three' });
    expect((await app.ask(`/api/v1/CustomFields/${field.Id}`, { method: 'DELETE', as: 'admin' })).status).toBe(200);
    expect(await past(id, select('Passed'))).toEqual([values[0], values[1], { v: 'three', c: true }]);
    expect(await past(id, select('Passing'))).toEqual([{ c: false }, { c: false }, { c: false }]);
  });

  it('tells of fields that are defined no longer, but not what they pointed at', async () => {
    const values = {
      Other: { Id: 582, Kind: 'UserStory' },
      'Ready now': true,
      Page: { Url: 'http://x.example' },
      Weight: 2.5,
    };
    const id = await story(values);
    for (const name of [...Object.keys(values)]) {
      const [field] = await app.items(`/api/v1/CustomFields?where=Name eq '${name}'&include=[Id]`);
      expect((await app.ask(`/api/v1/CustomFields/${field.Id}`, { method: 'DELETE' })).status).toBe(200);
    }
    const select =
      '{o:GetCustomValueString("Other"),r:GetCustomValueString("Ready now"),p:GetCustomValueString("Page"),w:GetCustomValueString("Weight")}';
    for (const as of ['admin', 'alice'])
      expect(await past(id, select, as)).toEqual([{ r: 'True', p: 'http://x.example', w: '2.5' }]);
  });

  it.each([
    ['UserStoryHistory', 'GetCustomValueString(id)', 'takes one argument: the name of a custom field, as a text'],
    ['UserStoryHistory', 'IsCustomValueChanged("a","b")', 'takes one argument'],
    ['UserStory', 'IsCustomValueChanged("Mood")', 'is asked of full histories, such as UserStoryHistory'],
    ['EntityState', 'GetCustomValueString("Mood")', "'EntityState' has no custom fields"],
  ])('%s: %s is refused', async (entity, select, message) => {
    const { status, json } = await app.ask(`/api/v2/${entity}?${new URLSearchParams({ select })}`);
    expect([status, json.Message]).toEqual([400, expect.stringContaining(message)]);
  });
});
