import { expect, it } from 'vitest';
import { lostMember, mostLevels } from './distinct-members.js';

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
  [nested('[', ']', mostLevels), undefined],
  [nested('[', ']', mostLevels + 1), 'The body'],
  [nested('{"a":', '}', mostLevels), undefined],
  [nested('{"a":', '}', mostLevels + 1), Array(mostLevels).fill('a').join('.')],
])('%s', (json, path) => expect(lostMember(json)?.path).toBe(path));

function nested(open: string, close: string, levels: number): string {
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
}

it('reads long texts', () => expect(lostMember(`{"a":"${'\\n'.repeat(30_000)}","a":1}`)?.path).toBe('a'));
