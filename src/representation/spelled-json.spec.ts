/** JSON as JSON.parse reads it, but for the spelling of numbers. */
import { expect, it } from 'vitest';
import { isObject, type Json, SpelledList, SpelledNumber, valuesIn } from './spelled-json.js';

const plain = (value: Json): unknown => {
  if (value instanceof SpelledNumber) return Number(value.text);
  if (value instanceof SpelledList) return [...value].map(plain);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)])) : value;
};

it.each([
  '{}',
  '[]',
  '[ ]',
  '[[1,[2]],"]",["a\\"]"],{"b":[{}]}]',
  '{"a": 1, "b" : [ {"c":[]} , null, true,false ]}',
  '"\\\\"',
  '"a\\"b\\\\\\"c\\u00e9\\n"',
  '{"a\\"b":"{,}[]:"}',
  '-1.50e+10',
  '{"":""}',
])('%s', (text) => expect([...valuesIn(text)].map(plain)).toEqual([JSON.parse(text)]));

it('takes values with commas between them', () => {
  expect([...valuesIn('1.50,"a", {"b":2}')]).toEqual([new SpelledNumber('1.50'), 'a', { b: new SpelledNumber('2') }]);
  expect([...valuesIn('')]).toEqual([]);
});

it.each(['{"a" 1}', '"a', '{a:1}', '[', '{'])('is no JSON: %s', (text) =>
  expect(() => [...valuesIn(text)]).toThrow('no JSON'));
