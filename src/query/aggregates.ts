/** What is reckoned of many values, a row each, for both languages (docs/adding-an-operator.md). */
import type { AggregateWord } from '../model/appended.js';
import { raw, type Sql, sql } from '../sql.js';
import { decimal, integer, type Kind, numbers, type Type } from './types.js';

interface AggregateRow {
  /** In names of version 1, such as `Tasks-Count`. */
  word: AggregateWord;
  /** Of collections in version 2, in lower case. */
  methods: readonly string[];
  /** Kinds of values; none: it is of the items themselves. */
  takes: readonly Kind[];
  gives: (of: Type) => Type;
  /** Of no values it is nothing; else it is a number of them. */
  isNullOfNone: boolean;
  sql: (many: Many) => Sql;
}

/** The values of many rows, as SQL. */
export interface Many {
  /** Undefined where only rows are counted. */
  of?: Sql;
  isDouble: boolean;
  isDecimal: boolean;
  /** Each value once. */
  isDistinct: boolean;
  /** ` filter (where …)`, or nothing. */
  filter: Sql;
}

const ordered: readonly Kind[] = [...numbers, 'text', 'moment', 'span'];

/** The least or the greatest. */
const end = { takes: ordered, gives: (of: Type) => of, isNullOfNone: true };

const aggregates = {
  count: { word: 'Count', methods: ['count'], takes: [], gives: () => integer, isNullOfNone: false, sql: countSql },
  sum: {
    word: 'Sum',
    methods: ['sum'],
    takes: numbers,
    gives: (of) => of,
    isNullOfNone: false,
    sql: (many) => bounded(sql`coalesce(sum(${exactOf(many)})${many.filter}, ${noneOf(many)})`, many),
  },
  average: {
    word: 'Avg',
    methods: ['average', 'avg'],
    takes: numbers,
    gives: (of) => (of.kind === 'integer' ? decimal : of),
    isNullOfNone: true,
    sql: (many) => {
      const average = sql`avg(${exactOf(many)})${many.filter}`;
      return many.isDouble ? bounded(average, many) : sql`trim_scale(${average})`;
    },
  },
  min: { ...end, word: 'Min', methods: ['min'], sql: ({ of, filter }) => sql`min(${of!})${filter}` },
  max: { ...end, word: 'Max', methods: ['max'], sql: ({ of, filter }) => sql`max(${of!})${filter}` },
} as const satisfies Record<string, AggregateRow>;

export type Aggregation = keyof typeof aggregates;

export const aggregations = Object.keys(aggregates) as Aggregation[];

export const aggregateMethods = aggregations.flatMap((aggregation) =>
  aggregates[aggregation].methods.map((method) => [method, aggregation] as const),
);

export const rowOfAggregate = (aggregation: Aggregation): AggregateRow => aggregates[aggregation];

/** Else rows are counted. */
export const takesValue = (aggregation: Aggregation): boolean => rowOfAggregate(aggregation).takes.length > 0;

function countSql({ of, isDistinct, filter }: Many): Sql {
  if (of === undefined || !isDistinct) return sql`count(*)${filter}`;
  // Nothing is a value of its own.
  return sql`(count(distinct ${of})${filter} + coalesce(max((${of} is null)::int)${filter}, 0))`;
}

/**
 * Doubles are added as the decimals that they are written as: a sum of doubles depends on the order of the rows, and
 * that on rows that the reader may not see. Sums and averages of these stay in the range of doubles.
 */
function exactOf({ of, isDouble, isDistinct }: Many): Sql {
  const exact = isDouble ? sql`bounded_sum(${of!}, 0::float8)::text::numeric` : of!;
  return isDistinct ? sql`${raw('distinct ')}${exact}` : exact;
}

/** The sum of none has the places that other sums have. */
const noneOf = ({ isDecimal }: Many): Sql => raw(isDecimal ? '0.0000' : '0');

const bounded = (result: Sql, { isDouble }: Many): Sql => (isDouble ? sql`bounded_double(${result})` : result);
