import { describe, expect, it } from 'vitest';
import type { CustomFieldType } from '../query/plan.js';
import { customFieldsOf } from './custom-fields.js';
import { customValue } from './custom-value.js';
import { parseJson } from './parse-json.js';
import { parseXml } from './parse-xml.js';
import type { Body, PayloadValue } from './payload.js';

const names = { entity: 'UserStory', collection: 'UserStories' };
const kinds = ['UserStory', 'Bug', 'Release', 'Requester', 'User'];
const options = ['High', 'Medium', 'Low', 'low', 'Red, dark', 'Red', '2026'];

const read = (value: PayloadValue, type: CustomFieldType, timeZone = 'UTC') =>
  customValue(value, { name: 'F', type, options }, { path: 'CustomFields[0].Value', timeZone }, kinds);

function sent(body: Body): PayloadValue {
  if (body.kind !== 'one') throw new Error('a list');
  return customFieldsOf(body.entity.members[0]!.value, 'CustomFields')[0]!.value;
}

/** A value as JSON has it, and as an XML element `Value`. */
const json = (value: string) => sent(parseJson(Buffer.from(`{"CustomFields":[{"Name":"F","Value":${value}}]}`)));
const xml = (element: string) =>
  sent(
    parseXml(
      Buffer.from(`<UserStory><CustomFields><Field><Name>F</Name>${element}</Field></CustomFields></UserStory>`),
      names,
    ),
  );

type Row = [type: CustomFieldType, json: string, xml: string, stored: unknown];

