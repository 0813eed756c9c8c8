/**
 * The operators of both languages, a row each: how it is written, and how the database asks it
 * (docs/adding-an-operator.md).
 */
import { raw, type Sql, sql } from '../sql.js';

interface ComparisonRow {
  /** In expressions, the one that messages name first. In filters the name of the row is the word. */
  signs: readonly [string, ...string[]];
  /** Between its sides. */
  sql: Sql;
  /** What it is with its sides changed. */
  flipped: string;
}

/** Two values of one type, as true or false. */
export const comparisons = {
  eq: { signs: ['==', '='], sql: raw('='), flipped: 'eq' },
  ne: { signs: ['!=', '<>'], sql: raw('<>'), flipped: 'ne' },
  gt: { signs: ['>'], sql: raw('>'), flipped: 'lt' },
  gte: { signs: ['>='], sql: raw('>='), flipped: 'lte' },
  lt: { signs: ['<'], sql: raw('<'), flipped: 'gt' },
  lte: { signs: ['<='], sql: raw('<='), flipped: 'gte' },
} as const satisfies Record<string, ComparisonRow>;

export type Comparison = keyof typeof comparisons;
export type ComparisonSign = (typeof comparisons)[Comparison]['signs'][0];

export const comparisonNames = Object.keys(comparisons) as Comparison[];

export const comparisonSigns: ReadonlyMap<string, Comparison> = new Map(
  comparisonNames.flatMap((name) => comparisons[name].signs.map((sign) => [sign, name] as const)),
);

/** Whether a text has another one as a part, and where. */
export interface PartRow {
  /** In expressions a method of texts. */
  method: string;
  /** In filters, where it can be asked. */
  word?: string;
  /** Which ends of the part are ends of the whole. */
  wholeStart: boolean;
  wholeEnd: boolean;
  /** Of a part that is not written down: one that is becomes a pattern. Both are folded. */
  sql: (whole: Sql, part: Sql) => Sql;
}

export const partOperators: readonly PartRow[] = [
  {
    method: 'Contains',
    word: 'contains',
    wholeStart: false,
    wholeEnd: false,
    sql: (whole, part) => sql`strpos(${whole}, ${part}) > 0`,
  },
  {
    method: 'StartsWith',
    wholeStart: true,
    wholeEnd: false,
    sql: (whole, part) => sql`starts_with(${whole}, ${part})`,
  },
  {
    method: 'EndsWith',
    wholeStart: false,
    wholeEnd: true,
    sql: (whole, part) => sql`right(${whole}, char_length(${part})) = ${part}`,
  },
];

/**
 * What `is` of expressions asks by a word, in lower case: nothing at all, or a flag of the entity before it, where that
 * has such a flag. Anything else behind `is` is what both sides are compared with.
 */
export type StateWord = { asks: 'nothing' } | { asks: 'flag'; field: string };

const flag = (field: string): StateWord => ({ asks: 'flag', field });

export const stateWords: ReadonlyMap<string, StateWord> = new Map([
  ['none', { asks: 'nothing' }],
  ['current', flag('IsCurrent')],
  ['now', flag('IsNow')],
  ['next', flag('IsNext')],
  ['future', flag('IsNext')],
  ['previous', flag('IsPrevious')],
  ['past', flag('IsPrevious')],
]);
