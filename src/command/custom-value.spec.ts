/** Values of custom fields that are stored, whichever way they are written. */
import { describe, expect, it } from 'vitest';
import { json, read, xml } from '../../test/support/custom-values.js';
import type { CustomFieldType } from '../query/meaning.js';

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
    '{"ResourceType":"Bug","Id":9007199254740991,"Kind":"Bug"}',
    '<Value Id="9007199254740991" Kind="Bug" Name="B"/>',
    { Id: 9007199254740991, Kind: 'Bug' },
  ],
  ['Entity', '{"Id":null}', '<Value><Id/><Kind/></Value>', null],
  ['Entity', '{"Id":0,"Kind":null}', '<Value><Id>0</Id><Kind/></Value>', null],
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
  ['MultipleEntities', '[{"Id":0,"Kind":null}]', '<Value><Item><Id>0</Id><Kind/></Item></Value>', null],
  [
    'MultipleEntities',
    '[{"Id":0},{"Id":5,"Kind":"Bug"}]',
    '<Value><Item Id="0"/><Item Id="5" Kind="Bug"/></Value>',
    '5 bug',
  ],
  ['MultipleEntities', '{"Id":0,"Kind":null}', '<Value><Id>0</Id><Kind/></Value>', null],
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
  ])('%s as a date in the zone of the service', (text, stored) => {
    expect(read(json(`"${text}"`), 'Date', 'Europe/Berlin').stored).toBe(stored);
    expect(read(xml(`<Value>${text}</Value>`), 'Date', 'Europe/Berlin').stored).toBe(stored);
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
  ])('%s %s', (type, body, refersTo) => expect(read(json(body), type).refersTo).toEqual(refersTo));
});

describe('takes back what an answer spells', () => {
  const timeZone = 'Europe/Berlin';
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
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
