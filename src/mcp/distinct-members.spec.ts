import { expect, it } from 'vitest';
import { lostMember } from './distinct-members.js';

it.each<[string, string | undefined]>([
  ['{"a":1,"b":{"a":2}}', undefined],
  ['{"a":1,"A":2}', undefined],
  ['[{"a":1},{"a":2}]', undefined],
  ['{"a":"a","b":["a","a"],"c":"\\"a\\":1"}', undefined],
  ['{"a":1,"a":1}', 'a'],
  ['{"a":1,"\\u0061" : 2}', 'a'],
  ['{"a":{"b":[1,{"c":1,"d":{},"c":2}]}}', 'a.b.c'],
  ['{"x{":1,"y":{"q":"}"},"x{":2}', 'x{'],
  ['{"a":{"__proto__":1}}', 'a.__proto__'],
  ['{"a":"__proto__"}', undefined],
  ['1', undefined],
])('%s', (json, path) => expect(lostMember(json)?.path).toBe(path));

it('reads long texts', () => expect(lostMember(`{"a":"${'\\n'.repeat(30_000)}","a":1}`)?.path).toBe('a'));
