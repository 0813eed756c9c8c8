import { expect, it } from 'vitest';
import { base64Text } from './base64.js';

it.each([
  ['', ''],
  ['YQ==', 'a'],
  ['YQ', 'a'],
  ['YTo=', 'a:'],
  ['w6Tigqzwn5iA', 'ä€😀'],
  ['77u/YQ==', '\ufeffa'],
])('reads %s', (encoded, text) => expect(base64Text(encoded)).toBe(text));

it.each([
  ['a line break inside', 'YWJj\nZGVm'],
  ['a space inside', 'YWJj ZGVm'],
  ['a space at the end', 'YWJj '],
  ['a foreign character', 'YWJ%'],
  ['the URL alphabet', 'w6_-'],
  ['half of the padding', 'YQ='],
  ['padding in the middle', 'YQ==YQ=='],
  ['loose bits at the end', 'YR=='],
  ['one character too many', 'YWJjZ'],
  ['Latin-1', '5A=='],
  ['overlong UTF-8', 'wK8='],
  ['a surrogate', '7aCA'],
])('refuses %s', (_, encoded) => expect(base64Text(encoded)).toBeUndefined());
