/**
 * Texts are compared without regard to case and sorted by the root collation of Unicode, whatever the database makes of
 * them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../src/query/limits.js';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
const ids: number[] = [];
/** In their order. The database's own lower case of the last but one is another one. */
const texts = ['Äpfel', 'apple', 'berry', 'Zebra', 'ΟΔΟΣ', 'ягода'];

beforeAll(async () => {
  app = await TestApp.start();
  const [project] = await scrumProjects(app);
  for (const text of texts) {
    const body = {
      Name: `fruit ${text}`,
      Project: { Id: project },
      Tags: text,
      CustomFields: [
        { Name: 'Notes', Value: text },
        { Name: 'Spec', Value: { Url: `https://example.com/${text}`, Label: 'Fruit' } },
      ],
    };
    const { json } = await app.post('/api/v1/UserStories?format=json&include=[Id]', body);
    ids.push(json.Id);
  }
});
afterAll(() => app.stop());

const listed = async (where: string, orderBy = 'Id'): Promise<number[]> => {
  const query = new URLSearchParams({ where: `Name contains 'fruit ' and ${where}`, orderBy, include: '[Id]' });
  return (await app.items(`/api/v1/UserStories?${query}`)).map(({ Id }) => Id);
};

const listedByV2 = async (where: string, orderBy = 'id'): Promise<number[]> => {
  const query = new URLSearchParams({ where: `name.contains('fruit ') and ${where}`, orderBy, select: 'id' });
  return (await app.json(`/api/v2/UserStory?${query}`)).items;
};

const idOf = (text: string): number => ids[texts.indexOf(text)]!;

describe.each(texts)('%s', (text) => {
  const cases = [text, text.toUpperCase(), text.toLowerCase()].map((one) => [one] as const);
  it('has the same capitals where it is written in the request', async () => {
    const select = `{a:name.toUpper(),b:'fruit ${text}'.toUpper(),c:name.toLower(),d:'fruit ${text}'.toLower()}`;
    const query = new URLSearchParams({ select });
    const { a, b, c, d } = await app.json(`/api/v2/UserStory/${idOf(text)}?${query}`);
    expect([b, d]).toEqual([a, c]);
  });

  it.each(cases)('is found as %s', async (spelling) => {
    for (const where of [
      `Name eq 'fruit ${spelling}'`,
      `Name in ('x', 'fruit ${spelling}')`,
      `Name contains '${spelling}'`,
      `CustomFields.Notes eq '${spelling}'`,
      `CustomFields.Notes in ('${spelling}')`,
      `CustomFields.Notes contains '${spelling}'`,
      `CustomFields.Spec eq 'https://EXAMPLE.com/${spelling}'`,
      `CustomFields.Spec contains '/${spelling}'`,
      `Tags contains '${spelling}'`,
      `Tags contains '*${spelling}'`,
      `TagObjects.Name eq '${spelling}'`,
    ])
      expect([where, await listed(where)]).toEqual([where, [idOf(text)]]);
    for (const where of [
      `name=='fruit ${spelling}'`,
      `name in ['fruit ${spelling}']`,
      `name.EndsWith('${spelling}')`,
      `('fruit '+Notes)=='fruit ${spelling}'`,
      `Notes=='${spelling}'`,
      `(''+Notes) in ['${spelling}']`,
      `(''+Notes).contains('${spelling}')`,
      `name==('fruit '+'${spelling}')`,
      `name.IndexOf('${spelling}')==6`,
    ])
      expect([where, await listedByV2(where)]).toEqual([where, [idOf(text)]]);
  });
});

it.each(['Name', 'CustomFields.Notes', 'CustomFields.Spec'])('are sorted by %s', async (field) => {
  expect(await listed('Id gt 0', field)).toEqual(ids);
  expect(await listed('Id gt 0', `${field} desc`)).toEqual(ids.toReversed());
});

it.each(['name', 'Notes'])('are sorted by %s in version 2', async (field) => {
  expect(await listedByV2('id>0', field)).toEqual(ids);
});

it.each([
  ["CustomFields.Notes gt 'b'", texts.slice(2)],
  ["CustomFields.Notes lte 'BERRY'", texts.slice(0, 3)],
  ["Name lt 'fruit b'", texts.slice(0, 2)],
])('are less or greater in that order: %s', async (where, expected) => {
  expect(await listed(where)).toEqual(expected.map(idOf));
});

it('of a link its label is no part', async () => {
  expect(await listed("CustomFields.Spec contains 'Label'")).toEqual([]);
  expect(await listed("CustomFields.Spec contains 'Url'")).toEqual([]);
});

