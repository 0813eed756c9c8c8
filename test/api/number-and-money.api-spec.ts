/** A custom field that is a Number in one process and Money in another is a number to queries of both versions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
const names = new Map<number, string>();

async function made(collection: string, body: object): Promise<number> {
  const { status, json, text } = await app.post(`/api/v1/${collection}?format=json`, body);
  expect([status, status === 201 ? '' : text]).toEqual([201, '']);
  return json.Id;
}

beforeAll(async () => {
  app = await TestApp.start();
  const other = await made('Processes', { Name: 'Other' });
  const processes: [number, string][] = [
    [3, 'Number'],
    [other, 'Money'],
  ];
  for (const [Id, FieldType] of processes) {
    const define = (Name: string, type: string) =>
      made('CustomFields', { Name, FieldType: type, EntityType: { Id: 4 }, Process: { Id } });
    await define('Cost', FieldType);
    await define('Mixed', FieldType === 'Money' ? 'Text' : FieldType);
    const Project = { Id: await made('Projects', { Name: `Of ${FieldType}`, Process: { Id } }) };
    for (const Value of FieldType === 'Money' ? [9, 5.5] : [10, 0, null]) {
      const CustomFields = [{ Name: 'Cost', Value }];
      names.set(await made('UserStories', { Name: 'costly', Project, CustomFields }), String(Value));
    }
  }
});
afterAll(() => app.stop());

async function v1(parameters: Record<string, string>): Promise<string[]> {
  const query = new URLSearchParams({ include: '[Id]', orderBy: 'CustomFields.Cost', ...parameters });
  return (await app.items(`/api/v1/UserStories?${query}`)).map(({ Id }) => names.get(Id)!);
}

async function v2(parameters: Record<string, string>) {
  const answer = await app.ask(`/api/v2/UserStory?${new URLSearchParams({ orderBy: 'Cost', ...parameters })}`);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json;
}

describe.each([
  ['CustomFields.Cost gt 9', 'Cost>9', ['10']],
  ['CustomFields.Cost lt 9.5', 'Cost<9.5', ['0', '5.5', '9']],
  ['CustomFields.Cost eq 9.00', 'Cost==9.00', ['9']],
  ['CustomFields.Cost eq -0', 'Cost==-0', ['0']],
  ["CustomFields.Cost in ('9.0', 10)", 'Cost in [9.0,10]', ['9', '10']],
  ['CustomFields.Cost ne 9', 'Cost!=9', ['null', '0', '5.5', '10']],
  ['CustomFields.Cost is null', 'Cost is null', ['null']],
  ['CustomFields.Cost is not null', "CustomValues['Cost'] is not null", ['0', '5.5', '9', '10']],
])('%s', (where, expression, found) => {
  it('in version 1', async () => {
    expect(await v1({ where: `Name eq 'costly' and ${where}` })).toEqual(found);
  });

  it(`as ${expression} in version 2`, async () => {
    const { items } = await v2({ where: `name=='costly' and ${expression}`, select: '{id}' });
    expect(items.map(({ id }: { id: number }) => names.get(id))).toEqual(found);
  });
});

it('is reckoned with', async () => {
  const where = "name=='costly'";
  expect(await v2({ where, result: '{sum(Cost),max(Cost)}', orderBy: '' })).toEqual({ sum: 24.5, max: 10 });
});

it('a name that is a number and a text is a text', async () => {
  const answer = await app.ask(`/api/v2/UserStory?${new URLSearchParams({ where: 'Mixed>9' })}`);
  expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining("'String' and 'Int32'")]);
});