const accepted: Row[] = [
  [
    'Text',
    '"note: \\"quoted\\" & <tagged> é😀"',
    '<Value>note: "quoted" &amp; &lt;tagged> é😀</Value>',
    'note: "quoted" & <tagged> é😀',
  ],
  ['Text', '"  a\\nb\\t"', '<Value>  a\nb\t</Value>', '  a\nb\t'],
  ['Text', '"a\\rb"', '<Value>a&#13;b</Value>', 'a\rb'],
  ['Text', '""', '<Value/>', ''],
  ['Text', '"null"', '<Value>null</Value>', 'null'],
  ['Text', '12.50', '<Value>12.50</Value>', '12.50'],
  ['Text', 'null', '<Value nil="true"/>', null],
  ['RichText', '"<p>News</p>"', '<Value>&lt;p>News&lt;/p></Value>', '<p>News</p>'],
  ['RichText', '"<!--markdown-->*a*"', '<Value><![CDATA[<!--markdown-->*a*]]></Value>', '<!--markdown-->*a*'],
  ['RichText', '""', '<Value></Value>', ''],
  ['TemplatedURL', '"T-5"', '<Value>T-5</Value>', 'T-5'],
  ['TemplatedURL', '17', '<Value>17</Value>', '17'],
  ['TemplatedURL', '""', '<Value/>', null],
  ['DropDown', '"High"', '<Value>High</Value>', 'High'],
  ['DropDown', '" mEDIUM "', '<Value>\n  medium\n</Value>', 'Medium'],
  ['DropDown', '"Low"', '<Value>Low</Value>', 'Low'],
  ['DropDown', '"low"', '<Value>low</Value>', 'low'],
  ['DropDown', '"LOW"', '<Value>LOW</Value>', 'Low'],
  ['DropDown', '"red, DARK"', '<Value>Red, dark</Value>', 'Red, dark'],
  ['DropDown', '2026', '<Value>2026</Value>', '2026'],
  ['DropDown', '""', '<Value/>', null],
  ['DropDown', 'null', '<Value nil="true"/>', null],
  ['MultipleSelectionList', '"High,Medium"', '<Value>High,Medium</Value>', 'High,Medium'],
  ['MultipleSelectionList', '" medium , HIGH ,,medium,"', '<Value>Medium, High</Value>', 'Medium,High'],
  ['MultipleSelectionList', '["medium","High"]', '<Value><Item>Medium</Item><Item>high</Item></Value>', 'Medium,High'],
  ['MultipleSelectionList', '["High"]', '<Value><Item>High</Item></Value>', 'High'],
  [
    'MultipleSelectionList',
    '{"Items":["High"]}',
    '<Value><Items><Item>High</Item><Item>high</Item></Items></Value>',
    'High',
  ],
  ['MultipleSelectionList', '"High,red, dark,Low"', '<Value>High,Red, dark,Low</Value>', 'High,Red, dark,Low'],
  ['MultipleSelectionList', '"Red,High"', '<Value>Red,High</Value>', 'Red,High'],
  ['MultipleSelectionList', '[2026]', '<Value>2026</Value>', '2026'],
  ['MultipleSelectionList', '[]', '<Value/>', null],
  ['MultipleSelectionList', '","', '<Value>,</Value>', null],
  ['MultipleSelectionList', 'null', '<Value nil="true"/>', null],
  ['Number', '12.5', '<Value>12.5</Value>', 12.5],
  ['Number', '"12.50"', '<Value> 12.50 </Value>', 12.5],
  ['Number', '-0', '<Value>-0.0</Value>', 0],
  ['Number', '"+7"', '<Value>+7</Value>', 7],
  ['Number', '1e3', '<Value>1E3</Value>', 1000],
  ['Number', '3.3333333333333335', '<Value>3.3333333333333335</Value>', 10 / 3],
  ['Number', '"999999999999999"', '<Value>999999999999999</Value>', 999_999_999_999_999],
  ['Number', '""', '<Value/>', null],
  ['Number', 'null', '<Value nil="true"/>', null],
  ['Money', '35679.0', '<Value>35679.0000</Value>', 35679],
  ['Money', '"99999999999.99"', '<Value>99999999999.99</Value>', 99999999999.99],
  ['Money', '""', '<Value> </Value>', null],
  ['CheckBox', 'true', '<Value>true</Value>', true],
  ['CheckBox', 'false', '<Value>False</Value>', false],
  ['CheckBox', '"TRUE"', '<Value> true </Value>', true],
  ['CheckBox', '1', '<Value>1</Value>', true],
  ['CheckBox', '"0"', '<Value>0</Value>', false],
  ['CheckBox', 'null', '<Value nil="true"/>', null],
  ['CheckBox', '""', '<Value/>', null],
  ['Date', '"2026-01-31"', '<Value>2026-01-31</Value>', '2026-01-31T00:00:00.000Z'],
  ['Date', '"2026-01-31 12:30"', '<Value>2026-01-31T12:30:00</Value>', '2026-01-31T12:30:00.000Z'],
  ['Date', '"2026-01-31T12:30:00+02:00"', '<Value>2026-01-31T10:30:00Z</Value>', '2026-01-31T10:30:00.000Z'],
  ['Date', '"2026-01-31T12:30:00.5"', '<Value>2026-01-31T12:30:00.500</Value>', '2026-01-31T12:30:00.500Z'],
  ['Date', '"\\/Date(1769858400000+0500)\\/"', '<Value>/Date(1769858400000)/</Value>', '2026-01-31T11:20:00.000Z'],
  ['Date', '"24-Oct-2015"', '<Value>24-Oct-2015</Value>', '2015-10-24T00:00:00.000Z'],
  ['Date', '"0001-01-01T00:00:00"', '<Value>0001-01-01</Value>', '0001-01-01T00:00:00.000Z'],
  ['Date', '"9999-12-31T23:59:59"', '<Value>9999-12-31T23:59:59</Value>', '9999-12-31T23:59:59.000Z'],
  ['Date', 'null', '<Value nil="true"/>', null],
  ['Date', '""', '<Value/>', null],
  [
    'URL',
    '{"Url":"https://a.b/?c=1&d=2","Label":"A"}',
    '<Value><Url>https://a.b/?c=1&amp;d=2</Url><Label>A</Label></Value>',
    { Url: 'https://a.b/?c=1&d=2', Label: 'A' },
  ],
  ['URL', '{"url":" u ","LABEL":"A"}', '<Value url="u" LABEL="A"/>', { Url: 'u', Label: 'A' }],
  ['URL', '{"Url":"u"}', '<Value><Url>u</Url></Value>', { Url: 'u', Label: null }],
  ['URL', '{"Url":"u","Label":null}', '<Value><Url>u</Url><Label nil="true" /></Value>', { Url: 'u', Label: null }],
  ['URL', '{"Url":"u","Label":""}', '<Value><Url>u</Url><Label/></Value>', { Url: 'u', Label: null }],
  ['URL', '"u"', '<Value>u</Value>', { Url: 'u', Label: null }],
  ['URL', '{"Url":null,"Label":null}', '<Value><Url/><Label/></Value>', null],
  ['URL', 'null', '<Value nil="true"/>', null],
  ['URL', '""', '<Value/>', null],
  ['Entity', '{"Id":5,"Kind":"Release"}', '<Value><Id>5</Id><Kind>Release</Kind></Value>', { Id: 5, Kind: 'Release' }],
  ['Entity', '{"id":"5","KIND":"userstory"}', '<Value Id="5" Kind="UserStory"/>', { Id: 5, Kind: 'UserStory' }],
  [
    'Entity',
    '{"Id":5,"Kind":"Bug","Name":"B"}',
    '<Value><Id>5</Id><Kind>bug</Kind><Name nil="true" /></Value>',
    { Id: 5, Kind: 'Bug' },
  ],
  [
    'Entity',
    '{"ResourceType":"Bug","Id":2147483647,"Kind":"Bug"}',
    '<Value Id="2147483647" Kind="Bug" Name="B"/>',
    { Id: 2147483647, Kind: 'Bug' },
  ],
  ['Entity', '{"Id":null}', '<Value><Id/><Kind/></Value>', null],
  ['Entity', 'null', '<Value nil="true"/>', null],
  ['Entity', '""', '<Value/>', null],
  [
    'MultipleEntities',
    '"6387 userstory,3527 bug"',
    '<Value>6387 userstory,3527 bug</Value>',
    '6387 userstory,3527 bug',
  ],
  [
    'MultipleEntities',
    '" 06387  UserStory , 3527 BUG,, 3527 bug"',
    '<Value>\n6387 userstory,\n3527 bug\n</Value>',
    '6387 userstory,3527 bug',
  ],
  ['MultipleEntities', '{"Id":5,"Kind":"Bug"}', '<Value><Id>5</Id><Kind>bug</Kind></Value>', '5 bug'],
  [
    'MultipleEntities',
    '[{"id":"5","kind":"Bug"},{"Id":6,"Kind":"userstory"}]',
    '<Value><Item Id="5" Kind="bug"/><Item><Id>6</Id><Kind>UserStory</Kind></Item></Value>',
    '5 bug,6 userstory',
  ],
  [
    'MultipleEntities',
    '[{"Id":5,"Kind":"Bug","Name":"B"}]',
    '<Value><Item Id="5" Kind="Bug" Name="B"/></Value>',
    '5 bug',
  ],
  ['MultipleEntities', '["5 Bug","6 Bug"]', '<Value><Item>5 bug</Item><Item>6 bug</Item></Value>', '5 bug,6 bug'],
  ['MultipleEntities', '[]', '<Value/>', null],
  ['MultipleEntities', 'null', '<Value nil="true"/>', null],
];

