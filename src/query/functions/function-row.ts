/** A function or method on single values: what it takes and gives, and how the database does it. */
import type { Sql } from '../../sql.js';
import type { Type } from '../types.js';

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
  /** The same where all numbers are whole: columns of these have bounds, and the database may make them doubles. */
  ofWhole?: (...args: Sql[]) => Sql;
  /**
   * Gives something whatever it is given (`never`), or may give null for a good value (`always`). Else null for null.
   */
  nulls?: 'never' | 'always';
  /**
   * Whether it can give anything for these arguments, of which those that are written down are told. Else they are
   * refused.
   */
  fits?: (...args: WrittenValue[]) => boolean;
  /** How many characters its text has at most. Undefined: as many as its arguments together. */
  characters?: (...args: WrittenValue[]) => number | undefined;
  /** How many copies it makes of a long text, where that is not the one it gives. */
  copies?: number;
  /** How many more of each argument that is one or is made of them. */
  copiesOfEach?: number;
  /**
   * How many digits before the point its number has at most, from those of its arguments. Undefined: no more than the
   * longest of them.
   */
  digits?: (...args: number[]) => number;
}

/** A number is a text; undefined: it is known only where the expression is evaluated. */
export type WrittenValue = string | boolean | null | undefined;
