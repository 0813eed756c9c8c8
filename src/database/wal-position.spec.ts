import { describe, expect, it } from 'vitest';
import { hasReplayed, laterOf, parsePosition, spellPosition, walEnd, walStart } from './wal-position.js';

const at = (text: string) => parsePosition(text)!;

describe('parsePosition', () => {
  it.each([
    ['1-0/16B3748', '1-0/16B3748'],
    ['0000000A-16/b374d848', 'A-16/B374D848'],
    ['FFFFFFFF-1FFFFF/FFFFFFFF', 'FFFFFFFF-1FFFFF/FFFFFFFF'],
    ['0', '0-0/0'],
  ])('reads %s', (text, spelled) => expect(spellPosition(at(text))).toBe(spelled));

  it.each([
    '',
    '1',
    '1-2',
    '1/2',
    '1-2/',
    '-1-2/3',
    '1-2/3 ',
    '1-2/123456789',
    'x-0/1',
    '1-0/1;drop',
  ])('refuses %j', (text) => expect(parsePosition(text)).toBeUndefined());
});

it.each([
  ['1-0/5', '1-0/5', true],
  ['1-0/5', '1-0/6', false],
  ['1-1/0', '1-0/FFFFFFFF', true],
  // Of a timeline that a failover has left.
  ['1-0/9', '2-0/5', false],
  ['2-0/9', '1-0/5', true],
  ['2-0/4', '1-0/5', false],
  ['1-0/0', '0', true],
])('a server at %s has replayed %s: %s', (server, wanted, expected) =>
  expect(hasReplayed(at(server), at(wanted))).toBe(expected));

it.each([
  ['1-0/5', '1-0/6', '1-0/6'],
  ['2-0/1', '1-0/6', '2-0/1'],
  ['0', '1-0/1', '1-0/1'],
  // Seen on a replica.
  ['0-0/7', '1-0/1', '1-0/7'],
])('of %s and %s the later one is %s', (one, other, later) => {
  expect(spellPosition(laterOf(at(one), at(other)))).toBe(later);
  expect(spellPosition(laterOf(at(other), at(one)))).toBe(later);
});

it('ends behind everything', () => {
  expect(hasReplayed(walStart, walStart)).toBe(true);
  expect(parsePosition(spellPosition(walEnd))).toEqual(walEnd);
  expect(hasReplayed(at('FFFFFFF-FFFFF/0'), walEnd)).toBe(false);
});
