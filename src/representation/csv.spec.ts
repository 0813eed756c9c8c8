/** Tables of items: quotes, formulas, numbers as they are spelled, custom fields and collections. */
import { expect, it } from 'vitest';
import { type Column, csvOfItems, csvRows, type ItemTexts } from './csv.js';

const value = (...path: string[]): Column => ({ kind: 'value', path });
const custom: Column = { kind: 'custom', path: ['CustomFields'], name: 'Risk' };
const items: Column = { kind: 'items', path: ['Tasks'] };
const kept = (texts: string[]): ItemTexts => ({ views: () => texts, drain: () => texts });
const field = (Value: unknown) => ({ CustomFields: [{ Name: 'Cost' }, { Name: 'Risk', Value }] });

it.each<[string, Column, string, string]>([
  ['text', value('Name'), '{"Name":"a, \\"b\\"\\r\\nc"}', '"a, ""b""\r\nc"'],
  ['empty text', value('Name'), '{"Name":""}', '""'],
  ['null', value('Name'), '{"Name":null}', ''],
  ['missing', value('Name'), '{}', ''],
  ['decimal', value('Effort'), '{"Effort":-3.0000}', '-3.0000'],
  ['long number', value('Effort'), '{"Effort":12345678901234.1234}', '12345678901234.1234'],
  ['flag', value('IsNow'), '{"IsNow":true}', 'true'],
  ['text that begins with a blank', value('Name'), '{"Name":" a = 1"}', '" a = 1"'],
  ['number within a text', value('Name'), '{"Name":"1.0 \\"2\\""}', '"1.0 ""2"""'],
  ['nested', value('Project', 'Name'), '{"Project":{"Id":1,"Name":"x"}}', '"x"'],
  ['nested in null', value('Project', 'Name'), '{"Project":null}', ''],
  ['inherited member', value('constructor', 'name'), '{}', ''],
  ['custom field', custom, JSON.stringify(field('High')), '"High"'],
  ['custom number', custom, JSON.stringify(field(5)), '5'],
  ['custom address', custom, JSON.stringify(field({ Url: 'http://x', Label: 'y' })), '"http://x"'],
  ['custom entity', custom, JSON.stringify(field({ Id: 7, Kind: 'Bug', Name: 'y' })), '7'],
  ['custom field that is not there', custom, '{"CustomFields":[]}', ''],
  [
    'collection',
    items,
    '{"Tasks":{"Items":[{"ResourceType":"Task","Id":1,"Name":"a"},{"Id":2,"Name":"b"}]}}',
    '"1 a\n2 b"',
  ],
  ['cut collection', items, '{"Tasks":{"Next":"x","Items":[{"Id":1}]}}', '"1\n…"'],
  ['empty collection', items, '{"Tasks":{"Items":[]}}', '""'],
  ...[
    ...[
      '=1+1',
      '+1',
      '-1',
      '@a',
      '\t=1',
      '\r=1',
      '\n=1',
      '\tx',
      '＝1',
      '＋1',
      '－1',
      '＠a',
      '﹦1',
      '﹢1',
      '﹣1',
      '﹫a',
    ],
    ...[' =1', '\u00a0=1', '\ufeff=1', ' \u3000\u200b＝1', '\u2800@a', '\u0000=1', '\v-1', '\u00ad+1', '\u2028=1'],
  ].map((text): [string, Column, string, string] => [
    `formula ${JSON.stringify(text)}`,
    value('Name'),
    JSON.stringify({ Name: text }),
    `"'${text}"`,
  ]),
])('%s', (_, column, line, cell) => expect([...csvRows([column], [line])][1]).toBe(`${cell}\r\n`));

it('has a header of paths, in which there are no formulas either', () =>
  expect([
    ...csvRows([value('Project', 'Name'), { ...custom, name: '=1' }, { ...custom, path: [], name: '=1' }], []),
  ]).toEqual([`"Project.Name","CustomFields.=1","'=1"\r\n`]));

it('takes several items of one text', () =>
  expect([...csvRows([value('Id')], ['{"Id":1},{"Id":2}', '{"Id":3}'])]).toEqual([
    '"Id"\r\n',
    '1\r\n',
    '2\r\n',
    '3\r\n',
  ]));

it('tells a list of one text that begins with a digit from a number', () =>
  expect([...csvOfItems(kept(['{"t":["-1+1,=x\\r\\n\\"y"],"n":-1.50,"items":["2"]}']))].join('')).toBe(
    '"t","n","items"\r\n"\'-1+1,=x\r\n""y",-1.50,"2"\r\n',
  ));

it('has a step for each item, so that a long table can be made bit by bit', () => {
  const texts = Array.from({ length: 100 }, (_, id) => `{"id":${id}}`);
  expect([...csvRows([value('id')], texts)]).toHaveLength(101);
  expect([...csvOfItems(kept(texts))]).toHaveLength(201);
});

it('has the columns that any of the items has', () =>
  expect(
    [...csvOfItems(kept(['{"a":{"b":1}},{"a":{"items":[]},"__proto__":{"x":true}}', '{"z":null}']))].join(''),
  ).toBe('"a.b","a.items","__proto__.x"\r\n1,,\r\n,"",true\r\n,,\r\n'));

it('makes a long cell in pieces, and sees a formula behind blank ones', () => {
  const numbers = Array.from({ length: 5000 }, (_, at) => at);
  const steps = [...csvOfItems(kept([JSON.stringify({ t: [' ', '', '=1', ...numbers] })]))];
  expect(steps.length).toBeGreaterThan(5);
  expect(steps.join('')).toBe(`"t"\r\n"' \n\n=1\n${numbers.join('\n')}"\r\n`);
  expect([...csvRows([value('t')], ['{"t":[" ",[]]}'])].join('')).toBe('"t"\r\n" \n"\r\n');
});

it.each([
  ['quotes', '"', '""', ''],
  ['blanks before a formula', ' ', ' ', '=1'],
  ['four bytes a character', '😀', '😀', ''],
])('makes a cell of one long text in pieces: %s', (_, unit, spelled, end) => {
  const text = unit.repeat(200_000) + end;
  const cell = `"${end === '' ? '' : "'"}${spelled.repeat(200_000)}${end}"`;
  const steps = [...csvOfItems(kept([JSON.stringify({ t: text, u: [text, 1] })]))];
  expect(Math.max(...steps.slice(0, -2).map(({ length }) => length))).toBeLessThan(end === '' ? 300_000 : 600_000);
  expect(steps.join('') === `"t","u"\r\n${cell},${cell.slice(0, -1)}\n1"\r\n`).toBe(true);
});
