/** What `q` asks for: words, the beginnings of words, phrases in quotes, ids; and what must not be there. */
import { badRequest, tooMuch } from '../../errors.js';
import { composed, isApart, lettersAndDigits, wordsOf } from './letters.js';

export interface Term {
  /** In Unicode's NFC. */
  text: string;
  /** Matches all words that begin with the text. */
  isPrefix: boolean;
  isExcluded: boolean;
  /** Matches these words next to one another, in this order. */
  isPhrase: boolean;
  /** Also matches the entity with this id. */
  id?: number;
}

/** Letters that are words by themselves are counted apart. */
export const searchLimits = { characters: 500, words: 20, lettersApart: 60, prefix: 2 } as const;

const token = /(-?)(?:"([^"]*)("\*?)?|(\S+))/g;

/** Errors: 400 where there is nothing to look for, or too much. */
export function parseSearch(text: string): Term[] {
  refuseLong(text);
  const letters = composed(text);
  // Some letters come apart.
  refuseLong(letters);
  const terms = [...letters.replace(/[“”„‟]/g, '"').matchAll(token)]
    .map(termOf)
    .filter((term) => wordsOf(term.text).length > 0);
  const words = terms.flatMap((term) => wordsOf(term.text));
  const lettersApart = words.filter(isApart).length;
  if (words.length - lettersApart > searchLimits.words) throw tooMuch('q', 'too many words', searchLimits.words);
  if (lettersApart > searchLimits.lettersApart)
    throw tooMuch('q', 'too many letters of scripts without blanks', searchLimits.lettersApart);
  if (!terms.some(({ isExcluded }) => !isExcluded)) {
    throw badRequest('q: a word to look for is needed, such as login or "log in" -mobile.', 'InvalidParameter');
  }
  return terms;
}

/** So no word is too long for the database, which takes 2,046 bytes. */
function refuseLong(text: string): void {
  if (text.length > searchLimits.characters) throw tooMuch('q', 'too many characters', searchLimits.characters);
}

function termOf([, minus, phrase, closing, word]: RegExpMatchArray): Term {
  const text = phrase ?? word!;
  const letters = lettersOf(closing === '"*' ? `${text}*` : text);
  const isPrefix = letters > 0;
  if (isPrefix && letters < searchLimits.prefix) {
    throw badRequest(`q: before a star at least ${searchLimits.prefix} letters are needed.`, 'InvalidParameter');
  }
  const number = phrase === undefined ? /^#?(\d{1,15})$/.exec(text)?.[1] : undefined;
  const isPhrase = !isWord(text);
  return { text, isPrefix, isExcluded: minus === '-', isPhrase, ...(number && { id: Number(number) }) };
}

const lettersBeforeStar = new RegExp(`[${lettersAndDigits}][${lettersAndDigits}\\p{M}]*(?=\\*+$)`, 'u');

/** How many letters stand right before a star at the end. */
const lettersOf = (text: string): number => [...(lettersBeforeStar.exec(text)?.[0] ?? '')].length;

const lettersAlone = new RegExp(`^[${lettersAndDigits}][${lettersAndDigits}\\p{M}]*\\**$`, 'u');

const isWord = (text: string): boolean => lettersAlone.test(text) && wordsOf(text).length === 1;
