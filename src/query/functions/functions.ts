/**
 * Functions and methods on single values: what each takes and gives, and how the database does it. Its SQL cannot fail:
 * it gives null for what it cannot do, because the database may evaluate it on rows that the caller may not see, and a
 * failure would tell.
 */
import { raw, Sql } from '../../sql.js';
import { kept } from '../limits.js';
import type { Type } from '../types.js';
import { conversions, listFunctions } from './conversion.js';
import { dateFunctions } from './date.js';
import type { FunctionRow } from './function-row.js';
import { numberFunctions } from './number.js';
import { guidFunctions, textFunctions } from './text.js';

export const functionRows: readonly FunctionRow[] = [
  ...textFunctions,
  ...dateFunctions,
  ...numberFunctions,
  ...conversions,
  ...listFunctions,
  ...guidFunctions,
];

const byOwner = new Map<string, Map<string, FunctionRow[]>>();
for (const row of functionRows) {
  const names = kept(byOwner, (row.on ?? '').toLowerCase(), () => new Map<string, FunctionRow[]>());
  kept(names, row.name.toLowerCase(), () => []).push(row);
}

/** How often each argument is spelled, the value that a method is one of among them. */
export function timesOf(row: FunctionRow, count: number): number[] {
  const times = kept(keptTimes, row, () => []);
  times[count] ??= reckonedTimes(row, count);
  return times[count];
}

const keptTimes = new WeakMap<FunctionRow, number[][]>();

function reckonedTimes({ sql: spell }: FunctionRow, count: number): number[] {
  const args = Array.from({ length: count }, () => raw(''));
  const spelled = spell(...args);
  return args.map((arg) => timesIn(spelled, arg));
}

function timesIn(expression: Sql, part: Sql): number {
  if (expression === part) return 1;
  let times = 0;
  for (const chunk of expression.chunks) if (chunk instanceof Sql) times += timesIn(chunk, part);
  return times;
}

/** The row as it is for numbers of these types. */
export const ofNumbers = (row: FunctionRow, numbers: readonly { type: Type }[]): FunctionRow =>
  row.ofWhole && numbers.every(({ type }) => type.kind === 'integer') ? { ...row, sql: row.ofWhole } : row;

/** The rows of one name; they differ in how many arguments they take. */
export const functionsNamed = (owner: string, name: string): readonly FunctionRow[] =>
  byOwner.get(owner.toLowerCase())?.get(name.toLowerCase()) ?? [];

export const isNamespace = (name: string): boolean => namespaces.has(name.toLowerCase());
const namespaces = new Set(['datetime', 'math', 'convert', 'safeconvert', 'guid']);

/** What can be called on a kind of value, or a name; methods begin with a capital letter where they are told of. */
export const functionNames = (owner: string): string[] =>
  [...(byOwner.get(owner.toLowerCase())?.values() ?? [])].map(
    ([row]) => row!.name.charAt(0).toUpperCase() + row!.name.slice(1),
  );
