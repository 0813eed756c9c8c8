/** Where links may lead. */
import { expect, it } from 'vitest';
import { isLinkAddress } from './link-address.js';

it.each([
  'https://example.com',
  'HTTP://example.com/?a=b:c',
  'mailto:alice@example.com',
  'ftp://example.com',
  'example.com/a',
  'example.com:8080/a',
  'localhost:8080',
  '/entity/7',
  'a/b:c',
  '?a=b:c',
  '#a:b',
  '//example.com',
  'u',
  'file:///etc/passwd',
  'slack://channel',
])('%s is taken', (address) => expect(isLinkAddress(address)).toBe(true));

it.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript:1/alert(1)',
  'java\u200bscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
])('%j is not', (address) => expect(isLinkAddress(address)).toBe(false));
