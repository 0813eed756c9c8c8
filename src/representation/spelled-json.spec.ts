/** JSON as JSON.parse reads it, but for the spelling of numbers. */
import { expect, it } from 'vitest';
import { isObject, type Json, SpelledList, SpelledNumber, SpelledText, valuesIn } from './spelled-json.js';

const withoutSteps = (values: Iterable<Json>): Json[] => [...values].filter((value) => value !== undefined);

const plain = (value: Json): unknown => {
  if (value instanceof SpelledNumber) return Number(value.text);
  if (value instanceof SpelledText) return [...value.pieces()].join('');
  if (value instanceof SpelledList) return withoutSteps(value).map(plain);
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
    const [first, last] = withoutSteps(valuesIn(`${JSON.stringify({ text })},1`));
    const long = (first as { text: SpelledText }).text;
    expect(long).toBeInstanceOf(SpelledText);
    const pieces = [...long.pieces()];
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    expect([pieces.join('') === text, last]).toEqual([true, new SpelledNumber('1')]);
  }
});

it.each([
  JSON.stringify({ list: Array.from({ length: 100_000 }, (_, at) => ({ id: at, names: ['[', ']'] })) }),
  JSON.stringify([Array(100_000).fill('\\"')]),
  JSON.stringify('"'.repeat(500_000)),
  JSON.stringify(`${'\\'.repeat(500_000)}"`.repeat(3)),
  JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`name ${at}`, { at }]))),
])('reads in steps what takes long to read: %.20s', (text) => {
  const values = [...valuesIn(`${text},${text}`)];
  expect(values.filter((value) => value === undefined).length).toBeGreaterThan(text.length / 2 ** 20);
  const expected = JSON.stringify(JSON.parse(text));
  expect(withoutSteps(values).map((value) => JSON.stringify(plain(value)) === expected)).toEqual([true, true]);
});