describe('every part of a text is found in it, where letters are folded by what stands beside them too', () => {
  /** A custom field and its lower case count as two long texts each. */
  const mostTests = limits.longTexts / 2;
  const names = ['ΟΔΟΣΗΜΑ', 'ΟΔΟΣ', 'ὈΔΥΣΣΕΎΣ', 'ΣΑΣ ΣΑΣ', 'Aσ.ΑΣ', 'İstanbul ΣΤΟ', 'Strasse ǅΣ%_'];

  it.each(names)('%s', async (name) => {
    const Project = { Id: (await scrumProjects(app))[0] };
    const body = { Name: name, Project, Tags: name, CustomFields: [{ Name: 'Notes', Value: name }] };
    const { Id } = (await app.post('/api/v1/UserStories?format=json', body)).json;
    const letters = [...name];
    const parts = new Set(
      letters.flatMap((_, from) => letters.slice(from).map((_, to) => letters.slice(from, from + to + 1).join(''))),
    );
    const spellings = [...parts].flatMap((part) => (part.trim() === part ? [part, part.toUpperCase()] : []));
    const fitting = spellings.filter((part) => name.toUpperCase().includes(part.toUpperCase()));
    const isFound = async (tests: readonly string[]) => {
      for (let at = 0; at < tests.length; at += mostTests) {
        const where = `(Id eq ${Id}) and ${tests.slice(at, at + mostTests).join(' and ')}`;
        expect(await app.items(`/api/v1/UserStories?include=[Id]&where=${encodeURIComponent(where)}`)).toHaveLength(1);
      }
    };
    await isFound(fitting.map((part) => `(Name contains '${part}')`));
    await isFound(fitting.slice(0, 50).map((part) => `(CustomFields.Notes contains '${part}')`));
    await isFound(fitting.slice(0, 50).map((part) => `(Tags contains '*${part}*')`));
    const select = fitting
      .slice(0, 90)
      .map((part, at) => `a${at}:name.Contains('${part}'),b${at}:name.IndexOf('${part}')>=0`)
      .join();
    const ends = letters.map((_, at) => [letters.slice(0, at + 1), letters.slice(at)].map((part) => part.join('')));
    const both = ends
      .map(([start, end], at) => `c${at}:name.StartsWith('${start}'),d${at}:name.EndsWith('${end}')`)
      .join();
    for (const asked of [select, both, both.replaceAll(/'\)/g, "'+'')")]) {
      const form = new URLSearchParams({ where: `id==${Id}`, select: `{${asked}}` }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const { json } = await app.ask('/api/v2/UserStory', { method: 'POST', body: Buffer.from(form), headers });
      expect(Object.entries(json.items[0]).filter(([, isThere]) => !isThere)).toEqual([]);
    }
    const filter = fitting.at(-1)!;
    expect(
      await app.json(`/api/v2/UserStory?${new URLSearchParams({ filter, where: `id==${Id}`, result: 'count' })}`),
    ).toBe(1);
  });
});

it('a whole text has the sigma that it is written with, and a capital one is that of its place', async () => {
  const Project = { Id: (await scrumProjects(app))[0] };
  const made: Record<string, number> = {};
  for (const Name of ['ΠΕΤΡΟΣ', 'πετρος', 'πετροσ'])
    made[Name] = (await app.post('/api/v1/UserStories?format=json', { Name, Project })).json.Id;
  const namesWhere = async (where: string) =>
    (await app.items(`/api/v1/UserStories?include=[Name]&orderBy=Id&where=${encodeURIComponent(where)}`)).map(
      ({ Name }) => Name,
    );
  for (const where of ["Name eq 'Πετρος'", "Name eq 'ΠΕΤΡΟΣ'", "Name in ('πετροΣ','x')"])
    expect([where, await namesWhere(where)]).toEqual([where, ['ΠΕΤΡΟΣ', 'πετρος']]);
  expect(await namesWhere("Name eq 'ΠΕΤΡΟσ'")).toEqual(['πετροσ']);
  expect(await namesWhere("Name contains 'πετροσ'")).toEqual(['ΠΕΤΡΟΣ', 'πετρος', 'πετροσ']);
  const groups = await app.json(
    `/api/v2/UserStory?${new URLSearchParams({ where: `id in [${Object.values(made)}]`, groupBy: 'name' })}`,
  );
  expect(groups.items.map(({ count }: { count: number }) => count).sort()).toEqual([1, 2]);
});
