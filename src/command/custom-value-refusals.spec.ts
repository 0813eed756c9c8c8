/** Values of custom fields that are not what their type takes. */
import { describe, expect, it } from 'vitest';
import { json, kinds, read, xml } from '../../test/support/custom-values.js';
import type { CustomFieldType } from '../query/meaning.js';
import { customValue } from './custom-value.js';

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
  ['Money', `"${'1'.repeat(31)}"`, aSmallNumber],
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
  ['Entity', '{"Id":9007199254740992,"Kind":"Bug"}', `CustomFields[0].Value.Id: ${anId}`],
  ['Entity', '{"Id":true,"Kind":"Bug"}', `CustomFields[0].Value.Id: ${anId}`],
  ['Entity', '{"Id":{"Id":5},"Kind":"Bug"}', `CustomFields[0].Value.Id: ${anId}`],
  ['MultipleEntities', '"6387"', `CustomFields[0].Value: ${anEntityText}`],
  ['MultipleEntities', '"userstory 6387"', `CustomFields[0].Value: ${anEntityText}`],
  ['MultipleEntities', '"6387 userstory;3527 bug"', `CustomFields[0].Value: ${anEntityText}`],
  ['MultipleEntities', '"5 unicorn"', `CustomFields[0].Value: ${aKind}`],
  ['MultipleEntities', '"0 bug"', `CustomFields[0].Value: ${anId}`],
  ['MultipleEntities', '[{"Id":0,"Kind":"Bug"}]', `CustomFields[0].Value[0].Id: ${anId}`],
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
  it.each(refused)('%s %.60s', (type, value, message) => {
    expect(() => read(json(value), type)).toThrow(expect.objectContaining({ httpStatus: 400 }));
    expect(() => read(json(value), type)).toThrow(message);
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
  ])('%s %s', (type, body, message) => expect(() => read(xml(body), type)).toThrow(message));

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
    const choose = (options: string[]) =>
      customValue(
        json('"x"'),
        { name: 'F', type: 'DropDown', options: options },
        { path: 'F', timeZone: 'UTC' },
        kinds,
      );
    expect(() => choose([])).toThrow('F: one of the options is needed: there are none.');
    const many = Array.from({ length: 57 }, (_, index) => `o${index}`);
    expect(() => choose(many)).toThrow(/needed: o0, .*, o19 … \(57 in all\)\.$/);
  });
});
