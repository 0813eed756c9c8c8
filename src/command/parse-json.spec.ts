import { describe, expect, it } from 'vitest';
import { atOnce } from '../turns/slices.js';
import { parseJson } from './parse-json.js';
import type { PayloadValue } from './payload.js';

const parse = (text: string) => atOnce(parseJson(Buffer.from(text)));

/** Members as an object, values as what they hold. */
function plain(value: PayloadValue): unknown {
  switch (value.kind) {
    case 'null':
      return null;
    case 'boolean':
      return value.value;
    case 'object':
      return Object.fromEntries(value.object.members.map((member) => [member.name, plain(member.value)]));
    case 'list':
      return value.items.map(plain);
    default:
      return `${value.kind}:${value.text}`;
  }
}

const one = (text: string): unknown => {
  const body = parse(text);
  if (body.kind !== 'one') throw new Error('a list');
  return plain({ kind: 'object', object: body.entity });
};

describe('one entity', () => {
  it.each([
    ['{}', {}],
    [
      '{"Name":"x","Effort":3.50,"IsActive":true,"Release":null}',
      { Name: 'text:x', Effort: 'number:3.50', IsActive: true, Release: null },
    ],
    ["{Name: 'it\\'s', }", { Name: "text:it's" }],
    ['\ufeff{ /* why */ name: "x", // then\n project: {id: "7"} }', { name: 'text:x', project: { id: 'text:7' } }],
    ['{"Description":"line\nnext\ttab"}', { Description: 'text:line\nnext\ttab' }],
    ['{"a":"\\u00e9\\ud83d\\ude00\\n\\/"}', { a: 'text:é😀\n/' }],
    ['{"Tasks":{"Items":[{"Name":"t"}]}}', { Tasks: [{ Name: 'text:t' }] }],
    ['{"Tasks":{"Next":"x","items":[]}}', { Tasks: [] }],
    ['{"Tasks":[{"Id":1,},]}', { Tasks: [{ Id: 'number:1' }] }],
    ['{"Effort":12345678901234567890.123456789}', { Effort: 'number:12345678901234567890.123456789' }],
    ['{"n":-0.5e-3}', { n: 'number:-0.5e-3' }],
    // Names of an object's own machinery are names like any other, and harm nothing.
    [
      '{"__proto__":{"IsAdministrator":true},"constructor":1}',
      { ['__proto__']: { IsAdministrator: true }, constructor: 'number:1' },
    ],
  ])('%s', (text, expected) => expect(JSON.stringify(one(text))).toBe(JSON.stringify(expected)));

  it('pollutes nothing', () => {
    parse('{"__proto__":{"IsAdministrator":true}}');
    expect(({} as Record<string, unknown>).IsAdministrator).toBeUndefined();
  });
});

describe('many entities', () => {
  it.each([
    ['[]', 0],
    ['[{},{}]', 2],
    ['{"Items":[{}]}', 1],
    ['{Items: [{}, {},]}', 2],
  ])('%s', (text, count) => expect(parse(text)).toMatchObject({ kind: 'many', entities: { length: count } }));

  it('names the item that is no entity', () =>
    expect(() => parse('[{},5]')).toThrow('[1]: an entity {…} is expected.'));
});

it.each([
  ['', 'a value is expected at line 1, column 1, found the end'],
  ['null', 'an entity {…} or a list'],
  ['"x"', 'an entity {…} or a list'],
  ['42', 'an entity {…} or a list'],
  ['{', 'a name is expected at line 1, column 2'],
  ['{"a"}', "':' is expected at line 1, column 5, found '}'"],
  ['{"a":1 "b":2}', "',' or '}' is expected at line 1, column 8"],
  ['{"a":1}{', 'nothing more is expected at line 1, column 8'],
  ['{"a":\n NaN}', 'a value is expected at line 2, column 2'],
  ['{"a":Infinity}', 'a value is expected'],
  ['{"a":0x10}', 'a number is malformed'],
  ['{"a":01}', 'a number is malformed'],
  ['{"a":+1}', 'a value is expected'],
  ['{"a":.5}', 'a value is expected'],
  ['{"a":1.}', 'a number is malformed'],
  ['{"a":"x', 'the text does not end'],
  ['{"a":"\\x"}', 'an escape is malformed'],
  ['{"a":"\u0001"}', 'a control character'],
  ['{"a":"\\u0000"}', 'NUL'],
  ['{"a":"\\ud800"}', 'half of a surrogate pair'],
  ['{"Name":1,"name":2}', 'name: the member is given twice.'],
  ['{/* never ends', 'a comment does not end'],
  [`{${Array.from({ length: 1001 }, (_, at) => `m${at}:1`)}}`, 'an object has more than 1000 members'],
  [`{"Effort":${'9'.repeat(1200)}}`, 'a number of 1200 characters or more'],
  [`{/*${'*'.repeat(1_048_577)}*/}`, 'a comment of more than 1048576 characters at line 1, column 2'],
  [`{//${'x'.repeat(1_048_577)}\n}`, 'a comment of more than 1048576 characters'],
  [`{${' '.repeat(1_048_577)}}`, 'more than 1048576 characters of white space'],
  [`${'{"a":'.repeat(30)}1${'}'.repeat(30)}`, 'nested deeper than 20 levels'],
  ['['.repeat(100_000), 'nested deeper than 20 levels'],
])('refuses row %#', (text, message) => expect(() => parse(text)).toThrow(message));

it('takes as much white space as is allowed', () => {
  expect(parse(`{${' '.repeat(1_048_576)}"Id":1}`)).toMatchObject({ kind: 'one' });
});

it('refuses what is not UTF-8', () => {
  expect(() => atOnce(parseJson(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])))).toThrow('it is not UTF-8');
});
