import { expect, it } from 'vitest';
import { localPath } from './local-path.js';

it.each([
  ['/', '/'],
  ['/entity/1?a=b#c', '/entity/1?a=b#c'],
  ["/query?q=Bugs?where=Name%20eq%20'a\\'b'", "/query?q=Bugs?where=Name%20eq%20'a%5C'b'"],
  ['/a#\\\\b', '/a#%5C%5Cb'],
  [`/query?q=${'%20'.repeat(5_000)}`, `/query?q=${'%20'.repeat(5_000)}`],
  [`/query?q=${'a'.repeat(33_000)}`, '/'],
  ['', '/'],
  [null, '/'],
  [undefined, '/'],
  ['//evil.test', '/'],
  ['/\\evil.test', '/'],
  ['\\\\evil.test', '/'],
  ['/a\\b', '/'],
  ['/a\\b?c', '/'],
  ['https://evil.test', '/'],
  ['javascript:alert(1)', '/'],
  ['/a b', '/'],
  ['/\t/evil.test', '/'],
  ['/ä', '/'],
  ['/?\r\nset-cookie: a=b', '/'],
])('%j leads to %j', (address, expected) => expect(localPath(address)).toBe(expected));
