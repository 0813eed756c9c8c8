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

describe('ToPlainText gives what a reader sees', () => {
  it.each([
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['I <3 you > me', 'I <3 you > me'],
    ['<a title=">">x</a>', 'x'],
    ["<p title = '>'>x</p>y", 'x y'],
    ["<p title=don't>it's</p>", "it's"],
    ['<!doctype html><?xml x?>a<!-- b > c --><!---->d', 'ad'],
    ['a<script>b</script>c<STYLE type="x">d</STYLE >e<scripts>f</scripts>', 'ace<scripts>f</scripts>'],
    ['a<svg viewBox="0 0 1 1"><path d="M0"/></svg>b', 'ab'],
    ['a<math><mrow><mi>x</mi></mrow></math>b', 'ab'],
    ['a<style><!-- p {} --></style>b<!--[if gte mso 10]><style>p {}</style><![endif]-->c<!-- d', 'abc<!-- d'],
    ['<google-sheets-html-origin><u1:p></u1:p>a <st2:place>b</st2:place>', 'a b'],
    ['<ns2:Order> is <xs:element>', '<ns2:Order> is <xs:element>'],
    [
      '<https://example.com/x> is where it fails. Use `List<T>`',
      '<https://example.com/x> is where it fails. Use `List<T>`',
    ],
    ['<!--markdown--><alice@example.com> wrote', '<alice@example.com> wrote'],
    ['<P>a <o:p>b</o:p> <st1:place w:st="on">c</st1:place><br/>d</P>', 'a b c d'],
    ['</div x>a</T> <your-token>', 'a</T> <your-token>'],
    ['&eacute;&#233;&#xE9;&Sigma;&ouml;', 'éééΣö'],
    ['a&mdash;b&hellip;&nbsp;&ldquo;c&rdquo; 5&euro; x&sup2;&frac12;', 'a—b… “c” 5€ x²½'],
    ['&#x27;&quot;&apos;&amp;lt;so&shy;ft', `'"'&lt;soft`],
    ['R&D; AT&T &unknown; &', 'R&D; AT&T &unknown; &'],
    ['a&#0;b&#x110000;c', 'a b c'],
    ['', ''],
  ])('of %s', async (description, plain) => {
    const id = await story('plain');
    await app.rows('update general set description = $1 where id = $2', [description, id]);
    expect((await asked({ where: `id==${id}`, select: 'description.toPlainText()' })).items).toEqual([plain]);
    expect((await asked({ where: `id==${id}`, select: 'name.toPlainText()' })).items).toEqual(['plain']);
  });

  it('of nothing nothing', async () => {
    const id = await story('empty');
    expect((await asked({ where: `id==${id}`, select: '{d:description.toPlainText()}' })).items).toEqual([{}]);
  });

  it('inside of itself', async () => {
    const select = "('&amp;lt;b&amp;gt;'.toPlainText()+'').toPlainText().toPlainText()+'!'";
    expect((await asked({ take: '1', select: `{t:${select}}` })).items).toEqual([{ t: '<b>!'.replace('<b>', '') }]);
  });
});

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
