/**
 * Functions and methods on single values: what each takes and gives, and how the database does it. Its SQL cannot fail: it gives
 * null for what it cannot do, because the database may evaluate it on rows that the caller may not see, and a failure would tell.
 */
import { raw, type Sql, timesIn } from '../../sql.js';
import { conversions } from './functions-conversion.js';
import { dateFunctions } from './functions-date.js';
import { guidFunctions } from './functions-guid.js';
import { listFunctions } from './functions-list.js';
import { numberFunctions } from './functions-number.js';
import { textFunctions } from './functions-text.js';
import type { Type } from './types.js';

/** What an argument is turned into before it is given; `number` and `any` are taken as they are. */
export type Takes = 'text' | 'integer' | 'decimal' | 'double' | 'boolean' | 'moment' | 'span' | 'number' | 'any';

export interface FunctionRow {
  /** What it is a method of: a kind of value, or a name such as `Math`. Undefined: it stands alone. */
  on?: string;
  /** In camelCase, as a member takes it that has no name of its own. */
  name: string;
  /** Of a method, the value itself is not among them. */
  takes: readonly Takes[];
  gives: Type | ((args: readonly Type[]) => Type);
  sql: (...args: Sql[]) => Sql;
  /** Gives something whatever it is given (`never`), or may give null for a good value (`always`). Else null for null. */
  nulls?: 'never' | 'always';
  /** Whether it can give anything for these arguments, of which those that are written down are told. Else they are refused. */
  fits?: (...args: WrittenValue[]) => boolean;
  /** How many characters its text has at most. Undefined: as many as its arguments together. */
  characters?: number;
  /** How many digits before the point its number has at most, from those of its arguments. Undefined: no more than the longest of them. */
  digits?: (...args: number[]) => number;
}

/** A number is a text; undefined: it is known only where the expression is evaluated. */
export type WrittenValue = string | boolean | null | undefined;

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
  const owner = (row.on ?? '').toLowerCase();
  const names = byOwner.get(owner) ?? new Map<string, FunctionRow[]>();
  byOwner.set(owner, names);
  names.set(row.name.toLowerCase(), [...(names.get(row.name.toLowerCase()) ?? []), row]);
}

/** How often each argument is spelled, the value that a method is one of among them. */
export function timesOf({ sql: spell }: FunctionRow, count: number): number[] {
  const args = Array.from({ length: count }, () => raw(''));
  const spelled = spell(...args);
  return args.map((arg) => timesIn(spelled, arg));
}

/** The rows of one name; they differ in how many arguments they take. */
export const functionsNamed = (owner: string, name: string): readonly FunctionRow[] =>
  byOwner.get(owner.toLowerCase())?.get(name.toLowerCase()) ?? [];

export const isNamespace = (name: string): boolean => namespaces.has(name.toLowerCase());
const namespaces = new Set(['datetime', 'math', 'convert', 'safeconvert', 'guid']);

/** What can be called on a kind of value, or a name. */
export const functionNames = (owner: string): string[] =>
  [...(byOwner.get(owner.toLowerCase())?.values() ?? [])].map(([row]) => row!.name);
