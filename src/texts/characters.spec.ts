import { expect, it } from 'vitest';
import { showsNothing } from './characters.js';

it.each([
  ['', true],
  [' \t\n\u00a0\u3000', true],
  ['\u0000\u0085', true],
  ['\u00ad\u200b\u2060\ufeff', true],
  ['\u3164\ufe0f\u{e0100}', true],
  ['.', false],
  ['\u200bx', false],
  ['é', false],
  ['😀', false],
  ['\u0301', false],
])('%j: %s', (text, isNothing) => {
  expect(showsNothing(text)).toBe(isNothing);
});
