import { describe, expect, it } from 'vitest';
import { jsonLines, type Line, xmlLines } from './pretty.js';

const text = (lines: readonly Line[]): string =>
  lines.map((line) => line.map(([, piece]) => piece).join('')).join('\n');

describe('JSON in lines', () => {
  it.each([
    ['{}', '{}'],
    ['[]', '[]'],
    ['{"a":[]}', '{\n  "a": []\n}'],
    [
      '{"a":3.0000,"b":[1,-2e5,null],"c":"x, {y}: \\"z\\" \\\\"}',
      '{\n  "a": 3.0000,\n  "b": [\n    1,\n    -2e5,\n    null\n  ],\n  "c": "x, {y}: \\"z\\" \\\\"\n}',
    ],
    ['"a"', '"a"'],
  ])('%s', (input, shown) => expect(text(jsonLines(input))).toBe(shown));

  it('tells keys, texts, numbers and words apart', () => {
    expect(
      jsonLines('{"a":"b","c":1,"d":true}')
        .flat()
        .filter(([kind]) => !['mark', 'plain'].includes(kind)),
    ).toEqual([
      ['key', '"a"'],
      ['string', '"b"'],
      ['key', '"c"'],
      ['number', '1'],
      ['key', '"d"'],
      ['word', 'true'],
    ]);
  });
});

describe('XML in lines', () => {
  it.each([
    ['<Bugs />', '<Bugs />'],
    [
      '<Bugs><Bug Id="1"><Name>a &lt; b</Name><Effort nil="true" /><X></X></Bug></Bugs>',
      '<Bugs>\n  <Bug Id="1">\n    <Name>a &lt; b</Name>\n    <Effort nil="true" />\n    <X></X>\n  </Bug>\n</Bugs>',
    ],
    [
      '<?xml-stylesheet href="a"?>\n<A B="x > y"><C>1</C></A>',
      '<?xml-stylesheet href="a"?>\n<A B="x > y">\n  <C>1</C>\n</A>',
    ],
    ['<A>\n  <B> two  words\n</B>\n</A>', '<A>\n  <B> two  words\n</B>\n</A>'],
  ])('%s', (input, shown) => expect(text(xmlLines(input))).toBe(shown));
});