describe('stores', () => {
  it.each(accepted)('%s %s, in XML %s', (type, inJson, inXml, stored) => {
    expect(read(json(inJson), type).stored).toEqual(stored);
    expect(read(xml(inXml), type).stored).toEqual(stored);
  });

  it('what is found again in JSON as it was', () => {
    for (const [type, inJson] of accepted) {
      const { stored } = read(json(inJson), type);
      expect(JSON.parse(JSON.stringify(stored))).toEqual(stored);
    }
  });

  it.each([
    ['2026-01-31', '2026-01-30T23:00:00.000Z'],
    ['2026-07-31T12:00:00', '2026-07-31T10:00:00.000Z'],
    ['2026-07-31T12:00:00Z', '2026-07-31T12:00:00.000Z'],
    ['/Date(0)/', '1970-01-01T00:00:00.000Z'],
  ])('%s as a date in the zone of the service', (said, stored) => {
    expect(read(json(`"${said}"`), 'Date', 'Europe/Berlin').stored).toBe(stored);
    expect(read(xml(`<Value>${said}</Value>`), 'Date', 'Europe/Berlin').stored).toBe(stored);
  });

  it('texts up to their limits, counted in characters', () => {
    expect(read({ kind: 'text', text: '😀'.repeat(4000) }, 'Text').stored).toHaveLength(8000);
    expect(read({ kind: 'text', text: 'x'.repeat(1024 * 1024) }, 'RichText').stored).toHaveLength(1024 * 1024);
  });
});

