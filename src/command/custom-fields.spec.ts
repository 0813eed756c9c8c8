import { describe, expect, it } from 'vitest';
import { atOnce, type Sliced } from '../turns/slices.js';
import { customFieldsOf } from './custom-fields.js';
import { parseJson } from './parse-json.js';
import { parseXml } from './parse-xml.js';
import type { Body, PayloadValue } from './payload.js';

const names = { entity: 'UserStory', collection: 'UserStories' };

function fieldsIn(parsing: Sliced<Body>) {
  const body = atOnce(parsing);
  if (body.kind !== 'one') throw new Error('a list');
  return customFieldsOf(body.entity.members[0]!.value, 'CustomFields');
}

const json = (value: string) => fieldsIn(parseJson(Buffer.from(`{"CustomFields":${value}}`)));
const xml = (text: string) => fieldsIn(parseXml(Buffer.from(`<UserStory>${text}</UserStory>`), names));

const pairsOf = (fields: ReturnType<typeof customFieldsOf>) => fields.map(({ name, value }) => [name, value]);
const text = (value: string): PayloadValue => ({ kind: 'text', text: value });

const risk = '{"Name":"Risk","Type":"DropDown","Value":"High"}';
const riskField = '<Field Type="DropDown"><Name>Risk</Name><Value>High</Value></Field>';
const notesField = '<Field Type="Text"><Name>Notes</Name><Value nil="true"/></Field>';

describe('reads', () => {
  it.each([
    [`[${risk}]`, `<CustomFields>${riskField}</CustomFields>`],
    [`[${risk},{"name":"Notes","value":null}]`, `<CustomFields>${riskField}${notesField}</CustomFields>`],
    [`{"Items":[${risk}]}`, `<CustomFields><Items>${riskField}</Items></CustomFields>`],
    [
      `{"items":[${risk},{"Name":"Notes","Value":null}]}`,
      `<CustomFields><Items>${riskField}${notesField}</Items></CustomFields>`,
    ],
    [`{"Field":${risk}}`, '<CustomFields><field name="Risk" value="High"/></CustomFields>'],
    [`{"Field":[${risk}]}`, `<CustomFields>\n  ${riskField}\n</CustomFields>`],
    [
      '[{"Name":"Risk","Value":"High"}]',
      '<CustomFields><Field><Value>High</Value><Name> Risk </Name></Field></CustomFields>',
    ],
    [
      '[{"Id":4,"ResourceType":"CustomField","Name":"Risk","Value":"High"}]',
      `<CustomFields>${riskField}</CustomFields>`,
    ],
    ['[{"Name":"Risk","Value":""}]', '<CustomFields><Field><Name>Risk</Name><Value/></Field></CustomFields>'],
    [
      '[{"Name":"Spec","Value":{"Url":"u","Label":"l"}}]',
      '<CustomFields><Field><Name>Spec</Name><Value><Url>u</Url><Label>l</Label></Value></Field></CustomFields>',
    ],
    ['[]', '<CustomFields/>'],
    ['{"Items":[]}', '<CustomFields></CustomFields>'],
    ['null', '<CustomFields nil="true"/>'],
    ['""', '<CustomFields>\n</CustomFields>'],
    ['{"Items":null}', '<CustomFields><Items/></CustomFields>'],
  ])('%s as %s', (inJson, inXml) => expect(pairsOf(json(inJson))).toEqual(pairsOf(xml(inXml))));

  it('names, types and values, with the way to each', () => {
    expect(json(`[${risk},{"Name":"Notes","Value":null},{"Name":2026,"Value":1.50}]`)).toEqual([
      { name: 'Risk', type: 'DropDown', value: text('High'), path: 'CustomFields[0].Value' },
      { name: 'Notes', value: { kind: 'null' }, path: 'CustomFields[1].Value' },
      { name: '2026', value: { kind: 'number', text: '1.50' }, path: 'CustomFields[2].Value' },
    ]);
    expect(xml(`<CustomFields>${riskField}</CustomFields>`)).toEqual([
      { name: 'Risk', type: 'DropDown', value: text('High'), path: 'CustomFields[0].Value' },
    ]);
  });

  it('nothing', () => {
    expect(json('[{"Name":"Notes","Type":"Text"}]')).toEqual([]);
    expect(xml('<CustomFields><Field Type="Text"><Name>Notes</Name></Field></CustomFields>')).toEqual([]);
    for (const fields of [json('null'), json('[]'), json('""'), xml('<CustomFields/>')]) expect(fields).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s as a name like any other', (name) => {
    const field = [[name, text('x')]];
    expect(pairsOf(json(`[{"Name":"${name}","Value":"x"}]`))).toEqual(field);
    expect(pairsOf(xml(`<CustomFields><Field><Name>${name}</Name><Value>x</Value></Field></CustomFields>`))).toEqual(
      field,
    );
  });

  it('500 fields', () => expect(json(list(500))).toHaveLength(500));
});

