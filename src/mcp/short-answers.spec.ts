import { describe, expect, it } from 'vitest';
import { shortened } from './short-answers.js';

const rest = { id: 7, text: 'description' };

describe('a long text', () => {
  it.each([
    ['letters of one unit', 'a'.repeat(12), 'a'.repeat(10), 2],
    ['characters of two units', '😀'.repeat(12), '😀'.repeat(10), 2],
    ['both', `${'a😀'.repeat(6)}é`, 'a😀'.repeat(5), 3],
    ['half a character', `${'\ud83d'.repeat(11)}b`, '\ud83d'.repeat(10), 2],
    ['two units behind the part that is shown', `${'a'.repeat(10)}😀😀`, 'a'.repeat(10), 2],
  ])('of %s is cut between characters, and says how many are left', (_, text, shown, left) =>
    expect(shortened(text, 10, rest)).toBe(
      `${shown}… [${left} more characters: get {"id":7,"text":"description","from":10}]`,
    ));

  it.each(['a'.repeat(10), '😀'.repeat(10), `${'😀'.repeat(9)}a`, ''])('that fits is whole: %s', (text) =>
    expect(shortened(text, 10, rest)).toBe(text));
});
