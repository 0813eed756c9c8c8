/** What pages make of answers takes time in proportion to them: a text of one user must not stop the page of others. */
import { describe, expect, it } from 'vitest';
import { cellOf } from './answer-table.js';
import { linksIn, messageIn } from './answer-text.js';
import { jsonLines, xmlLines } from './pretty.js';
import { parseList } from './value-list.js';

/** Of a pattern that goes back at each character, these take minutes. */
const length = 400_000;
const units = ['<a', '<!--', '<?', '&', '&#x1', '"', "'", ' ', '\n', '\\', '{', '/', '<Message>', ' a="', "',", "' '"];

const answer = (text: string) => ({ status: 200, isJson: false, text, milliseconds: 1, bytes: text.length });

const makers: [name: string, make: (text: string) => unknown][] = [
  ['a cell of rich text', (text) => cellOf(text, 'Description', () => true)],
  ['a custom field', (text) => cellOf([{ Name: 'Notes', Type: 'RichText', Value: text }])],
  ['lines of JSON', (text) => jsonLines(JSON.stringify({ Description: text }))],
  ['lines of XML', xmlLines],
  ['the message of a refusal', messageIn],
  ['links', (text) => linksIn(answer(text))],
  ['values of a list', parseList],
];

describe.each(makers)('%s', (_, make) => {
  it.each(units)('is made of a long text of %j', { timeout: 20_000 }, (unit) => {
    expect(make(unit.repeat(length / unit.length))).toBeDefined();
  });
});
