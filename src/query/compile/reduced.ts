/** Spells lists of values and what is reckoned of many, from the SQL of these: the same for both versions. */
import type { Bound } from '../../bound.js';
import { raw, type Sql, type SqlType, sql, value } from '../../sql.js';
import type { Aggregation } from '../meaning.js';
import { folded } from './text.js';

/** `left` is folded where texts are compared. */
export function listedSql(
  left: Sql,
  values: readonly unknown[] | Bound<unknown[]>,
  type: SqlType,
  isText: boolean,
): Sql {
  const bound = value(values, `${type}[]` as SqlType);
  return isText
    ? sql`${left} in (select ${folded(raw('listed'))} from unnest(${bound}) listed)`
    : sql`${left} = any(${bound})`;
}

interface Reduced {
  of: Sql;
  isDouble?: boolean;
  distinct?: Sql;
  filter?: Sql;
}

/**
 * Doubles are added as the decimals that they are written as: a sum of doubles depends on the order of the rows, and that on rows that
 * the reader may not see. Sums and averages of these stay in the range of doubles.
 */
export function reducedSql(
  fn: Exclude<Aggregation, 'count'>,
  { of, isDouble = false, distinct = raw(''), filter = raw('') }: Reduced,
): Sql {
  const one = isDouble ? sql`bounded_double(${of})::text::numeric` : of;
  switch (fn) {
    case 'sum':
      return inRange(sql`coalesce(sum(${distinct}${one})${filter}, 0)`, isDouble);
    case 'average':
      return isDouble
        ? inRange(sql`avg(${distinct}${one})${filter}`, isDouble)
        : sql`trim_scale(avg(${distinct}${one})${filter})`;
    case 'min':
      return sql`min(${of})${filter}`;
    case 'max':
      return sql`max(${of})${filter}`;
  }
}

const inRange = (result: Sql, isDouble: boolean): Sql => (isDouble ? sql`bounded_double(${result})` : result);
