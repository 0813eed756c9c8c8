/** Large bodies are read in slices, each of which has little to do: others have their turn between any two of them. */
import { describe, expect, it } from 'vitest';
import { atOnce } from '../turns/slices.js';
import { parseBody } from './parse-body.js';

const names = { entity: 'UserStory', collection: 'UserStories' };
const list = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join('');

/** How often the reader may be interrupted, up to its end or its refusal. */
function pauses(format: 'json' | 'xml', text: string): number {
  const work = parseBody(format, Buffer.from(text), names);
  let count = 0;
  try {
    while (!work.next().done) count += 1;
  } catch {
    return count;
  }
  return count;
}

it.each<[what: string, format: 'json' | 'xml', text: string, units: number, unitsOfSlice: number]>([
  ['values', 'json', `{"Nope":[${'1,'.repeat(199_000)}]}`, 199_000, 256],
  ['objects', 'json', `{"Nope":[${'{"a":{"b":1}},'.repeat(49_000)}]}`, 49_000 * 3, 256],
  ['members', 'json', `[${`{${list(1000, (at) => `m${at}:1,`)}},`.repeat(100)}]`, 100_000, 256],
  ['escapes', 'json', `{"Name":"${'\\n'.repeat(1_000_000)}"}`, 1_000_000, 256],
  ['escapes in a name', 'json', `{"${'\\n'.repeat(1_000_000)}":1}`, 1_000_000, 256],
  ['line breaks in a text', 'json', `{"Name":"${'\n'.repeat(1_000_000)}"}`, 1_000_000, 256],
  ['bytes of a text', 'json', `{"Name":"${'\u00e4'.repeat(1_000_000)}"}`, 2_000_000, 32 * 1024],
  ['bytes of white space', 'json', `{"Tasks":[${`{},${' '.repeat(1000)}`.repeat(9000)}]}`, 9_000_000, 32 * 1024],
  ['elements', 'xml', `<UserStory>${'<a/>'.repeat(199_000)}</UserStory>`, 199_000 * 4, 2048],
  ['elements of a list', 'xml', `<UserStory><Tasks>${'<a/>'.repeat(199_000)}</Tasks></UserStory>`, 199_000, 256],
  ['items', 'xml', `<UserStories>${'<UserStory/>'.repeat(50_000)}</UserStories>`, 50_000, 1],
  [
    'attributes',
    'xml',
    `<UserStories>${`<UserStory ${list(900, (at) => `a${at}="" `)}/>`.repeat(100)}</UserStories>`,
    700_000,
    2048,
  ],
  ['a text', 'xml', `<UserStory>${' '.repeat(1_000_000)}</UserStory>`, 1_000_000, 2048],
  ['a long attribute', 'xml', `<UserStory Name="${'&lt;\n'.repeat(200_000)}"/>`, 1_000_000, 2048],
  ['references', 'xml', `<UserStory>${'&lt;'.repeat(1_000_000)}</UserStory>`, 4_000_000, 2048],
  ['comments', 'xml', `<UserStory>${'<!-- -->'.repeat(500_000)}</UserStory>`, 4_000_000, 2048],
  ['line ends', 'xml', '\r\n'.repeat(2_000_000), 2_000_000, 2048],
])('%s in %s', (_, format, text, units, unitsOfSlice) => {
  expect(pauses(format, text)).toBeGreaterThanOrEqual(Math.floor(units / unitsOfSlice));
});

/** Each took seconds when all lines that are behind were counted for each comment. */
it.each([
  ['lines', '//\n', 'line 199001, column 1'],
  ['comments', '/**/', 'line 1, column 796002'],
  ['lines in comments', '/*\n*/', 'line 199001, column 3'],
])('the place behind many %s is known', (_, text, place) => {
  const comments = text.repeat(199_000);
  for (const body of [`[${comments}x`, `{${comments}!`, `[${comments}\u00e4`])
    expect(() => atOnce(parseBody('json', Buffer.from(body), names))).toThrow(`at ${place}`);
});

/** The result, or the refusal without the place where it was found. */
function outcome(format: 'json' | 'xml', text: string): unknown {
  try {
    return atOnce(parseBody(format, Buffer.from(text), names));
  } catch (error) {
    return (error as Error).message.replace(/at (?:line \d+, column|character) \d+/, '');
  }
}

const bytesOfPiece = 32 * 1024;

describe('reads the same wherever a piece of a body ends', () => {
  it.each<[format: 'json' | 'xml', text: string]>([
    ['json', '{"Name":"it\\u00e9 \\n", Effort: -12.50e3, a: true, /* \u{1f600} */ b: null, // x\n c:[{},{"Id":1,},]}'],
    ['json', "{'N\u{1f600}me':'\u00e9\\'\u{1f600}','Tasks':{'Items':[{'a':'x'}]}}"],
    ['json', '{"Name":"a\nb"} /* behind */'],
    ['json', `{"Name":"${'x'.repeat(1500)}"}`],
    ['json', `{"${'x'.repeat(1500)}\\n":"x"}`],
    ['json', `{/*${'x'.repeat(1500)}*/"Name":"x"}`],
    ['json', `{//${'x'.repeat(1500)}\n"Name":"x"}`],
    ['json', `{"Name"${' '.repeat(1500)}:"x"}`],
    ['json', '{"a":1,"A":2}'],
    ['json', '{"a":01}'],
    ['json', '{"a":nul}'],
    ['json', '{"a":"\\u00"}'],
    ['json', '{"a":"b'],
    ['json', '{/* never ends *'],
    ['json', '{"a":1}x'],
    [
      'xml',
      '<UserStory Name="a&amp;&#x1f600;b" Effort=\'\u{1f600}\'>\r\n<Tasks><Task/><Task Name=""/></Tasks></UserStory>',
    ],
    ['xml', '<UserStory><Name>a]]&gt;<![CDATA[<b>]]></Name><!-- c\r -->\r</UserStory>'],
    ['xml', '<UserStory><Name>a]]>b</Name></UserStory>'],
    ['xml', '<UserStory>< a/></UserStory>'],
    ['xml', '<UserStory Name="<"/>'],
    ['xml', '<UserStory a="1" a="2"/>'],
    ['xml', '<UserStory><!-- never ends </UserStory>'],
    ['xml', '<UserStory><![CDATA[ never ends </UserStory>'],
    ['xml', '<UserStory Name="never ends'],
    ['xml', '<UserStory/><Other/>'],
  ])('%s, row %#', (format, text) => {
    const expected = outcome(format, ` ${text}`);
    const length = Buffer.byteLength(text);
    for (let before = 0; before <= length; before++) {
      if (before > 60 && before < length - 60) continue;
      expect(outcome(format, ' '.repeat(bytesOfPiece - before) + text)).toEqual(expected);
    }
  });

  it.each([
    ['within a character', [0xc3], 1],
    ['within a long character', [0xf0, 0x9f, 0x98], 3],
    ['behind half of a character', [0xe2, 0x82, 0x41], 1],
    ['without a beginning', [0x80, 0x80, 0x80, 0x80], 2],
  ])('and refuses bytes that are no character %s', (_, bytes, inPiece) => {
    const before = Buffer.from(`{"Name":"${' '.repeat(bytesOfPiece - 9 - inPiece)}`);
    const body = Buffer.concat([before, Buffer.from(bytes), Buffer.from('"}')]);
    expect(() => atOnce(parseBody('json', body, names))).toThrow('it is not UTF-8');
  });
});
