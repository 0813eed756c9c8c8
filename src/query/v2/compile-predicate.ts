/**
 * Spells conditions as SQL. What version 1 can say is spelled as it does, by the same Condition, so that the same indexes help;
 * only the rest is a comparison of two expressions.
 */
import { Bound } from '../../bound.js';
import { all, column, inParentheses, join, literal, name, raw, type Sql, sql } from '../../sql.js';
import { listedSql, operators } from '../compile-comparison.js';
import { conditionSql } from '../compile-condition.js';
import { offsetSql } from '../compile-order.js';
import { folded, patternSql } from '../compile-text.js';
import { type Compiling, conditionsSql, further, kindConditions, type Row } from '../compiling.js';
import type { Chain, Condition, Of, Value } from '../meaning.js';
import { chainSql } from './compile-chain.js';
import { idSql, rowOfBinder, seenOf, withRow } from './compile-rows.js';
import { valueSql } from './compile-value.js';
import { plainCondition } from './plain-condition.js';
import { isFreeText } from './types.js';

/** True, false or unknown, which is as good as false. */
export function predicateSql(node: Value, to: Compiling): Sql {
  switch (node.kind) {
    case 'and':
      return inParentheses(all(node.parts.map((part) => predicateSql(part, to))));
    case 'or':
      return sql`(${join(
        node.parts.map((part) => predicateSql(part, to)),
        raw(' or '),
      )})`;
    case 'literal':
      return raw(node.value === true ? 'true' : 'false');
    case 'not':
      return notSql(node.of, to);
    default:
      return plainSql(node, to) ?? ownSql(node, to);
  }
}

function notSql(of: Value, to: Compiling): Sql {
  if (of.kind === 'not') return predicateSql(of.of, to);
  const plain = plainOf(of, to);
  if (plain) return conditionSql({ kind: 'not', part: plain.condition }, plain.row);
  return sql`((${predicateSql(of, to)}) is not true)`;
}

function plainSql(node: Value, to: Compiling): Sql | undefined {
  const plain = plainOf(node, to);
  return plain && conditionSql(plain.condition, plain.row);
}

function plainOf(node: Value, to: Compiling): { condition: Condition; row: Row } | undefined {
  const plain = plainCondition(node);
  return plain && { condition: plain.condition, row: rowOfBinder(plain.binder, to) };
}

function ownSql(node: Value, to: Compiling): Sql {
  switch (node.kind) {
    case 'compare':
      return compareSql(node, to);
    case 'null':
      return nullSql(node.of, to);
    case 'in':
      return inSql(node, to);
    case 'contains':
      return containsSql(node, to);
    case 'some':
      return someSql(node.of, to);
    case 'near':
      return nearSql(node, to);
    default:
      return valueSql(node, to);
  }
}

/** Nothing equals nothing, and differs from everything else. */
function compareSql({ operator, left, right }: Of<'compare'>, to: Compiling): Sql {
  const isText = left.type.kind === 'text' && !(left.type.choices && right.type.kind === 'text' && right.type.choices);
  const spelled = (side: Value): Sql => (isText ? folded(valueSql(side, to)) : valueSql(side, to));
  const [one, other] = [spelled(left), spelled(right)];
  if (operator === 'ne' && (left.nullable || right.nullable)) return sql`(${one} is distinct from ${other})`;
  if (operator === 'eq' && left.nullable && right.nullable) return sql`(${one} is not distinct from ${other})`;
  return sql`(${one} ${operators[operator]} ${other})`;
}

const nullSql = (of: Value, to: Compiling): Sql =>
  of.type.kind === 'entity' ? sql`(${idSql(of, to)} is null)` : sql`(${valueSql(of, to)} is null)`;

function inSql({ of, values }: Of<'in'>, to: Compiling): Sql {
  const first = values[0];
  if (!first) return raw('false');
  const isText = isFreeText(of.type);
  const left = isText ? folded(valueSql(of, to)) : valueSql(of, to);
  const listed = values.map((one) => one.value);
  return sql`(${listedSql(left, listed, first.sqlType, isText)})`;
}

function containsSql({ of, part, wholeStart, wholeEnd }: Of<'contains'>, to: Compiling): Sql {
  const whole = folded(valueSql(of, to));
  if (part.kind === 'literal') {
    if (part.value === null) return raw('false');
    return sql`(${whole} like ${patternSql(Bound.constant(String(part.value)), { wholeStart, wholeEnd })})`;
  }
  const sought = folded(valueSql(part, to));
  if (wholeStart) return sql`starts_with(${whole}, ${sought})`;
  return wholeEnd ? sql`(right(${whole}, char_length(${sought})) = ${sought})` : sql`(strpos(${whole}, ${sought}) > 0)`;
}

function someSql(chain: Chain, to: Compiling): Sql {
  if (chain.take === 0) return raw('false');
  const skipped = offsetSql(chain.skip);
  if (chain.source !== 'root') return chainSql(chain, to, ({ from }) => sql`exists (select 1 ${from}${skipped})`);
  const filter = chain.filters.map((one) => predicateSql(one, to));
  return filter.length === 0 ? sql`(count(*) > 0)` : sql`(count(*) filter (where ${all(filter)}) > 0)`;
}

/** Fewer than so many lie between it and now. */
function nearSql(node: Of<'near'>, to: Compiling): Sql {
  const bound = node.isPast ? 'end_date' : 'start_date';
  const away = raw(node.isPast ? '<' : '>');
  const nearer = raw(node.isPast ? '>' : '<');
  return withRow(node.of, to, (row) => {
    const other = further(row);
    const between = all([
      ...kindConditions(node.resource, other),
      ...conditionsSql(seenOf(node), other),
      sql`${column(other.alias, node.owner.column)} = ${column(row.alias, node.owner.column)}`,
      sql`${column(other.alias, bound)} ${away} now()`,
      sql`(${column(other.alias, bound)}, ${column(other.alias, 'id')}) ${nearer} (${column(row.alias, bound)}, ${column(row.alias, 'id')})`,
    ]);
    return sql`(${column(row.alias, bound)} ${away} now()
      and (select count(*) from ${name(node.resource.table)} ${other.alias} where ${between}) < ${literal(node.count)})`;
  });
}
