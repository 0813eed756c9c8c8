/** Marks what was looked for in a piece of a text: HTML in which nothing but `<mark>` is markup. */
import { composedWithPlaces } from './letters.js';
import type { Term } from './search-text.js';

/** Undefined where none of the terms stands in the text. */
export function marked(text: string, terms: readonly Term[]): string | undefined {
  const wanted = wantedIn(terms);
  if (!wanted) return undefined;
  const composed = composedWithPlaces(text);
  let [at, html] = [0, ''];
  for (const match of composed.text.matchAll(new RegExp(wanted, 'giu'))) {
    const [begin, end] = composed.original(match.index, match.index + match[0].length);
    html += `${escaped(text.slice(at, begin))}<mark>${escaped(text.slice(begin, end))}</mark>`;
    at = end;
  }
  return at === 0 ? undefined : html + escaped(text.slice(at));
}

const letter = '[\\p{L}\\p{N}]';

function wantedIn(terms: readonly Term[]): string | undefined {
  const parts = terms.filter(({ isExcluded }) => !isExcluded).flatMap(patternOf);
  return parts.length === 0 ? undefined : `(?<!${letter})(?:${parts.join('|')})(?!${letter})`;
}

function patternOf({ text, isPrefix }: Term): string[] {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  return [words.join('[^\\p{L}\\p{N}]+') + (isPrefix ? `${letter}*` : '')];
}

/** Runs of letters and digits, in which no character has a meaning to a pattern. */
export const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** A piece that ends within a phrase has not all of it. */
export const wordsApart = (terms: readonly Term[]): Term[] =>
  terms.flatMap((term) => wordsOf(term.text).map((text) => ({ ...term, text })));

/** Finds the first of the terms, as the database reads patterns; in a text of any letter case. */
export const databasePattern = (terms: readonly Term[]): string => {
  const parts = terms
    .filter(({ isExcluded }) => !isExcluded)
    .flatMap(({ text, isPrefix }) => {
      const words = wordsOf(text);
      return words.length === 0 ? [] : [words.join('[^[:alnum:]]+') + (isPrefix ? '' : '([^[:alnum:]]|$)')];
    });
  return `(^|[^[:alnum:]])(${parts.join('|')})`;
};

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character]!);