describe('points at', () => {
  it.each<[CustomFieldType, string, unknown]>([
    ['Entity', '{"Id":5,"Kind":"userstory"}', [{ kind: 'UserStory', id: 5 }]],
    ['Entity', 'null', []],
    [
      'MultipleEntities',
      '"6 userstory,7 BUG,6 UserStory"',
      [
        { kind: 'UserStory', id: 6 },
        { kind: 'Bug', id: 7 },
      ],
    ],
    ['MultipleEntities', '{"Id":"8","Kind":"user"}', [{ kind: 'User', id: 8 }]],
    ['MultipleEntities', '[]', []],
    ['Text', '"6 userstory"', []],
    ['URL', '"https://a.b"', []],
  ])('%s %s', (type, said, refersTo) => expect(read(json(said), type).refersTo).toEqual(refersTo));
});

const aText = 'CustomFields[0].Value: a text is needed.';
const anOption = 'CustomFields[0].Value: one of the options is needed: High, Medium, Low, low, Red, dark, Red, 2026.';
const aSelection = 'CustomFields[0].Value: options are a list, or one text with commas between them, such as "a,b".';
const aNumber = 'CustomFields[0].Value: a number is needed, such as 12.5.';
const aSmallNumber = 'CustomFields[0].Value: a number with at most 15 digits before the point is needed.';
const aFlag = 'CustomFields[0].Value: true or false is needed.';
const aDate =
  'CustomFields[0].Value: a date such as 2026-01-31, 2026-01-31T12:00:00 or /Date(1767225600000)/ is needed.';
const aYear = 'CustomFields[0].Value: a date in the years 1 to 9999, also in UTC, is needed.';
const aLink =
  'CustomFields[0].Value: a link is a text or an object such as {"Url": "https://example.com", "Label": "Example"}.';
const anEntity =
  'CustomFields[0].Value: an entity is an object with its Id and Kind, such as {"Id": 5, "Kind": "UserStory"}.';
const anId = 'an Id is a whole number above 0.';
const aKind = 'a known kind of entity is needed: UserStory, Bug, Release, Requester, User.';
const anEntityText = 'entities are written as "6387 userstory,3527 bug".';
const unfit = 'CustomFields[0].Value: the text holds a character that XML cannot carry.';

