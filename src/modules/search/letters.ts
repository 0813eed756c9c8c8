/**
 * Letters as they are searched: composed (NFC), those of full width as ordinary ones, the zero of Han numerals as the
 * letter for zero, without what is not seen and without the dot of an I, capital or small. The database composes what
 * is stored by the same rule, `search_compose`.
 */

/** As in the database, `search_unseen`: soft hyphens, marks that choose how a character looks, what encloses one. */
const unseen =
  '\\u{ad}\\u{34f}\\u{488}\\u{489}\\u{61c}\\u{180b}-\\u{180f}\\u{1abe}\\u{200d}-\\u{200f}\\u{202a}-\\u{202e}' +
  '\\u{2060}-\\u{2064}\\u{2066}-\\u{206f}\\u{20dd}-\\u{20e0}\\u{20e2}-\\u{20e4}\\u{a670}-\\u{a672}' +
  '\\u{fe00}-\\u{fe0f}\\u{feff}\\u{e0100}-\\u{e01ef}';

/** As in the database, `search_apart`: letters of scripts that put no blanks between words. */
const apart =
  '\\u{e01}-\\u{e30}\\u{e32}\\u{e33}\\u{e40}-\\u{e46}\\u{e81}-\\u{eb0}\\u{eb2}\\u{eb3}\\u{ebd}\\u{ec0}-\\u{ec6}' +
  '\\u{edc}-\\u{edf}\\u{1000}-\\u{102a}\\u{103f}\\u{1050}-\\u{1055}\\u{105a}-\\u{105d}\\u{1061}\\u{1065}\\u{1066}' +
  '\\u{106e}-\\u{1070}\\u{1075}-\\u{1081}\\u{108e}\\u{1780}-\\u{17b3}\\u{17d7}\\u{17dc}\\u{3005}\\u{3006}' +
  '\\u{3031}-\\u{3035}\\u{303b}\\u{303c}\\u{3041}-\\u{3096}\\u{309d}-\\u{309f}\\u{30a1}-\\u{30fa}\\u{30fc}-\\u{30ff}' +
  '\\u{3105}-\\u{312f}\\u{31a0}-\\u{31bf}\\u{31f0}-\\u{31ff}\\u{3400}-\\u{4dbf}\\u{4e00}-\\u{9fff}\\u{a9e0}-\\u{a9e4}' +
  '\\u{a9e7}-\\u{a9ef}\\u{a9fa}-\\u{a9fe}\\u{aa60}-\\u{aa76}\\u{aa7a}\\u{aa7e}\\u{aa7f}\\u{f900}-\\u{faff}' +
  '\\u{ff66}-\\u{ff9f}\\u{20000}-\\u{3ffff}';

/**
 * Members of patterns: what words are made of; of these the letters that are words by themselves, and all others. As in
 * the database, Roman numerals, fractions and the like are signs.
 */
export const lettersAndDigits = '\\p{L}\\p{Nd}';
export const letterApart = `[${apart}]`;
export const letter = `[[${lettersAndDigits}]--[${apart}]]`;

const unseenRun = new RegExp(`[${unseen}]+`, 'gu');

export const composed = (text: string): string =>
  text
    .replace(unseenRun, '')
    .normalize('NFC')
    .replace(/[０-９Ａ-Ｚａ-ｚ]/g, narrow)
    .replaceAll('İ', 'I')
    .replaceAll('〇', '零')
    .replaceAll('i\u0307', 'i');

const narrow = (character: string): string => String.fromCharCode(character.charCodeAt(0) - 0xfee0);

const wordOrLetter = new RegExp(`${letterApart}\\p{M}*|${letter}[${letter}\\p{M}]*`, 'gv');

/** The words of a composed text, in which no character has a meaning to a pattern. */
export const wordsOf = (text: string): string[] => text.match(wordOrLetter) ?? [];

const beginsApart = new RegExp(`^${letterApart}`, 'v');

/** Whether a word is a letter that is one by itself. */
export const isApart = (word: string): boolean => beginsApart.test(word);

/** A character and what composes with it or is not seen: marks, and the vowels and final consonants of Hangul. */
const unit = new RegExp(`[\\s\\S][\\p{M}\\u1161-\\u1175\\u11a8-\\u11c2${unseen}]*`, 'gu');

export interface ComposedText {
  readonly text: string;
  /** What stands for a part of the composed text, as it is stored: whole units. */
  original(from: number, to: number): [from: number, to: number];
}

export function composedWithPlaces(stored: string): ComposedText {
  const text = composed(stored);
  if (stored.normalize('NFC') === stored && text.length === stored.length)
    return { text, original: (from, to) => [from, to] };
  // Of each place in the composed text, where its unit begins and ends in the stored one.
  const [begins, ends]: [number[], number[]] = [[], []];
  for (const { 0: characters, index } of stored.matchAll(unit)) {
    for (let rest = composed(characters).length; rest > 0; rest -= 1) {
      begins.push(index);
      ends.push(index + characters.length);
    }
  }
  return { text, original: (from, to) => [begins[from]!, ends[to - 1]!] };
}
