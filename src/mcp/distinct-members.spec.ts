import { expect, it } from 'vitest';
import { repeatedMember } from './distinct-members.js';

it.each<[string, string | undefined]>([
  ['{"a":1,"b":{"a":2}}', undefined],
  ['{"a":1,"A":2}', undefined],
  ['[{"a":1},{"a":2}]', undefined],
  ['{"a":"a","b":["a","a"],"c":"\\"a\\":1"}', undefined],
  ['{"a":1,"a":1}', 'a'],
  ['{"a":1,"\\u0061" : 2}', 'a'],
  ['{"a":{"b":[1,{"c":1,"d":{},"c":2}]}}', 'a.b.c'],
  ['{"x{":1,"y":{"q":"}"},"x{":2}', 'x{'],
  ['1', undefined],
])('%s', (json, path) => expect(repeatedMember(json)).toBe(path));

it('reads long texts', () => expect(repeatedMember(`{"a":"${'\\n'.repeat(30_000)}","a":1}`)).toBe('a'));