const refused: [type: CustomFieldType, json: string, message: string][] = [
  ['Text', 'true', aText],
  ['Text', '{"Id":5,"Kind":"Bug"}', aText],
  ['Text', '["a"]', aText],
  ['Text', '"a\\u0001b"', unfit],
  ['Text', '"\\uffff"', unfit],
  ['Text', `"${'x'.repeat(4001)}"`, 'CustomFields[0].Value: at most 4000 characters are allowed.'],
  ['Text', `"${'😀'.repeat(4001)}"`, 'CustomFields[0].Value: at most 4000 characters are allowed.'],
  ['RichText', 'false', aText],
  ['RichText', `"${'x'.repeat(1024 * 1024 + 1)}"`, 'CustomFields[0].Value: at most 1048576 characters are allowed.'],
  ['TemplatedURL', '{"Url":"u"}', aText],
  ['TemplatedURL', `"${'x'.repeat(4001)}"`, 'CustomFields[0].Value: at most 4000 characters are allowed.'],
  ['DropDown', '"Highest"', anOption],
  ['DropDown', '"__proto__"', anOption],
  ['DropDown', '"constructor"', anOption],
  ['DropDown', 'true', anOption],
  ['DropDown', '["High"]', anOption],
  ['DropDown', '{"Name":"High"}', anOption],
  ['MultipleSelectionList', '"High,Highest"', "CustomFields[0].Value: 'Highest' is none of the options: High, Medium,"],
  ['MultipleSelectionList', `"High,${'h'.repeat(100)}"`, `CustomFields[0].Value: '${'h'.repeat(80)}…' is none of`],
  ['MultipleSelectionList', '["High","Highest"]', 'CustomFields[0].Value[1]: one of the options is needed: High,'],
  ['MultipleSelectionList', '["High,Low"]', 'CustomFields[0].Value[0]: one of the options is needed: High,'],
  ['MultipleSelectionList', '[["High"]]', 'CustomFields[0].Value[0]: one of the options is needed: High,'],
  ['MultipleSelectionList', '[null]', 'CustomFields[0].Value[0]: one of the options is needed: High,'],
  ['MultipleSelectionList', '[""]', 'CustomFields[0].Value[0]: one of the options is needed: High,'],
  ['MultipleSelectionList', 'true', aSelection],
  ['MultipleSelectionList', '{}', aSelection],
  ['MultipleSelectionList', '{"Id":5,"Kind":"Bug"}', aSelection],
  ['MultipleSelectionList', '"a\\u0001"', unfit],
  [
    'MultipleSelectionList',
    `"${'High,'.repeat(14_000)}"`,
    'CustomFields[0].Value: at most 65536 characters are allowed.',
  ],
  ['Number', '"many"', aNumber],
  ['Number', '"NaN"', aNumber],
  ['Number', '"Infinity"', aNumber],
  ['Number', '"1,5"', aNumber],
  ['Number', '"0x10"', aNumber],
  ['Number', '"12 000"', aNumber],
  ['Number', 'true', aNumber],
  ['Number', '[5]', aNumber],
  ['Number', '{"Value":5}', aNumber],
  ['Number', '1e400', aSmallNumber],
  ['Number', '1e15', aSmallNumber],
  ['Money', '-1000000000000000', aSmallNumber],
  ['Money', '"12.50 EUR"', aNumber],
  ['Money', `"${'1'.repeat(31)}"`, aNumber],
  ['CheckBox', '"yes"', aFlag],
  ['CheckBox', '2', aFlag],
  ['CheckBox', '"__proto__"', aFlag],
  ['CheckBox', '"constructor"', aFlag],
  ['CheckBox', '[true]', aFlag],
  ['Date', '"31.12.2026"', aDate],
  ['Date', '"2026-02-30"', aDate],
  ['Date', '"Today"', aDate],
  ['Date', '1769858400000', aDate],
  ['Date', 'true', aDate],
  ['Date', '{"Date":"2026-01-31"}', aDate],
  ['Date', '"0001-01-01T00:00:00+14:00"', aYear],
  ['Date', '"9999-12-31T23:59:59-01:00"', aYear],
  ['URL', '5', aLink],
  ['URL', 'true', aLink],
  ['URL', '["u"]', aLink],
  ['URL', '{}', aLink],
  ['URL', '{"Label":"A"}', aLink],
  ['URL', '{"Url":"u","Title":"A"}', aLink],
  ['URL', '{"Id":5,"Kind":"Bug"}', aLink],
  ['URL', '{"Url":"","Label":"A"}', 'CustomFields[0].Value.Url: a link with a label needs an address.'],
  ['URL', '{"Url":{"a":1}}', 'CustomFields[0].Value.Url: a text is needed.'],
  ['URL', '{"Url":"u","Label":true}', 'CustomFields[0].Value.Label: a text is needed.'],
  ['URL', '"u\\u0001"', unfit],
  ['URL', `"${'u'.repeat(4001)}"`, 'CustomFields[0].Value: at most 4000 characters are allowed.'],
  [
    'URL',
    `{"Url":"u","Label":"${'u'.repeat(4001)}"}`,
    'CustomFields[0].Value.Label: at most 4000 characters are allowed.',
  ],
  ['Entity', '5', anEntity],
  ['Entity', '"5 release"', anEntity],
  ['Entity', '{}', anEntity],
  ['Entity', '{"Kind":"Release"}', anEntity],
  ['Entity', '[{"Id":5,"Kind":"Release"}]', anEntity],
  ['Entity', '{"Id":5}', `CustomFields[0].Value.Kind: ${aKind}`],
  ['Entity', '{"Id":5,"Kind":null}', `CustomFields[0].Value.Kind: ${aKind}`],
  ['Entity', '{"Id":5,"Kind":"Unicorn"}', `CustomFields[0].Value.Kind: ${aKind}`],
  ['Entity', '{"Id":5,"Kind":"__proto__"}', `CustomFields[0].Value.Kind: ${aKind}`],
  ['Entity', '{"Id":0,"Kind":"Bug"}', `CustomFields[0].Value.Id: ${anId}`],
  ['Entity', '{"Id":-5,"Kind":"Bug"}', `CustomFields[0].Value.Id: ${anId}`],
  ['Entity', '{"Id":1.5,"Kind":"Bug"}', `CustomFields[0].Value.Id: ${anId}`],
  ['Entity', '{"Id":2147483648,"Kind":"Bug"}', `CustomFields[0].Value.Id: ${anId}`],
  ['Entity', '{"Id":true,"Kind":"Bug"}', `CustomFields[0].Value.Id: ${anId}`],
  ['Entity', '{"Id":{"Id":5},"Kind":"Bug"}', `CustomFields[0].Value.Id: ${anId}`],
  ['MultipleEntities', '"6387"', `CustomFields[0].Value: ${anEntityText}`],
  ['MultipleEntities', '"userstory 6387"', `CustomFields[0].Value: ${anEntityText}`],
  ['MultipleEntities', '"6387 userstory;3527 bug"', `CustomFields[0].Value: ${anEntityText}`],
  ['MultipleEntities', '"5 unicorn"', `CustomFields[0].Value: ${aKind}`],
  ['MultipleEntities', '"0 bug"', `CustomFields[0].Value: ${anId}`],
  ['MultipleEntities', '["5 bug","6 bug,7 bug"]', `CustomFields[0].Value[1]: ${anEntityText}`],
  ['MultipleEntities', '[{"Id":5,"Kind":"Bug"},{"Id":6}]', `CustomFields[0].Value[1].Kind: ${aKind}`],
  ['MultipleEntities', '[{"Id":null,"Kind":"Bug"}]', `CustomFields[0].Value[0].Id: ${anId}`],
  ['MultipleEntities', '[null]', 'CustomFields[0].Value[0]: an entity is an object with its Id and Kind'],
  ['MultipleEntities', '5', anEntity],
  ['MultipleEntities', '{}', anEntity],
  ['MultipleEntities', '{"Kind":"Bug"}', anEntity],
  [
    'MultipleEntities',
    `"${'1 bug,'.repeat(501)}"`,
    'CustomFields[0].Value: 501 entities are sent; at most 500 are allowed.',
  ],
];

