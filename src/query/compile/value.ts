/** Spells the value of an expression as SQL, typed as the expression is. */

import { all, column, late, raw, type Sql, sql, value } from '../../sql.js';
import { rowOfAggregate } from '../aggregates.js';
import type { Literal, Of, Value } from '../meaning.js';
import type { Kind } from '../types.js';
import { isCut, isTest, itemOf, ofSorts } from '../values.js';
import { chainSql } from './chain.js';
import type { Row } from './compiling.js';
import { operandSql } from './operand.js';
import { firstOf, limitOf } from './order.js';
import { idSql, withRow } from './rows.js';
import { sameSql } from './text.js';

const isShape = ofSorts('shape');

export function valueSql(node: Value, row: Row): Sql {
  if (isTest(node)) return sql`((${row.to.spell.condition(node, row)}) is true)`;
  if (isShape(node)) throw new Error(`${node.kind} has no value`);
  switch (node.kind) {
    case 'literal':
      return literalSql(node);
    case 'field':
      return node.of.kind === 'row' ? fieldSql(node, row) : withRow(node.of, row, (one) => fieldSql(node, one));
    case 'element':
      return sql`btrim(${column(row.to.lists.get(node.list)!, 'v')})`;
    case 'key':
      return row.to.keys![node.index]!;
    case 'me':
      return late('actor.user');
    case 'late':
      return late(node.late);
    case 'aggregate':
      return aggregateSql(node, row);
    case 'first':
      return chainSql(node.of, row, ({ from, order, row: item }) => {
        return sql`(select ${valueSql(itemOf(node.of), item)} ${from} order by ${order} ${firstOf(node.of)})`;
      });
    case 'conditional':
      return sql`(case when ${row.to.spell.condition(node.test, row)} then ${valueSql(node.yes, row)} else ${valueSql(node.no, row)} end)`;
    case 'call':
      return node.function.sql(...node.args.map((arg) => valueSql(arg, row)));
    case 'row':
    case 'reference':
    case 'pointed':
    case 'cast':
    case 'chosen':
      throw new Error(`${node.kind} has no value`);
  }
}

const sqlTypes: Partial<Record<Kind, string>> = {
  integer: 'bigint',
  decimal: 'numeric',
  double: 'float8',
  boolean: 'boolean',
  moment: 'timestamptz',
  span: 'interval',
};

const literalSql = (node: Literal): Sql =>
  node.value === null ? raw(`null::${sqlTypes[node.type.kind] ?? 'text'}`) : value(node.value, node.sqlType);

function fieldSql({ operand }: Of<'field'>, row: Row): Sql {
  const stored = operandSql(operand, row);
  const isPlain = operand.kind === 'custom' || !operand.field.expression;
  return isPlain ? stored : sql`(${stored})`;
}

/**
 * Of the items of a collection or, over all that are asked for, of the rows at hand: they are read once, whatever is
 * reckoned of them.
 */
function aggregateSql(node: Of<'aggregate'>, row: Row): Sql {
  const { of } = node;
  if (of.source === 'root') {
    const filter = of.filters.map((one) => row.to.spell.condition(one, row));
    return reckoned(node, measured(node, row), filter.length > 0 ? sql` filter (where ${all(filter)})` : raw(''));
  }
  return chainSql(of, row, ({ from, order, row: item }) => {
    if (!isCut(of)) return sql`(select ${reckoned(node, measured(node, item))} ${from})`;
    const page = row.aliases.next();
    const one = measured(node, item) ?? raw('1');
    const rows = sql`select ${one} as v ${from} order by ${order} ${limitOf(of)}`;
    return sql`(select ${reckoned(node, column(page, 'v'))} from (${rows}) ${page})`;
  });
}

/** What is reckoned of an item; undefined where items are counted whatever they are. */
function measured({ of, value: measure, function: fn }: Of<'aggregate'>, row: Row): Sql | undefined {
  if (measure) return valueSql(measure, row);
  if (fn !== 'count' || !of.isDistinct || !of.projection) return undefined;
  const { projection } = of;
  return projection.type.kind === 'entity'
    ? idSql(projection, row)
    : sameSql(valueSql(projection, row), projection.type);
}

function reckoned({ of, function: fn, value: measure }: Of<'aggregate'>, one: Sql | undefined, filter = raw('')): Sql {
  const isDouble = measure?.type.kind === 'double';
  return rowOfAggregate(fn).sql({ of: one, isDouble, isDistinct: of.isDistinct, filter });
}
