/** Marks what was looked for in a piece of a text: HTML in which nothing but `<mark>` is markup. */
import { composedWithPlaces, isApart, letter, lettersAndDigits, wordsOf } from './letters.js';
import type { Term } from './search-text.js';

/** Undefined where none of the terms stands in the text. */
export function marked(text: string, terms: readonly Term[]): string | undefined {
  const wanted = wantedIn(terms, inText);
  if (wanted.length === 0) return undefined;
  const composed = composedWithPlaces(text);
  let [at, html] = [0, ''];
  for (const match of composed.text.matchAll(new RegExp(wanted.join('|'), 'giv'))) {
    const [begin, end] = composed.original(match.index, match.index + match[0].length);
    // Of two letters that are one in the stored text the second was marked with the first.
    if (begin < at) continue;
    html += `${escaped(text.slice(at, begin))}<mark>${escaped(text.slice(begin, end))}</mark>`;
    at = end;
  }
  return at === 0 ? undefined : html + escaped(text.slice(at));
}

/** How a word is asked for, as one kind of pattern spells it. */
interface Spelling {
  /** Nothing of a word stands there. */
  readonly before: string;
  readonly behind: string;
  /** The mark of a letter does not stand there. */
  readonly unmarked: string;
  /** Between two words, and between two of which one is a letter that is a word by itself. */
  readonly between: string;
  readonly beside: string;
  /** The rest of a word, and of such a letter. */
  readonly rest: string;
  readonly marks: string;
}

const inText: Spelling = {
  before: `(?<!${letter}\\p{M}*)`,
  behind: `(?!${letter}|\\p{M})`,
  unmarked: '(?!\\p{M})',
  between: `[^${lettersAndDigits}]+`,
  beside: `[^${lettersAndDigits}]*`,
  rest: `[${letter}\\p{M}]*`,
  marks: '\\p{M}*',
};

/** The database knows what these are in the text at hand. A piece begins there, so that more of a word is enough. */
const inDatabase: Spelling = {
  before: '<before>',
  behind: '<behind>',
  unmarked: '<unmarked>',
  between: '<between>',
  beside: '<beside>',
  rest: '',
  marks: '',
};

const wantedIn = (terms: readonly Term[], spelling: Spelling): string[] =>
  terms.filter(({ isExcluded }) => !isExcluded).flatMap((term) => patternOf(term, spelling));

function patternOf({ text, isPrefix }: Term, spelling: Spelling): string[] {
  const words = wordsOf(text);
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return [];
  const joined = words.reduce((all, word, at) => {
    const gap = isApart(word) || isApart(words[at - 1]!) ? spelling.beside : spelling.between;
    return `${all}${spelling.unmarked}${gap}${word}`;
  });
  const rest = isApart(last) ? spelling.marks : spelling.rest;
  const end = isPrefix ? rest : isApart(last) ? spelling.unmarked : spelling.behind;
  return [`${isApart(first) ? '' : spelling.before}${joined}${end}`];
}

/** A piece that ends within a phrase has not all of it. */
export const wordsApart = (terms: readonly Term[]): Term[] =>
  terms.flatMap((term) => wordsOf(term.text).map((text) => ({ ...term, text })));

/** Finds the first of the terms, as the database reads patterns (`search_piece`); in a text of any letter case. */
export const databasePattern = (terms: readonly Term[]): string => `(?:${wantedIn(terms, inDatabase).join('|')})`;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character]!);
