/**
 * Values of custom fields that no definition of today has written: options were spelled otherwise, or items came from a
 * process where the field has another type. What is shown is what is found, and tells of nothing that is hidden.
 */
import 'reflect-metadata';
import type { QueryRunner } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ValuesOfItems1700000000130,
  ValuesOfPeople1700000000132,
  ValuesOfTimes1700000000131,
} from '../../src/database/migrations/values-of-their-type.js';
import { TestApp } from '../support/app.js';

let app: TestApp;
/** Processes, and a project of each. */
const ids = { here: 0, there: 0, inHere: 0, inThere: 0 };
let bug: number;

const made = async (collection: string, body: object): Promise<number> => {
  const answer = await app.post(`/api/v1/${collection}?format=json`, body);
  expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, '']);
  return answer.json.Id;
};
const change = async (path: string, body: object): Promise<void> => {
  const { status, text } = await app.post(`/api/v1/${path}?format=json`, body);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
};
const define = (process: number, Name: string, FieldType: string, Value?: string): Promise<number> =>
  made('CustomFields', { Name, FieldType, EntityType: { Id: 4 }, Process: { Id: process }, ...(Value && { Value }) });

beforeAll(async () => {
  app = await TestApp.start();
  ids.here = await made('Processes', { Name: 'Here' });
  ids.there = await made('Processes', { Name: 'There' });
  ids.inHere = await made('Projects', { Name: 'in here', Process: { Id: ids.here } });
  ids.inThere = await made('Projects', { Name: 'in there', Process: { Id: ids.there } });
  const Project = { Id: await made('Projects', { Name: 'hidden from alice' }) };
  bug = await made('Bugs', { Name: 'hidden', Project });
});
afterAll(() => app.stop());

/** Older versions left values of other types. */
async function migrateValues(): Promise<void> {
  const runner = { query: (text: string, values?: unknown[]) => app.rows(text, values) } as unknown as QueryRunner;
  for (const Values of [ValuesOfItems1700000000130, ValuesOfTimes1700000000131, ValuesOfPeople1700000000132])
    await new Values().up(runner);
}

async function matching(parameters: Record<string, string>, version: 1 | 2 = 1, as = 'admin'): Promise<number[]> {
  const path = version === 1 ? '/api/v1/UserStories?format=json&include=[Id]&' : '/api/v2/UserStory?select={id}&';
  const { status, text, json } = await app.ask(path + new URLSearchParams(parameters), { as });
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return (version === 1 ? json.Items : json.items).map((item: { Id?: number; id?: number }) => item.Id ?? item.id);
}

const shownOf = async (id: number, name: string): Promise<unknown> => {
  const { CustomFields } = await app.json(`/api/v1/UserStories/${id}?include=[CustomFields]`);
  return CustomFields.find((field: { Name: string }) => field.Name === name).Value;
};

it.each([
  ['DropDown', 'a\nb', 'b'],
  ['MultipleSelectionList', 'a\nb', 'a,b'],
])('what is left of an option of a %s is sent back as it was read', async (type, options, value) => {
  const field = await define(ids.here, `Gone ${type}`, type, options);
  const story = await made('UserStories', { Name: 'x', Project: { Id: ids.inHere }, [`Gone ${type}`]: value });
  await change(`CustomFields/${field}`, { Value: 'a' });
  const { Name, CustomFields } = await app.json(`/api/v1/UserStories/${story}?include=[Name,CustomFields]`);
  await change(`UserStories/${story}`, { Name, CustomFields });
  expect(await shownOf(story, `Gone ${type}`)).toBe(value);
});

it('an option that is stored in another case becomes itself by being written', async () => {
  await define(ids.here, 'Healed', 'DropDown', 'One\ntwo');
  const story = await made('UserStories', { Name: 'x', Project: { Id: ids.inHere }, Healed: 'two' });
  await app.rows(`update general set custom_values = '{"Healed": "oNE"}' where id = $1`, [story]);
  await change(`UserStories/${story}`, { CustomFields: [{ Name: 'Healed', Value: 'oNE' }] });
  expect(await shownOf(story, 'Healed')).toBe('One');
});

