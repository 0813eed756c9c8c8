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
import { conditionsSql, further, kindConditions, type Row } from '../compiling.js';
import type { Chain, Of, Value } from '../meaning.js';
import { chainSql } from './compile-chain.js';
import { idSql, seenOf, withRow } from './compile-rows.js';
import { valueSql } from './compile-value.js';
import { plainCondition } from './plain-condition.js';
import { isFreeText } from './types.js';

/** True, false or unknown, which is as good as false. */
export function predicateSql(node: Value, row: Row): Sql {
  switch (node.kind) {
    case 'and':
      return inParentheses(all(node.parts.map((part) => predicateSql(part, row))));
    case 'or':
      return sql`(${join(
        node.parts.map((part) => predicateSql(part, row)),
        raw(' or '),
      )})`;
    case 'literal':
      return raw(node.value === true ? 'true' : 'false');
    case 'not':
      return notSql(node.of, row);
    default:
      return plainSql(node, row) ?? ownSql(node, row);
  }
}

function notSql(of: Value, row: Row): Sql {
  if (of.kind === 'not') return predicateSql(of.of, row);
  const plain = plainCondition(of);
  if (plain) return conditionSql({ kind: 'not', part: plain }, row);
  return sql`((${predicateSql(of, row)}) is not true)`;
}

function plainSql(node: Value, row: Row): Sql | undefined {
  const plain = plainCondition(node);
  return plain && conditionSql(plain, row);
}

function ownSql(node: Value, row: Row): Sql {
  switch (node.kind) {
    case 'compare':
      return compareSql(node, row);
    case 'null':
      return nullSql(node.of, row);
    case 'in':
      return inSql(node, row);
    case 'contains':
      return containsSql(node, row);
    case 'some':
      return someSql(node.of, row);
    case 'near':
      return nearSql(node, row);
    default:
      return valueSql(node, row);
  }
}

/** Nothing equals nothing, and differs from everything else. */
function compareSql({ operator, left, right }: Of<'compare'>, row: Row): Sql {
  const isText = left.type.kind === 'text' && !(left.type.choices && right.type.kind === 'text' && right.type.choices);
  const spelled = (side: Value): Sql => (isText ? folded(valueSql(side, row)) : valueSql(side, row));
  const [one, other] = [spelled(left), spelled(right)];
  if (operator === 'ne' && (left.nullable || right.nullable)) return sql`(${one} is distinct from ${other})`;
  if (operator === 'eq' && left.nullable && right.nullable) return sql`(${one} is not distinct from ${other})`;
  return sql`(${one} ${operators[operator]} ${other})`;
}

const nullSql = (of: Value, row: Row): Sql =>
  of.type.kind === 'entity' ? sql`(${idSql(of, row)} is null)` : sql`(${valueSql(of, row)} is null)`;

function inSql({ of, values }: Of<'in'>, row: Row): Sql {
  const first = values[0];
  if (!first) return raw('false');
  const isText = isFreeText(of.type);
  const left = isText ? folded(valueSql(of, row)) : valueSql(of, row);
  const listed = values.map((one) => one.value);
  return sql`(${listedSql(left, listed, first.sqlType, isText)})`;
}

function containsSql({ of, part, wholeStart, wholeEnd }: Of<'contains'>, row: Row): Sql {
  const whole = folded(valueSql(of, row));
  if (part.kind === 'literal') {
    if (part.value === null) return raw('false');
    return sql`(${whole} like ${patternSql(Bound.constant(String(part.value)), { wholeStart, wholeEnd })})`;
  }
  const sought = folded(valueSql(part, row));
  if (wholeStart) return sql`starts_with(${whole}, ${sought})`;
  return wholeEnd ? sql`(right(${whole}, char_length(${sought})) = ${sought})` : sql`(strpos(${whole}, ${sought}) > 0)`;
}

function someSql(chain: Chain, row: Row): Sql {
  if (chain.take === 0) return raw('false');
  const skipped = offsetSql(chain.skip);
  if (chain.source !== 'root') return chainSql(chain, row, ({ from }) => sql`exists (select 1 ${from}${skipped})`);
  const filter = chain.filters.map((one) => predicateSql(one, row));
  return filter.length === 0 ? sql`(count(*) > 0)` : sql`(count(*) filter (where ${all(filter)}) > 0)`;
}

/** Fewer than so many lie between it and now. */
function nearSql(node: Of<'near'>, row: Row): Sql {
  const bound = node.isPast ? 'end_date' : 'start_date';
  const away = raw(node.isPast ? '<' : '>');
  const nearer = raw(node.isPast ? '>' : '<');
  return withRow(node.of, row, (one) => {
    const other = further(one);
    const between = all([
      ...kindConditions(node.resource, other),
      ...conditionsSql(seenOf(node), other),
      sql`${column(other.alias, node.owner.column)} = ${column(one.alias, node.owner.column)}`,
      sql`${column(other.alias, bound)} ${away} now()`,
      sql`(${column(other.alias, bound)}, ${column(other.alias, 'id')}) ${nearer} (${column(one.alias, bound)}, ${column(one.alias, 'id')})`,
    ]);
    return sql`(${column(one.alias, bound)} ${away} now()
      and (select count(*) from ${name(node.resource.table)} ${other.alias} where ${between}) < ${literal(node.count)})`;
  });
}
