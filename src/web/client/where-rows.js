/** Conditions as rows that all must hold, and the text of `where` that they are. */
import { quoted } from './spell.js';

/**
 * @typedef {'text' | 'number' | 'flag' | 'moment' | 'choice'} ValueKind
 * @typedef {{ path: string, operator: string, values: string[] }} Row
 * @typedef {'none' | 'one' | 'list'} Arity how many values stand behind an operator
 * @typedef {{ name: string, words: string, takes: Arity, kinds: readonly ValueKind[] }} Operator
 */

/** @type {readonly ValueKind[]} */
const every = ['text', 'number', 'flag', 'moment', 'choice'];
/** @type {readonly ValueKind[]} */
const ordered = ['number', 'moment', 'text'];

/** In the order they are offered in. @type {readonly Operator[]} */
export const operators = [
  { name: 'eq', words: 'is', takes: 'one', kinds: every },
  { name: 'ne', words: 'is not', takes: 'one', kinds: every },
  { name: 'contains', words: 'contains', takes: 'one', kinds: ['text'] },
  { name: 'not contains', words: 'does not contain', takes: 'one', kinds: ['text'] },
  { name: 'gt', words: 'greater than', takes: 'one', kinds: ordered },
  { name: 'gte', words: 'at least', takes: 'one', kinds: ordered },
  { name: 'lt', words: 'less than', takes: 'one', kinds: ordered },
  { name: 'lte', words: 'at most', takes: 'one', kinds: ordered },
  { name: 'in', words: 'is one of', takes: 'list', kinds: ['text', 'number', 'choice', 'moment'] },
  { name: 'not in', words: 'is none of', takes: 'list', kinds: ['text', 'number', 'choice', 'moment'] },
  { name: 'is null', words: 'is empty', takes: 'none', kinds: every },
  { name: 'is not null', words: 'is not empty', takes: 'none', kinds: every },
];

/** @param {string} name @returns {Operator} */
export const operatorNamed = (name) =>
  operators.find((one) => one.name === name) ?? /** @type {Operator} */ (operators[0]);

/**
 * Rows that are not finished are left out.
 * @param {readonly Row[]} rows
 * @param {(path: string) => ValueKind | undefined} kindOf
 */
export function spellRows(rows, kindOf) {
  const texts = rows.filter(isFinished).map((row) => spellRow(row, kindOf(row.path)));
  return texts.length === 1 ? /** @type {string} */ (texts[0]) : texts.map((text) => `(${text})`).join(' and ');
}

/** @param {Row} row */
export function isFinished({ path, operator, values }) {
  if (path === '' || path.endsWith('.')) return false;
  const { takes } = operatorNamed(operator);
  return takes === 'none' || values.some((value) => value !== '');
}

/** @param {Row} row @param {ValueKind | undefined} kind */
function spellRow({ path, operator, values }, kind) {
  const { takes } = operatorNamed(operator);
  const field = /^[\p{L}\p{M}\p{N}_.-]+$/u.test(path) ? path : quoted(path);
  if (takes === 'none') return `${field} ${operator}`;
  const spelled = values.filter((value) => value !== '').map((value) => spellValue(value, kind));
  return `${field} ${operator} ${takes === 'list' ? `(${spelled.join(',')})` : spelled[0]}`;
}

/**
 * Numbers stand bare, unless they are to be compared with texts. @param {string} value @param {ValueKind | undefined}
 * kind
 */
const spellValue = (value, kind) =>
  (kind === 'number' || kind === undefined) && /^-?\d+(\.\d+)?$/.test(value) ? value : quoted(value);
