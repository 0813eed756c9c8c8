/** Marks what was looked for in a piece of a text: HTML in which nothing but `<mark>` is markup. */
import type { Term } from './search-text.js';

/** Undefined where none of the terms stands in the text. */
export function marked(text: string, terms: readonly Term[]): string | undefined {
  const wanted = wantedIn(terms);
  if (!wanted) return undefined;
  let [at, html] = [0, ''];
  for (const match of text.matchAll(new RegExp(wanted, 'giu'))) {
    html += `${escaped(text.slice(at, match.index))}<mark>${escaped(match[0])}</mark>`;
    at = match.index + match[0].length;
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
