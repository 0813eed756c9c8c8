/** Refusals of the API as tools tell them. */
import { expect, it } from 'vitest';
import { made, wordsOf } from './words-of-tools.js';

const select = { select: made('fields', ['id', 'nmae', 'featureEpic:feature.epic.nmae', '😀(', 'x']) };

it.each([
  [
    "Property 'nmae' does not exist in 'Bug'. (select, at 4)",
    "Property 'nmae' does not exist in 'Bug'. (fields in 'nmae')",
  ],
  ["Property 'nmae' is not there. (select, at 34)", "Property 'nmae' is not there. (fields in 'feature.epic.nmae')"],
  ['No name. (select, at 40)', "No name. (fields in '😀(')"],
  ['No name. (select, at 42)', "No name. (fields in 'x')"],
  ['No name. (select, at 400)', 'No name. (fields)'],
  ['No name. (select, at 0)', 'No name. (fields)'],
  ['No name. (where, at 4)', 'No name. (where, at 4)'],
  [
    "Error during parameters parsing. select: expected ',' or ')' at 40, found the end.",
    "Error during parameters parsing. fields: expected ',' or ')' in '😀(', found the end.",
  ],
  ['select: too many levels of parentheses.', 'fields: too many levels of parentheses.'],
  ['Something about (select, at 4) and more.', 'Something about (select, at 4) and more.'],
])('%s', (message, expected) => {
  expect(wordsOf(message, select)).toBe(expected);
});
