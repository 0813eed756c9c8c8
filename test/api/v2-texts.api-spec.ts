/** Custom fields of version 2 by their names, choices in any order, and what a reader sees of rich text. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  const define = (Name: string, FieldType: string, Value?: string) =>
    made('CustomFields', { Name, FieldType, EntityType: { Id: 4 }, Process: { Id: 3 }, Value });
  await define('Devices', 'MultipleSelectionList', 'Web\niOS\nAndroid');
  for (const name of ['%', 'Go-live', 'Café é']) await define(name, 'Text');
  project = (await made('Projects', { Name: 'Texts', Process: { Id: 3 } })).Id;
});
afterAll(() => app.stop());

async function made(collection: string, body: object) {
  const { status, json, text } = await app.post(`/api/v1/${collection}?format=json`, body);
  expect([status, status === 201 ? '' : text]).toEqual([201, '']);
  return json;
}

const story = async (Name: string, values: Record<string, string> = {}): Promise<number> => {
  const CustomFields = Object.entries(values).map(([Name, Value]) => ({ Name, Value }));
  return (await made('UserStories', { Name, Project: { Id: project }, CustomFields })).Id;
};

async function asked(parameters: Record<string, string>) {
  const answer = await app.ask(`/api/v2/UserStory?${new URLSearchParams({ orderBy: 'id', ...parameters })}`);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json;
}

describe('a custom field is named in a text as it is defined, in any letter case', () => {
  const where = "name=='named'";
  beforeAll(() => story('named', { '%': 'secret', 'Go-live': 'soon', 'Café é': 'cup' }));

  it.each([
    ["CustomValues['%']", 'secret'],
    ["CustomValues['go-LIVE']", 'soon'],
    ["CustomValues.Get('Go-live').value", 'soon'],
    ["CustomValues.Text('CAFÉ É')", 'cup'],
    ["GetCustomValueString('%')", 'secret'],
    ['GoLive', 'soon'],
    ['CustomValues.golive', 'soon'],
    ['Caféé', 'cup'],
    ["CustomValues['???']", undefined],
    ["CustomValues['Go/live']", undefined],
    ["CustomValues['Go-live?!']", undefined],
    ["CustomValues['']", undefined],
    ["CustomValues.Get('???')", undefined],
    ["CustomValues.Text('!')", undefined],
    ["GetCustomValueString('??')", undefined],
  ])('%s', async (expression, value) => {
    expect((await asked({ where, select: `{v:${expression}}` })).items).toEqual([
      value === undefined ? {} : { v: value },
    ]);
  });
});

describe('the same choices in any order are one value', () => {
  const where = "name=='chosen'";
  beforeAll(async () => {
    for (const Devices of ['Web,iOS', 'iOS,Web', 'Android', 'iOS']) await story('chosen', { Devices });
    await story('chosen');
  });

  it('to `=`, `groupBy` and `Distinct`', async () => {
    expect(await asked({ where: `${where} and Devices=='iOS,Web'`, result: 'count' })).toBe(2);
    expect((await asked({ where, groupBy: 'Devices', result: '{count}', orderBy: 'Devices' })).items).toEqual([
      { count: 1 },
      { devices: 'Android', count: 1 },
      { devices: 'iOS', count: 1 },
      { devices: 'iOS,Web', count: 2 },
    ]);
    expect(await asked({ where, result: 'select(Devices).distinct().count()' })).toBe(4);
    const { items } = await app.json(
      `/api/v2/Project/${project}?${new URLSearchParams({
        select: `{v:userStories.where(${where}).orderBy(id).select(Devices).distinct(),n:userStories.where(${where}).select(Devices).distinct().skip(1).count()}`,
      })}`,
    );
    expect(items).toEqual([{ v: ['iOS,Web', 'Android', 'iOS', null], n: 3 }]);
  });
});
