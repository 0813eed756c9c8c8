/** What `q` asks for: words, the beginnings of words, phrases in quotes, ids; and what must not be there. */
import { badRequest, tooMuch } from '../../errors.js';
import { composed } from './letters.js';

export interface Term {
  /** Its letters are composed. */
  text: string;
  /** Words that only begin so are meant, too. */
  isPrefix: boolean;
  isExcluded: boolean;
  /** An entity by its number. */
  id?: number;
}

export const searchLimits = { characters: 500, words: 20, phrase: 10, prefix: 2 } as const;

const token = /(-?)(?:"([^"]*)"?|(\S+))/g;

/** Errors: 400 where there is nothing to look for, or too much. */
export function parseSearch(text: string): Term[] {
  if (text.length > searchLimits.characters) throw tooMuch('q', 'too many characters', searchLimits.characters);
  const terms = [...composed(text).matchAll(token)]
    .map(termOf)
    .filter(({ text: words }) => /[\p{L}\p{N}]/u.test(words));
  const lengths = terms.map(({ text: words }) => words.match(/[\p{L}\p{N}]+/gu)!.length);
  if (lengths.reduce((sum, length) => sum + length, 0) > searchLimits.words)
    throw tooMuch('q', 'too many words', searchLimits.words);
  if (lengths.some((length) => length > searchLimits.phrase))
    throw tooMuch('q', 'too many words in a phrase', searchLimits.phrase);
  if (!terms.some(({ isExcluded }) => !isExcluded)) {
    throw badRequest('q: a word to look for is needed, such as q=login or q="log in" -mobile.', 'InvalidParameter');
  }
  return terms;
}

function termOf([, minus, phrase, word = '']: RegExpMatchArray): Term {
  const isExcluded = minus === '-';
  if (phrase !== undefined) return { text: phrase, isPrefix: false, isExcluded };
  const letters = lettersOf(word);
  const isPrefix = letters > 0;
  if (isPrefix && letters < searchLimits.prefix) {
    throw badRequest(`q: before a star at least ${searchLimits.prefix} letters are needed.`, 'InvalidParameter');
  }
  const number = /^#?(\d{1,15})$/.exec(word)?.[1];
  return { text: word, isPrefix, isExcluded, ...(number && { id: Number(number) }) };
}

/** How many stand right before a star at the end. */
const lettersOf = (word: string): number => [...(/[\p{L}\p{N}]+(?=\*+$)/u.exec(word)?.[0] ?? '')].length;