describe('an option is found by its name in any spelling', () => {
  /** What is equal is in a list of it, holds it, and does not differ. */
  async function isFound(field: string, story: number, words: readonly string[]): Promise<void> {
    for (const word of words) {
      const ofField = `CustomFields.${field}`;
      for (const where of [
        `${ofField} eq '${word}'`,
        `${ofField} in ('${word}')`,
        `${ofField} contains '${word}'`,
        `not (${ofField} ne '${word}')`,
      ])
        expect([where, await matching({ where: `(Id eq ${story}) and (${where})` })]).toEqual([where, [story]]);
      expect(await matching({ where: `(Id eq ${story}) and (${ofField} ne '${word}')` })).toEqual([]);
      for (const where of [`${field}=='${word}'`, `${field} in ['${word}']`, `not(${field}!='${word}')`])
        expect([where, await matching({ where: `id==${story} and ${where}` }, 2)]).toEqual([where, [story]]);
    }
  }
  const words = ['high', 'High', 'HIGH'];

  it('when it is respelled, or was not there for a while', async () => {
    const definition = await define(ids.here, 'Danger', 'DropDown', 'high\nlow');
    const story = await made('UserStories', {
      Name: 'dangerous',
      Project: { Id: ids.inHere },
      CustomFields: [{ Name: 'Danger', Value: 'high' }],
    });
    await isFound('Danger', story, words);
    await change(`CustomFields/${definition}`, { Value: 'High\nlow' });
    await isFound('Danger', story, words);
    expect(await shownOf(story, 'Danger')).toBe('High');
    await change(`CustomFields/${definition}`, { Value: 'low' });
    await isFound('Danger', story, words);
    expect(await shownOf(story, 'Danger')).toBe('High');
    await change(`CustomFields/${definition}`, { Value: 'low\nHIGH' });
    await isFound('Danger', story, words);
    expect(await shownOf(story, 'Danger')).toBe('HIGH');
  });

  it('when it came from a process that spells it otherwise, whose definition has gone', async () => {
    const gone = await define(ids.here, 'Hazard', 'DropDown', 'high\nlow');
    await define(ids.there, 'Hazard', 'DropDown', 'High\nlow');
    const story = await made('UserStories', {
      Name: 'moving',
      Project: { Id: ids.inHere },
      CustomFields: [{ Name: 'Hazard', Value: 'high' }],
    });
    await change(`UserStories/${story}`, { Project: { Id: ids.inThere } });
    await isFound('Hazard', story, words);
    expect((await app.ask(`/api/v1/CustomFields/${gone}`, { method: 'DELETE' })).status).toBe(200);
    await isFound('Hazard', story, words);
    expect(await shownOf(story, 'Hazard')).toBe('High');
  });

  it('with options that differ in letter case alone, each is itself', async () => {
    const definition = await define(ids.here, 'Twins', 'DropDown', 'one\ntwo');
    const twins = await Promise.all(
      ['one', 'two'].map((Value) =>
        made('UserStories', { Name: Value, Project: { Id: ids.inHere }, CustomFields: [{ Name: 'Twins', Value }] }),
      ),
    );
    await app.rows(`update general set custom_values = custom_values || '{"Twins":"Two"}' where id = $1`, [twins[0]]);
    await app.rows(`update custom_field set value = 'two' || chr(10) || 'Two' where id = $1`, [definition]);
    await change(`CustomFields/${definition}`, { Name: 'Twin' });
    expect(await Promise.all(twins.map((id) => shownOf(id, 'Twin')))).toEqual(['Two', 'two']);
  });
});

it('a selection is found by its choices, in whatever order they were sent and are asked for', async () => {
  await define(ids.here, 'Colours', 'MultipleSelectionList', 'red\nblue\nPale, green');
  const texts = ['blue,red', 'red,blue', 'red', 'Pale, green,red', 'red,blue,Pale, green', ''];
  const stories: number[] = [];
  for (const Value of texts)
    stories.push(
      await made('UserStories', {
        Name: 'coloured',
        Project: { Id: ids.inHere },
        CustomFields: [{ Name: 'Colours', Value }],
      }),
    );
  const asked: [string, number[]][] = [
    ['red,blue', [0, 1]],
    ['Blue,RED', [0, 1]],
    ['red', [2]],
    ['red,Pale, green', [3]],
    ['pale, green,blue,red', [4]],
    ['green', []],
  ];
  for (const [word, at] of asked) {
    const expected = at.map((one) => stories[one]);
    const others = stories.filter((id) => !expected.includes(id));
    const of = "Name eq 'coloured'";
    const v1 = (where: string) => matching({ where: `(${of}) and (CustomFields.Colours ${where})`, orderBy: 'Id' });
    expect([word, await v1(`eq '${word}'`)]).toEqual([word, expected]);
    expect([word, await v1(`in ('${word}','blue,blue')`)]).toEqual([word, expected]);
    expect([word, await v1(`ne '${word}'`)]).toEqual([word, others]);
    const v2 = (where: string) => matching({ where: `name=='coloured' and ${where}`, orderBy: 'id' }, 2);
    expect([word, await v2(`Colours=='${word}'`)]).toEqual([word, expected]);
    expect([word, await v2(`not(Colours in ['${word}'])`)]).toEqual([word, others]);
  }
});