describe('refuses', () => {
  it.each(refused)('%s %.60s', (type, said, message) => {
    expect(() => read(json(said), type)).toThrow(expect.objectContaining({ code: 400 }));
    expect(() => read(json(said), type)).toThrow(message);
  });

  it.each<[CustomFieldType, string, string]>([
    ['Text', '<Value><a>b</a></Value>', aText],
    ['DropDown', '<Value>Highest</Value>', anOption],
    [
      'MultipleSelectionList',
      '<Value><Item>High</Item><Item/></Value>',
      'CustomFields[0].Value[1]: one of the options',
    ],
    ['Number', '<Value>1e400</Value>', aSmallNumber],
    ['CheckBox', '<Value>yes</Value>', aFlag],
    ['Date', '<Value>31.12.2026</Value>', aDate],
    ['URL', '<Value><Label>A</Label></Value>', aLink],
    ['Entity', '<Value><Id>5</Id></Value>', `CustomFields[0].Value.Kind: ${aKind}`],
    ['Entity', '<Value><Id>x</Id><Kind>Bug</Kind></Value>', `CustomFields[0].Value.Id: ${anId}`],
    ['MultipleEntities', '<Value>5</Value>', `CustomFields[0].Value: ${anEntityText}`],
  ])('%s %s', (type, said, message) => expect(() => read(xml(said), type)).toThrow(message));

  it.each<CustomFieldType>([
    'Text',
    'RichText',
    'TemplatedURL',
    'URL',
    'MultipleSelectionList',
  ])('NUL in %s', (type) => {
    expect(() => read({ kind: 'text', text: 'a\0' }, type)).toThrow(
      'CustomFields[0].Value: the character NUL is not allowed.',
    );
  });

  it('any option where none is defined, and names many only in part', () => {
    const choose = (known: string[]) =>
      customValue(json('"x"'), { name: 'F', type: 'DropDown', options: known }, { path: 'F', timeZone: 'UTC' }, kinds);
    expect(() => choose([])).toThrow('F: one of the options is needed: there are none.');
    const many = Array.from({ length: 57 }, (_, index) => `o${index}`);
    expect(() => choose(many)).toThrow(/needed: o0, .*, o19 … \(57 in all\)\.$/);
  });
});

