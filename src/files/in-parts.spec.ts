import { expect, it } from 'vitest';
import { inParts } from './in-parts.js';

it.each<[chunks: string[], parts: string[]]>([
  [[], ['']],
  [['a'], ['a']],
  [['abcd'], ['abcd']],
  [
    ['abcd', 'e'],
    ['abcd', 'e'],
  ],
  [
    ['a', 'bc', 'de', 'fgh', 'ijklmnop', 'q'],
    ['abcde', 'fghijklmnop', 'q'],
  ],
  [
    ['abcdefgh', 'ijkl'],
    ['abcdefgh', 'ijkl'],
  ],
])('%j are gathered to %j, of which the last one is marked', async (chunks, parts) => {
  const gathered: [text: string, isLast: boolean][] = [];
  for await (const { bytes, isLast } of inParts(
    chunks.map((chunk) => Buffer.from(chunk)),
    4,
  ))
    gathered.push([bytes.toString(), isLast]);
  expect(gathered).toEqual(parts.map((part, at) => [part, at === parts.length - 1]));
});
