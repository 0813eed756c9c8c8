/**
 * Letters as they are searched: composed (NFC), those of full width as ordinary ones. The database composes what is
 * stored by the same rule, `search_compose`.
 */

export const composed = (text: string): string => text.normalize('NFC').replace(/[０-９Ａ-Ｚａ-ｚ]/g, narrow);

const narrow = (character: string): string => String.fromCharCode(character.charCodeAt(0) - 0xfee0);

/** A character and what composes with it: marks, and the vowels and final consonants of Hangul. */
const unit = /[\s\S][\p{M}\u1161-\u1175\u11a8-\u11c2]*/gu;

export interface ComposedText {
  readonly text: string;
  /** What stands for a part of the composed text, as it is stored: whole units. */
  original(from: number, to: number): [from: number, to: number];
}

export function composedWithPlaces(stored: string): ComposedText {
  const text = composed(stored);
  if (stored.normalize('NFC') === stored) return { text, original: (from, to) => [from, to] };
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
