/** Large bodies are read in slices, each of which has little to do: others have their turn between any two of them. */
import { expect, it } from 'vitest';
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
  ['members', 'json', `{${list(100_000, (at) => `m${at}:1,`)}}`, 100_000, 256],
  ['escapes', 'json', `{"Name":"${'\\n'.repeat(1_000_000)}"}`, 1_000_000, 256],
  ['escapes in a name', 'json', `{"${'\\n'.repeat(1_000_000)}":1}`, 1_000_000, 256],
  ['line breaks in a text', 'json', `{"Name":"${'\n'.repeat(1_000_000)}"}`, 1_000_000, 256],
  ['bytes', 'json', '\u00e4'.repeat(5_000_000), 10_000_000, 128 * 1024],
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
  ['line ends', 'xml', '\r\n'.repeat(2_000_000), 4_000_000, 128 * 1024],
])('%s in %s', (_, format, text, units, unitsOfSlice) => {
  expect(pauses(format, text)).toBeGreaterThanOrEqual(Math.floor(units / unitsOfSlice));
});
