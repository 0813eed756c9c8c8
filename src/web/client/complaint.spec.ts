import { describe, expect, it } from 'vitest';
import { markedAt, placeOf } from './complaint.js';

describe('where a refusal points', () => {
  it.each([
    [
      "Error during parameters parsing. where: expected an operator such as 'eq' or 'contains' at 5, found \"equals\".",
      'where',
      5,
    ],
    ['Error during parameters parsing. orderBy: expected a field name at 0, found the end.', 'orderBy', 0],
    ["take: 'x' is not a whole number of 0 or more.", 'take', undefined],
    ["Invalid include field 'Nam'. Property 'Nam' does not exist in 'Bug'. Did you mean 'Name'?", 'include', undefined],
    ["Invalid aggregate 'x': write Collection-Count.", 'append', undefined],
  ])('%s', (message, parameter, position) => expect(placeOf(message)).toEqual({ parameter, position }));

  it('may be nowhere', () => expect(placeOf("Property 'x' does not exist in 'Bug'.")).toBeUndefined());

  it.each([
    ["Name equals 'x'", 5, ['Name ', 'equals', " 'x'"]],
    ['Name', 4, ['Name', '', '']],
    ['😀 = 1', 2, ['😀 ', '=', ' 1']],
    ['(a', 99, ['(a', '', '']],
  ])('marks %s at %i', (text, position, parts) => expect(markedAt(text, position)).toEqual(parts));
});
