/** Numbers as programs write them out, with all their places: they are read, shown, sent back and found. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
let project: number;
let story: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
  for (const [Name, FieldType] of [
    ['Measure', 'Number'],
    ['Price', 'Money'],
    ['Noted', 'Text'],
  ])
    await app.write('CustomFields', { Name, FieldType, EntityType: { Id: 4 }, Process: { Id: 3 } });
  story = await made({});
});
afterAll(() => app.stop());

const made = async (more: object): Promise<number> =>
  (await app.write('UserStories', { Name: 'x', Project: { Id: project }, ...more })).Id;

const send = (path: string, body: string, type = 'application/json') =>
  app.ask(path, { method: 'POST', body, headers: { 'content-type': type } });

const found = async (path: string, parameters: Record<string, string>): Promise<number[]> => {
  const answer = await app.ask(`${path}?${new URLSearchParams({ ...parameters, take: '1000' })}`);
  expect([parameters, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([parameters, 200, '']);
  return (answer.json.Items ?? answer.json.items).map((item: { Id?: number; id?: number }) => item.Id ?? item.id);
};

const ofVersion1 = (where: string) => found('/api/v1/UserStories', { where, include: '[Id]', format: 'json' });
const ofVersion2 = (where: string) => found('/api/v2/UserStory', { where, select: '{id}' });

describe.each([5.551115123125783e-17, 1e-40, 1e-100, 5e-324])('%d', (value) => {
  let id: number;
  let address: string;
  let modified: string;
  const modifyDate = async () => (await app.json(`/api/v1/UserStories/${id}?include=[ModifyDate]`)).ModifyDate;
  beforeAll(async () => {
    const CustomFields = ['Measure', 'Price'].map((Name) => ({ Name, Value: value }));
    id = await made({ NumericPriority: value, CustomFields });
    address = `/api/v1/UserStories/${id}`;
    modified = await modifyDate();
  });

  it.each(['json', 'xml'])('is shown in %s and sent back without a change', async (format) => {
    const shown = await app.ask(`${address}?format=${format}&include=[Name,NumericPriority,CustomFields]`);
    const answer = await send(address, shown.text, `application/${format}`);
    expect([answer.status, await modifyDate()]).toEqual([200, modified]);
  });

  it.each(['Measure', 'Price'])('is found as it is shown and as it was written: %s', async (name) => {
    const { text } = await app.ask(`${address}?format=json&include=[CustomFields]`);
    const [, shown] = new RegExp(`"${name}","Type":"\\w+","Value":([^},]+)`).exec(text)!;
    for (const literal of [shown!, String(value), `'${shown}'`]) {
      expect(await ofVersion1(`CustomFields.${name} eq ${literal}`)).toEqual([id]);
      expect(await ofVersion1(`CustomFields.${name} in (${literal})`)).toEqual([id]);
      expect(await ofVersion2(`${name}==${literal}`)).toEqual([id]);
    }
  });

  it('is found as it is shown and as it was written: NumericPriority', async () => {
    for (const literal of [String(value), `'${value}'`]) {
      expect(await ofVersion1(`NumericPriority eq ${literal}`)).toEqual([id]);
      expect(await ofVersion2(`numericPriority==${literal}`)).toEqual([id]);
    }
  });
});

/** The double next to 0.1, as decimal types of several languages write it. */
const tenth = '0.1000000000000000055511151231257827021181583404541015625';
const longest = `0.1${'0'.repeat(1098)}1`;