describe('what a field of another type has left', () => {
  const left = (point: number) => ({
    One: { Id: point, Kind: 'Bug' },
    Several: `${point} bug`,
    Link: { Url: 'https://left.example', Label: 'x' },
    Count: 'words',
    Flag: 7,
    Plain: 12.5,
    Sure: true,
    Day: 'never',
    Nowhere: 'words',
    stays: `${point} bug`,
    Chosen: 'ONE',
  });
  const types = {
    One: ['Entity', 'Text'],
    Several: ['MultipleEntities', 'RichText'],
    Link: ['URL', 'Text'],
    Count: ['Text', 'Number'],
    Flag: ['Number', 'CheckBox'],
    Plain: ['Number', 'Text'],
    Sure: ['CheckBox', 'TemplatedURL'],
    Day: ['Text', 'Date'],
    Nowhere: ['Text'],
    Stays: ['Text', 'Text'],
    Chosen: ['DropDown', 'DropDown'],
  };
  let story: number;

  beforeAll(async () => {
    for (const [name, [here, there]] of Object.entries(types)) {
      const options = here === 'DropDown' ? 'One\ntwo' : undefined;
      await define(ids.here, name, here!, options);
      if (there) await define(ids.there, name, there, options);
    }
    story = await made('UserStories', { Name: 'left over', Project: { Id: ids.inThere } });
    await app.rows('update general set custom_values = $2 where id = $1', [story, JSON.stringify(left(bug))]);
    await migrateValues();
    const [{ Id }] = await app.items("/api/v1/Users?where=Login eq 'alice'");
    await made('ProjectMembers', { Project: { Id: ids.inThere }, User: { Id } });
  });

  const names = Object.keys(types).filter((name) => name !== 'Nowhere');

  /** All that can be read of it, in every format. */
  async function read(as: string): Promise<string> {
    const paths = [
      ...['json', 'xml'].map((format) => `/api/v1/UserStories/${story}?include=[CustomFields]&format=${format}`),
      ...['csv', 'ndjson'].map(
        (style) => `/api/v1/UserStories?include=[CustomFields]&where=Id eq ${story}&format=${style}`,
      ),
      `/api/v2/UserStory/${story}?select={id,customvalues,${names.join()}}`,
      `/api/v2/UserStory/${story}?select={${names.map((one) => `${one}:CustomValues.Get('${one}')`).join()}}`,
      `/api/v2/UserStory/${story}?select={${names.map((one) => `${one}:CustomValues.Text('${one}')`).join()}}`,
    ];
    const texts = await Promise.all(
      paths.map(async (path) => {
        const { status, text } = await app.ask(path, { as });
        expect([path, status]).toEqual([path, 200]);
        return text;
      }),
    );
    return texts.join('\n').replaceAll(String(story), 'ID').replaceAll(`${bug} bug`, 'TYPED');
  }

  async function isAsFound(): Promise<void> {
    const shown = await Promise.all(names.map((name) => shownOf(story, name)));
    expect(Object.fromEntries(names.map((name, at) => [name, shown[at]]))).toEqual({
      One: null,
      Several: null,
      Link: 'https://left.example',
      Count: null,
      Flag: null,
      Plain: '12.5',
      Sure: 'true',
      Day: null,
      Stays: `${bug} bug`,
      Chosen: 'One',
    });
  }

  it('is shown as text where it is one, and tells nobody of what he may not see', async () => {
    expect(await read('alice')).not.toContain(String(bug));
    await isAsFound();
    for (const name of ['One', 'Several']) {
      expect(await matching({ where: `(Id eq ${story}) and (CustomFields.${name} is null)` }, 1, 'alice')).toEqual([
        story,
      ]);
      expect(
        await matching({ where: `(Id eq ${story}) and (CustomFields.${name} contains '${bug}')` }, 1, 'alice'),
      ).toEqual([]);
    }
  });

  it('is in the record of changes where it went', async () => {
    const [{ changes }] = await app.rows(
      'select changes from change_record where entity_id = $1 order by id desc limit 1',
      [story],
    );
    expect(changes.custom_values).toEqual([
      left(bug),
      { Link: 'https://left.example', Plain: '12.5', Sure: 'true', Stays: `${bug} bug`, Chosen: 'One' },
    ]);
  });

  it('is no pointer where a text was typed', async () => {
    await change(`UserStories/${story}`, { CustomFields: [{ Name: 'Several', Value: `${bug} bug` }] });
    for (const as of ['admin', 'alice']) {
      const { CustomFields } = await app.json(`/api/v1/UserStories/${story}?include=[CustomFields]`, { as });
      expect(CustomFields.find(({ Name }: { Name: string }) => Name === 'Several').Value).toBe(`${bug} bug`);
      const where = `(Id eq ${story}) and (CustomFields.Several contains 'bug')`;
      expect(await matching({ where }, 1, as)).toEqual([story]);
      expect(await matching({ where: `id==${story} and Several=='${bug} bug'` }, 2, as)).toEqual([story]);
    }
    await change(`UserStories/${story}`, { CustomFields: [{ Name: 'Several', Value: null }] });
  });

  it('costs no look-up in each of many processes', async () => {
    await define(ids.here, 'Wide', 'Entity');
    for (let n = 1; n <= 12; n += 1) await define(await made('Processes', { Name: `wide ${n}` }), 'Wide', 'Text');
    const { status } = await app.ask(`/api/v1/UserStories/${story}?format=json`, { as: 'alice' });
    expect(status).toBe(200);
  });

  it('is found where it is shown', async () => {
    for (const name of names) {
      if ((await shownOf(story, name)) === null) continue;
      const where = `CustomFields.${name} is not null`;
      expect([where, await matching({ where: `(Id eq ${story}) and (${where})` })]).toEqual([where, [story]]);
      expect([name, await matching({ where: `id==${story} and ${name} is not null` }, 2)]).toEqual([name, [story]]);
    }
  });
});
