/** The text of `where` as people edit it: conditions that must all hold, and what could stand where they type. */
import { ApiError } from '../../errors.js';
import { parseWhere, wantedBehind } from './parse.js';
import type { Filter, Literal } from './query.js';
import { bareWord, type Gap, Scanner } from './scanner.js';

/** `Release.Name eq 'x'`, `Id not in (1,2)`: an operator in its words, and its values without quotes. */
export interface ConditionRow {
  path: string;
  operator: string;
  values: string[];
}

/** Nothing where the text says more than rows can, compares with an empty text, or is not well formed. */
export function conditionRows(text: string): ConditionRow[] | undefined {
  if (text.trim() === '') return [];
  try {
    const { filter } = parseWhere(text);
    const rows = (filter.kind === 'and' ? filter.parts : [filter]).flatMap((part) => rowOf(part) ?? []);
    const count = filter.kind === 'and' ? filter.parts.length : 1;
    return rows.length === count ? rows : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function rowOf(filter: Filter): ConditionRow | undefined {
  switch (filter.kind) {
    case 'compare':
      return row(filter.path, filter.operator, [filter.value]);
    case 'contains':
      return row(filter.path, `${filter.negated ? 'not ' : ''}${filter.operator.word}`, [filter.value]);
    case 'in':
      return row(filter.path, filter.negated ? 'not in' : 'in', filter.values);
    case 'null':
      return row(filter.path, filter.negated ? 'is not null' : 'is null', []);
    case 'and':
    case 'or':
    case 'not':
      return undefined;
  }
}

function row(path: readonly string[], operator: string, literals: readonly Literal[]): ConditionRow | undefined {
  const values = literals.map(({ text }) => text);
  return values.includes('') ? undefined : { path: path.join('.'), operator, values };
}

/** What is wanted at the caret, what was typed of it, and how far in the text that goes. */
export interface CaretPlace extends Gap {
  typed: string;
  to: number;
}

/** `caret` counts UTF-16 units. Errors: 400 for a NUL, which no filter may hold. */
export function placeAt(text: string, caret: number): CaretPlace {
  const before = text.slice(0, caret);
  const place = wantedBehind(before.slice(0, startOfWord(before)));
  return { ...place, typed: text.slice(place.from, caret), to: Math.max(caret, endOfWord(text, place.from, caret)) };
}

/** Of the word without quotes that ends with the text. */
function startOfWord(text: string): number {
  let start = text.length;
  for (const character of Array.from(text).reverse()) {
    if (!isOfWord.test(character)) break;
    start -= character.length;
  }
  return start;
}

const isOfWord = /^[\p{L}\p{M}\p{N}_.+:@-]$/u;

/** Of the quoted text that begins at `from`, or of the word at the caret. */
function endOfWord(text: string, from: number, caret: number): number {
  const isQuoted = /['"]/.test(text[from] ?? '');
  const start = isQuoted ? from : caret;
  const scanner = new Scanner('where', text.slice(start));
  try {
    scanner.literal(() => (isQuoted ? scanner.quoted()! : scanner.run(bareWord)));
    return start + scanner.words[0]!.end;
  } catch (error) {
    if (error instanceof ApiError) return text.length;
    throw error;
  }
}