describe.each([
  ['55 places', tenth],
  ['1,100 places', longest],
])('0.1 with %s', (_places, written) => {
  const forms: [string, (name: string) => [body: string, type: string]][] = [
    ['a number', (name) => [`{"Assignable":{"Id":${story}},"Role":{"Id":1},"${name}":${written}}`, 'json']],
    ['a text', (name) => [`{"Assignable":{"Id":${story}},"Role":{"Id":1},"${name}":"${written}"}`, 'json']],
    ['XML', (name) => [`<X><Assignable Id="${story}"/><Role Id="1"/><${name}>${written}</${name}></X>`, 'xml']],
  ];
  it.each(forms)('is written as %s', async (_form, form) => {
    for (const [kind, collection, name] of [
      ['Time', 'Times', 'Spent'],
      ['Time', 'Times', 'Remain'],
      ['RoleEffort', 'RoleEfforts', 'Effort'],
    ]) {
      const [body, type] = form(name!);
      const ofKind = kind === 'Time' ? body.replace(/"Role":\{"Id":1\},|<Role Id="1"\/>/, '') : body;
      const text = ofKind.replace('<X>', `<${kind}>`).replace('</X>', `</${kind}>`);
      const answer = await send(`/api/v1/${collection}?format=json&include=[${name}]`, text, `application/${type}`);
      expect([answer.status, answer.json[name!]]).toEqual([expect.toBeOneOf([200, 201]), 0.1]);
    }
    const [body, type] = form('NumericPriority');
    const text = body.replace(/X>/g, 'UserStory>');
    const path = `/api/v1/UserStories/${story}?format=json&include=[NumericPriority]`;
    const bare = text.replace(/"Assignable.*"Role":\{"Id":1\},|<Assignable.*<Role Id="1"\/>/, '');
    expect((await send(path, bare, `application/${type}`)).json.NumericPriority).toBe(0.1);
  });

  it('is the value of a custom field', async () => {
    for (const [value, type] of [
      [`{"CustomFields":[{"Name":"Measure","Value":${written}}]}`, 'json'],
      [`{"CustomFields":[{"Name":"Measure","Value":"${written}"}]}`, 'json'],
      [
        `<UserStory><CustomFields><Field><Name>Measure</Name><Value>${written}</Value></Field></CustomFields></UserStory>`,
        'xml',
      ],
    ]) {
      const path = `/api/v1/UserStories/${await made({})}?format=json&include=[CustomFields]`;
      const answer = await send(path, value!, `application/${type}`);
      const field = answer.json.CustomFields?.find(({ Name }: { Name: string }) => Name === 'Measure');
      expect([answer.status, field?.Value]).toEqual([200, 0.1]);
    }
  });

  it('is a value of filters', async () => {
    const id = await made({ NumericPriority: 0.1, CustomFields: [{ Name: 'Measure', Value: 0.2 }] });
    for (const literal of [written, `'${written}'`]) {
      expect(await ofVersion1(`(NumericPriority eq ${literal}) and (Id eq ${id})`)).toEqual([id]);
      expect(await ofVersion1(`(CustomFields.Measure gt ${literal}) and (Id eq ${id})`)).toEqual([id]);
      expect(await ofVersion1(`(Effort lt ${literal}) and (Id eq ${id})`)).toEqual([id]);
      expect(await ofVersion2(`numericPriority==${literal} and id==${id}`)).toEqual([id]);
      expect(await ofVersion2(`Measure>${literal} and effort<${literal} and id==${id}`)).toEqual([id]);
    }
  });

  it('is converted', async () => {
    const id = await made({ CustomFields: [{ Name: 'Noted', Value: ` ${written} ` }] });
    for (const test of [
      'SafeConvert.ToDecimal(CustomValues.Text("Noted"))>0.1',
      'SafeConvert.ToDouble(CustomValues.Text("Noted"))==0.1',
      `Convert.ToDecimal("${written}")>0.1`,
      `Convert.ToDouble("${written}")==0.1`,
    ])
      expect(await ofVersion2(`${test} and id==${id}`)).toEqual([id]);
  });
});

describe('what is beyond numbers', () => {
  const withPlaces = (count: number) => `0.${'1'.padStart(count, '0')}`;
  const zeros = (count: number) => `0.${'0'.repeat(count)}`;

  it.each([
    ['1e-400', '1e-400', 0],
    ['-1e-400', '-1e-400', 0],
    ['-0', '-0', 0],
    ['-0.0', '-0.0', 0],
    ['zero with 1,100 places', zeros(1100), 0],
    ['1e400', '1e400', undefined],
    ['1e1000', '1e1000', undefined],
    ['zero with 1,101 places', zeros(1101), undefined],
    ['a number with 1,200 places', withPlaces(1200), undefined],
  ])('is zero or refused: %s', async (_name, written, stored) => {
    const id = await made({ NumericPriority: 0, CustomFields: [{ Name: 'Measure', Value: 0 }] });
    for (const value of [written, `"${written}"`]) {
      const bodies = [`{"NumericPriority":${value}}`, `{"CustomFields":[{"Name":"Measure","Value":${value}}]}`];
      for (const body of [...bodies, `{"Assignable":{"Id":${id}},"Spent":1,"Remain":${value}}`]) {
        const path = body.includes('Remain') ? '/api/v1/Times' : `/api/v1/UserStories/${id}`;
        const { status } = await send(`${path}?format=json`, body);
        expect([body, status < 300]).toEqual([body, stored !== undefined]);
      }
    }
    for (const value of [written, `'${written}'`]) {
      const version1 = ['NumericPriority', 'CustomFields.Measure', 'Effort'].map((name) => `${name} eq ${value}`);
      const version2 = ['numericPriority', 'Measure', 'effort'].map((name) => `${name}==${value}`);
      for (const [path, where] of [
        ...version1.map((where) => ['/api/v1/UserStories', where]),
        ...version2.map((where) => ['/api/v2/UserStory', where]),
        ['/api/v2/UserStory', `Convert.ToDouble(${value.startsWith("'") ? value : `'${value}'`})==0`],
      ]) {
        const { status } = await app.ask(`${path}?${new URLSearchParams({ where: where! })}`);
        expect([where, status]).toEqual([where, stored === undefined ? 400 : 200]);
      }
    }
    const [row] = await app.rows("select custom_values ->> 'Measure' as measure from general where id = $1", [id]);
    expect(row).toEqual({ measure: '0' });
  });

  it.each([
    ['1e-400', '1e-400', { a: 0, b: 0 }],
    ['1e-999', '1e-999', { a: 0, b: 0 }],
    ['-0', '-0', { a: 0, b: 0, c: 0 }],
    ['1e299', '1e299', { a: 1e299, b: 1e299 }],
    ['1e400', '1e400', {}],
    ['-1e999', '-1e999', {}],
    ['a number with 1,100 places', withPlaces(1100), { a: 0, b: 0 }],
    ['a number with 1,101 places', withPlaces(1101), {}],
    ['a number with 3,900 places', withPlaces(3900), {}],
  ])('is converted or nothing: %s', async (_name, text, converted) => {
    const id = await made({ CustomFields: [{ Name: 'Noted', Value: text }] });
    const noted = 'CustomValues.Text("Noted")';
    const select = `{a:SafeConvert.ToDecimal(${noted}),b:SafeConvert.ToDouble(${noted}),c:SafeConvert.ToInt(${noted})}`;
    const answer = await app.ask(`/api/v2/UserStory?${new URLSearchParams({ where: `id==${id}`, select })}`);
    expect([answer.status, answer.json.items]).toEqual([200, [converted]]);
  });

  it.each([
    ['ToDouble("1e305")', 1e305],
    ['ToDouble("-1e308")', -1e308],
    ['ToDecimal("1e300")', 1e300],
    ['ToDouble("1e-310")', 1e-310],
    ['ToDouble("1e400")', undefined],
    ['ToDecimal("1e309")', undefined],
    ['ToDouble("\u00a01.5")', 1.5],
    ['ToDecimal("\t1.5\u2003")', 1.5],
    [`ToInt32("${'0'.repeat(40)}7")`, 7],
    ['ToInt64("\u00a0+7")', 7],
    ['ToInt32("2147483648")', undefined],
    ['ToBoolean("\ttrue")', true],
    ['ToBoolean("maybe")', undefined],
  ])('is by Convert what it is as a literal, or refused: %s', async (conversion, expected) => {
    const shown = async (expression: string) => {
      const query = new URLSearchParams({ where: `id==${story}`, select: `{x:${expression}}` });
      const { status, json } = await app.ask(`/api/v2/UserStory?${query}`);
      return [status, json.items?.[0].x];
    };
    expect(await shown(`Convert.${conversion}`)).toEqual([expected === undefined ? 400 : 200, expected]);
    expect(await shown(`SafeConvert.${conversion}`)).toEqual([200, expected]);
    if (typeof expected === 'number') expect(await shown(`-Convert.${conversion}`)).toEqual([200, -expected]);
  });

  it('is reckoned with, as small or as great as it may be', async () => {
    const id = await made({ Name: `${withPlaces(240)}e-999` });
    const small = 'SafeConvert.ToDecimal(name)';
    for (const great of [Array(29).fill(`(1/${small})`).join('*'), `1${`/${small}`.repeat(29)}`])
      expect(await ofVersion2(`id==${id} and ${great}>1`)).toEqual([id]);
  });

  it('is nothing in a description, however long', async () => {
    const id = await made({ Description: `0.${'1'.repeat(200_000)}` });
    const select = '{a:SafeConvert.ToDecimal(description),b:SafeConvert.ToDouble(description)}';
    const answer = await app.ask(`/api/v2/UserStory?${new URLSearchParams({ where: `id==${id}`, select })}`);
    expect([answer.status, answer.json.items]).toEqual([200, [{}]]);
  });

  it.each([
    ['too many places', withPlaces(1101), 'Spent: a number with at most 1100 decimal places is needed.'],
    ['too many digits', '123456789012345', 'Spent: a number with at most 14 digits before the point is needed.'],
    ['no number', '1.5.2', 'Spent: a number is needed.'],
  ])('is refused with what is wrong: %s', async (_name, Spent, message) => {
    const answer = await app.post('/api/v1/Times?format=json', { Assignable: { Id: story }, Spent });
    expect([answer.status, answer.json.Message]).toEqual([400, message]);
  });
});
