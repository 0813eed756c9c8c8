/** JSON as JSON.parse reads it, but for the spelling of numbers. */
import { expect, it } from 'vitest';
import { isObject, type Json, SpelledList, SpelledNumber, SpelledText, spellingsIn, valuesIn } from './spelled-json.js';

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
  expect([...spellingsIn('1.50,"a", {"b":[2, "]}"]}')]).toEqual(['1.50', '"a"', '{"b":[2, "]}"]}']);
});

it.each(['{"a" 1}', '"a', '{a:1}', '[', '{'])('is no JSON: %s', (text) =>
  expect(() => [...valuesIn(text)]).toThrow('no JSON'));

it.each([
  'a',
  '"',
  '\\',
  '\n',
  '\u0001',
  '😀',
  'é\\"',
  '\\\\\u0001😀',
  'ab\\"\n😀\u0001',
])('reads a long text in pieces: %j', (unit) => {
  for (let shift = 0; shift < 13; shift += 1) {
    const text = 'x'.repeat(shift) + unit.repeat(200_000 / unit.length);
    const [first, last] = valuesIn(`${JSON.stringify({ text })},1`);
    const long = (first as { text: SpelledText }).text;
    expect(long).toBeInstanceOf(SpelledText);
    const pieces = [...long.pieces()];
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    expect([pieces.join('') === text, last]).toEqual([true, new SpelledNumber('1')]);
  }
});
