/**
 * What version 2 reads without a cast: fields that only some kinds of a base type have; and other words that clients
 * write: `'a' in name`, forms of dates, the `type` of links.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Field, ResourceType } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';

// It reads every item of every kind.
vi.setConfig({ testTimeout: 120_000 });

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

// biome-ignore lint/suspicious/noExplicitAny: items have the shape that was asked for
type Item = Record<string, any> & { id: number };

const ask = async (entity: string, parameters: Record<string, string>, as = 'admin') =>
  app.ask(`/api/v2/${entity}?${new URLSearchParams(parameters)}`, { as });
const items = async (entity: string, parameters: Record<string, string>, as = 'admin'): Promise<Item[]> => {
  const { status, json, text } = await ask(entity, { take: '1000', orderBy: 'id', ...parameters }, as);
  expect(status, text.slice(0, 300)).toBe(200);
  return json.items;
};
const all = async (entity: string, fields: readonly Field[], as: string): Promise<Item[]> => {
  const select = `{${['id', ...fields.map(({ name }) => name)]}}`;
  return [...(await items(entity, { select }, as)), ...(await items(entity, { select, skip: '1000' }, as))];
};

const leaves = (type: ResourceType): ResourceType[] =>
  type.derived.length === 0 ? [type] : type.derived.flatMap(leaves);

const camel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

describe.each(['General', 'Assignable', 'GeneralUser'])('of a %s', (name) => {
  const base = model.resource(name);
  // What depends on the moment of asking is the same a moment later, or not.
  const common = base.commonKindFields.filter((field) => field.name !== 'ForecastEndDate');

  it.each(['admin', 'alice'])('%s is shown the fields of each kind as the kind shows them', async (as) => {
    expect(common.length).toBeGreaterThan(3);
    for (let at = 0; at < common.length; at += 20) {
      const fields = common.slice(at, at + 20);
      const shown = new Map((await all(name, fields, as)).map((one) => [one.id, one]));
      for (const kind of leaves(base)) {
        const own = fields.filter((field) => kind.field(field.name));
        const others = fields.filter((field) => !kind.field(field.name) && field.kind === 'collection');
        const empty = Object.fromEntries(others.map((field) => [camel(field.name), { items: [] }]));
        for (const item of await all(kind.name, own, as))
          expect([kind.name, shown.get(item.id)]).toEqual([kind.name, { ...item, ...empty }]);
      }
    }
  });
});

describe('fields of kinds', () => {
  const count = async (where: string) => (await ask('Assignable', { where, result: 'count' })).json;

  it.each([
    ["severity.name=='Normal'", "it.as<Bug>.severity.name=='Normal'"],
    ['feature!=null', 'it.as<UserStory>.feature!=null or it.as<Bug>.feature!=null'],
    ['isReplied==false', 'it.as<Request>.isReplied==false'],
    ['tasks.count()>2', 'it.as<UserStory>.tasks.count()>2'],
  ])('filter as those of the kind: %s', async (where, cast) => {
    expect(await count(where)).toBe(await count(cast));
    expect(await count(where)).toBeGreaterThan(0);
  });

  it('order and group', async () => {
    const names = await items('Assignable', {
      where: 'severity!=null',
      orderBy: 'severity.name',
      select: '{severity.name}',
    });
    expect(names).toEqual([...names].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)));
    const groups = await items('Assignable', { where: 'severity!=null', groupBy: 'severity.name', orderBy: 'name' });
    expect(groups.length).toBeGreaterThan(1);
  });

  it.each([
    ['General', '{bugs}', "'bugs' is something else for each kind of 'General' that has it; name a kind, as in it.as<"],
    ['Assignable', '{severty}', "Property 'severty' does not exist in 'Assignable'. Did you mean 'severity'?"],
    ['Bug', '{tasks}', "Property 'tasks' does not exist in 'Bug'."],
    ['GeneralUser', '{password}', "Property 'password' does not exist in 'GeneralUser'."],
  ])('of %s are refused: %s', async (entity, select, message) => {
    const { status, json } = await ask(entity, { select });
    expect([status, json.Message]).toEqual([400, expect.stringContaining(message)]);
  });
});

it.each([
  ["'SHARED' in name", "name.contains('shared')"],
  ["'shared'in Name and id>5", "name.contains('shared') and id>5"],
  ["'shared' not in name", "not(name.contains('shared'))"],
  ["'Tr' in project.name&'x'", "(project.name&'x').contains('tr')"],
])('%s is %s', async (where, same) => {
  const [found, meant] = [
    await items('UserStory', { where, select: 'id' }),
    await items('UserStory', { where: same, select: 'id' }),
  ];
  expect(found).toEqual(meant);
  expect(found.length).toBeGreaterThan(0);
});

it('somebody is in a collection', async () => {
  const found = await items('Assignable', { filter: '?Me in AssignedUser', select: 'id' }, 'alice');
  expect(found).toEqual(await items('Assignable', { where: 'assignedUser.any(it is Me)', select: 'id' }, 'alice'));
  expect(found.length).toBeGreaterThan(0);
});

describe('ToString of a date', () => {
  const [id, at] = [1, '2026-03-05 14:07:09.5'];
  beforeAll(() =>
    app.rows(
      'update general set last_comment_date = $2 where id in (select min(id) + $1 - 1 from general where entity_type_id = 4)',
      [id, at],
    ),
  );
  const text = async (form: string) => {
    const select = `lastCommentDate.Value.ToString(${JSON.stringify(form)})`;
    return ask('UserStory', { select, where: `lastCommentDate==DateTime.Parse('${at}')`, format: 'json' });
  };

  it.each([
    ['o', '2026-03-05T14:07:09.5000000'],
    ['s', '2026-03-05T14:07:09'],
    ['u', '2026-03-05 14:07:09Z'],
    ['d', '3/5/2026'],
    ['yyyy-MM', '2026-03'],
    ['dd.MM.yy HH:mm:ss', '05.03.26 14:07:09'],
    ['dddd, d MMMM yyyy', 'Thursday, 5 March 2026'],
    ["ddd 'the' d MMM h:mm tt", 'Thu the 5 Mar 2:07 PM'],
    ['H:m:s.fff', '14:7:9.500'],
    ["'\"'\\\\😀yyyy", '"\\\\😀2026'],
  ])('%s', async (form, expected) => expect((await text(form)).json.items).toEqual([expected]));

  it.each(['', 'f', 'M', 'qq', 'YYYY', "'yyyy", '"yyyy', 'mmm', 'y'.repeat(101)])('refuses %s', async (form) => {
    const { status, json } = await text(form);
    expect([status, json.Message]).toEqual([400, expect.stringContaining("takes a form such as 'yyyy-MM-dd HH:mm'")]);
  });

  it('takes the form as it is written there', async () => {
    const { json } = await ask('UserStory', { select: 'createDate.ToString(name)' });
    expect(json.Message).toContain("takes a form such as 'yyyy-MM-dd HH:mm'");
  });
});

it('the type in links of the original is ignored', async () => {
  const path = { take: '2', select: '{id}' };
  expect((await ask('UserStory', { ...path, type: 'UserStory' })).text).toBe((await ask('UserStory', path)).text);
});

it('people in lists tell what they are, and so they do in version 1', async () => {
  const select = '{assignedUser,creator}';
  const [{ assignedUser, creator }] = (await items('Bug', { where: 'assignedUser.any()', select, take: '1' })) as [
    Item,
  ];
  expect(assignedUser.items[0]).toMatchObject({ resourceType: 'GeneralUser', kind: 'User' });
  expect(creator.kind).toBe(undefined);
  const where = `(AssignedUser.Id eq ${assignedUser.items[0].id})`;
  const [bug] = await app.items(`/api/v1/Bugs?include=[AssignedUser,Owner]&take=1&where=${where}`);
  expect(bug.AssignedUser.Items[0]).toMatchObject({ ResourceType: 'GeneralUser', Kind: 'User' });
  expect(bug.Owner.Kind).toBe(undefined);
});