describe('takes back what an answer spells', () => {
  const timeZone = 'Europe/Berlin';
  const escaped = (said: string) =>
    said.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
  /** In January the zone is an hour ahead; a fraction is told only when there is one. */
  const local = (stored: string) => new Date(Date.parse(stored) + 3_600_000).toISOString().replace(/\.?0*Z$/, '');

  /** As `representation/json.ts` spells the stored value, in each of its forms of dates. */
  function inJson(type: CustomFieldType, stored: unknown): string[] {
    if (type === 'Date') {
      const at = local(stored as string);
      return [`"\\/Date(${Date.parse(stored as string)}+0100)\\/"`, `"${at}+01:00"`, `"${at}"`];
    }
    return [JSON.stringify(type === 'Entity' ? { ...(stored as object), Name: 'x' } : stored)];
  }

  /** As `representation/xml.ts` spells it. */
  function inXml(type: CustomFieldType, stored: unknown): string {
    if (type === 'Date') return `<Value>${local(stored as string)}</Value>`;
    const { Url, Label, Id, Kind } = stored as Record<string, string>;
    const label = Label === null ? '<Label nil="true" />' : `<Label>${escaped(String(Label))}</Label>`;
    if (type === 'URL') return `<Value><Url>${escaped(Url!)}</Url>${label}</Value>`;
    if (type === 'Entity') return `<Value><Id>${Id}</Id><Kind>${Kind}</Kind><Name nil="true" /></Value>`;
    return `<Value>${escaped(String(stored))}</Value>`;
  }

  it.each<[CustomFieldType, unknown]>([
    ['Text', 'note of 5: "quoted" & <tagged>\r\n'],
    ['Text', ''],
    ['RichText', '<p>News &amp; more</p>'],
    ['DropDown', 'Low'],
    ['DropDown', 'low'],
    ['MultipleSelectionList', 'High,Red, dark,low'],
    ['Number', 98.7],
    ['Number', 1e-7],
    ['Number', 10 / 3],
    ['Money', 48_213],
    ['CheckBox', true],
    ['CheckBox', false],
    ['Date', '2026-01-31T11:20:00.000Z'],
    ['Date', '2026-01-31T11:20:05.250Z'],
    ['URL', { Url: 'https://docs.example.com/5?a=1&b=2', Label: 'The <specification>' }],
    ['URL', { Url: 'https://docs.example.com', Label: null }],
    ['TemplatedURL', 'T-5'],
    ['Entity', { Id: 5, Kind: 'Requester' }],
    ['MultipleEntities', '6387 userstory,3527 bug'],
  ])('%s %j', (type, stored) => {
    for (const spelled of inJson(type, stored)) expect(read(json(spelled), type, timeZone).stored).toEqual(stored);
    expect(read(xml(inXml(type, stored)), type, timeZone).stored).toEqual(stored);
  });

  it('and the null of every type', () => {
    for (const type of new Set(accepted.map(([of]) => of))) {
      expect(read(json('null'), type)).toEqual({ stored: null, refersTo: [] });
      expect(read(xml('<Value nil="true" />'), type)).toEqual({ stored: null, refersTo: [] });
    }
  });

  it('of all twelve types', () => expect(new Set(accepted.map(([of]) => of)).size).toBe(12));
});
