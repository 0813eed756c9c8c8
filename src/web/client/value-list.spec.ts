import { describe, expect, it } from 'vitest';
import { parseList, spellList } from './value-list.js';

describe('values of a list', () => {
  it.each([
    [['1', '2'], '1, 2'],
    [['In Progress', "O'Brien"], "In Progress, O'Brien"],
    [['Doe, John', 'X'], "'Doe, John', X"],
    [[' x ', "'", "it's, so", 'a\\, b'], "' x ', '\\'', 'it\\'s, so', 'a\\\\, b'"],
    [[''], ''],
    [['1', ''], '1, '],
  ])('%j is edited as %s', (values, text) => {
    expect(spellList(values)).toBe(text);
    expect(parseList(text)).toEqual(values);
  });

  it.each([
    ["'Doe, John", ["'Doe", 'John']],
    ["'a' b, c", ["'a' b", 'c']],
    ['a,,b,', ['a', '', 'b', '']],
    [" 'a' ,b ", ['a', 'b']],
  ])('%s', (text, values) => expect(parseList(text)).toEqual(values));
});
