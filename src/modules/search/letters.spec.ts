import { describe, expect, it } from 'vitest';
import { composed, composedWithPlaces } from './letters.js';

it.each([
  ['cafe\u0301', 'café'],
  ['ＡＢＣ１２３ｚ', 'ABC123z'],
  ['\u212b', 'å'.toUpperCase()],
  ['½ ² ™ ﬁ', '½ ² ™ ﬁ'],
])('%j is %j', (text, expected) => expect(composed(text)).toBe(expected));

describe('a part of a composed text', () => {
  const storedOf = (stored: string, wanted: string): string => {
    const { text, original } = composedWithPlaces(stored);
    const from = text.indexOf(wanted);
    return stored.slice(...original(from, from + wanted.length));
  };

  it.each([
    ['a cafe\u0301 here', 'café', 'cafe\u0301'],
    ['e\u0301 e\u0301 then', 'then', 'then'],
    ['a ệ'.normalize('NFD'), 'ệ', 'ệ'.normalize('NFD')],
    ['한글 검색'.normalize('NFD'), '검색', '검색'.normalize('NFD')],
    ['u\u0302\u20dd b', 'û', 'u\u0302\u20dd'],
    ['\u0958 word', 'word', 'word'],
    ['\u{1d15e} e\u0301x', 'éx', 'e\u0301x'],
    ['ＡＢ c', 'AB', 'ＡＢ'],
  ])('of %j, %j, is %j', (stored, wanted, expected) => expect(storedOf(stored, wanted)).toBe(expected));

  it('is found in any text', () => {
    const characters = [...'aé한ẹ\u0301\u0323\u1161\u11a8\u0958\u{1d15e}Ａ 1'].flatMap((one) => [
      one,
      one.normalize('NFD'),
    ]);
    for (let seed = 1; seed < 500; seed += 1) {
      const stored = Array.from(
        { length: 12 },
        (_, at) => characters[(seed * 7919 * (at + 1)) % characters.length],
      ).join('');
      const { text, original } = composedWithPlaces(stored);
      for (let from = 0; from < text.length; from += 1) {
        const [begin, end] = original(from, from + 1);
        expect(composed(stored.slice(begin, end))).toContain(text[from]);
      }
    }
  });
});