const list = (count: number): string =>
  JSON.stringify(Array.from({ length: count }, (_, index) => ({ Name: `F${index}`, Value: 1 })));

const listShape = 'CustomFields: custom fields are a list, in JSON [{"Name": "Risk", "Value": "High"}], in XML <Field>';
const entryShape = 'CustomFields[1]: a custom field has a Name and a Value, in JSON [{"Name"';

describe('refuses', () => {
  it.each([
    ['{"Risk":"High"}', listShape],
    ['{"__proto__":{"Name":"Risk","Value":1}}', listShape],
    [risk, listShape],
    ['{}', listShape],
    ['"High"', listShape],
    ['5', listShape],
    ['true', listShape],
    ['{"Items":"High"}', listShape],
    [`[${risk},"High"]`, entryShape],
    [`[${risk},null]`, entryShape],
    [`[${risk},[${risk}]]`, entryShape],
    [`[${risk},{}]`, 'CustomFields[1].Name: the name of the custom field is needed.'],
    [`[${risk},{"Value":5}]`, 'CustomFields[1].Name: the name of the custom field is needed.'],
    [`[${risk},{"Name":" ","Value":5}]`, 'CustomFields[1].Name: the name of the custom field is needed.'],
    [`[${risk},{"Name":null,"Value":5}]`, 'CustomFields[1].Name: the name of the custom field is needed.'],
    [`[${risk},{"Name":{"a":1},"Value":5}]`, 'CustomFields[1].Name: the name of the custom field is needed.'],
    [`[${risk},{"Name":"Notes"}]`, 'CustomFields[1].Value: a value is needed; null clears the field.'],
    ['[{"Name":"Notes","Vlaue":1}]', "CustomFields[0]: a custom field has a Name, a Type and a Value, and no 'Vlaue'."],
    ['[{"Name":"Notes","Value":1,"__proto__":2}]', "and no '__proto__'."],
    ['[{"Name":"Notes","Value":1,"\\u0001":2}]', 'and no other members.'],
    ['[{"Name":"a\\u0001b","Value":1}]', 'CustomFields[0].Name: the text holds a character that XML cannot carry.'],
    [`[{"Name":"${'n'.repeat(256)}","Value":1}]`, 'CustomFields[0].Name: at most 255 characters are allowed.'],
    [list(501), 'CustomFields: 501 custom fields are sent; at most 500 are allowed.'],
  ])('%.60s', (body, message) => expect(() => json(body)).toThrow(message));

  it('NUL in a name', () => {
    const member = (name: string, value: string) => ({ name, value: text(value) });
    const entry: PayloadValue = { kind: 'object', object: { members: [member('Name', 'a\0'), member('Value', 'x')] } };
    expect(() => customFieldsOf({ kind: 'list', items: [entry] }, '[3].CustomFields')).toThrow(
      '[3].CustomFields[0].Name: the character NUL is not allowed.',
    );
  });

  it.each([
    ['<CustomFields>High</CustomFields>', listShape],
    ['<CustomFields><Risk>High</Risk></CustomFields>', listShape],
    ['<CustomFields Risk="High"/>', listShape],
    ['<CustomFields><Field/></CustomFields>', 'CustomFields[0]: a custom field has a Name and a Value'],
    ['<CustomFields><Field>High</Field></CustomFields>', 'CustomFields[0]: a custom field has a Name and a Value'],
    [
      `<CustomFields>${riskField}<Field><Name>x</Name></Field></CustomFields>`,
      'CustomFields[1].Value: a value is needed',
    ],
  ])('%s', (body, message) => expect(() => xml(body)).toThrow(message));
});
