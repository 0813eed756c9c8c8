/** Spells a condition as SQL about the row at hand, in the form that is best for it. */
import { Bound } from '../../bound.js';
import { all, column, inParentheses, join, literal, name, not, raw, type Sql, sql, value } from '../../sql.js';
import type { Condition, Of, Operand, Value } from '../meaning.js';
import { comparisons, partOperators } from '../operators.js';
import { condition, isTest } from '../values.js';
import { further, kindSql, type Row, rowConditions } from './compiling.js';
import { formOf, isConstant, isOwn, mayBeUnknown, seenOf } from './forms.js';
import { insideSql, linkedToMineSql, mineSql, relatedSql, someSql } from './relation.js';
import { idSql, withRow } from './rows.js';
import { folded, listedSql, patternSql } from './text.js';

/** True, false or unknown, which is as good as false. */
export function conditionSql(node: Condition, row: Row): Sql {
  const form = formOf(node);
  if (form.kind === 'literal') return raw(form.value === true ? 'true' : 'false');
  if (!isTest(form)) return row.to.spell.value(form, row);
  switch (form.kind) {
    case 'and':
    case 'or':
      return groupSql(form.kind, form.parts, row);
    case 'not':
      return notSql(form.of, row);
    case 'compare':
      return compareSql(form, row);
    case 'in':
      return inSql(form, row);
    case 'contains':
      return containsSql(form, row);
    case 'null':
      return nullSql(form.of, row);
    case 'near':
      return nearSql(form, row);
    case 'some':
      return someSql(form.of, row);
    case 'related':
      return relatedSql(form, row);
    case 'inside':
      return insideSql(form, row);
    case 'deleted':
      return sql`${column(row.alias, 'delete_date')} is not null`;
    case 'deletedBefore':
      return sql`coalesce(${column(row.alias, 'delete_date')} < now() - interval '1 day', false)`;
    case 'mine':
      return mineSql(column(row.alias, form.column), form.set, row);
    case 'linkedToMine':
      return linkedToMineSql(form, row);
    case 'ofKind':
      return kindSql(row.alias, form.column, form.values);
  }
}

function groupSql(kind: 'and' | 'or', parts: readonly Condition[], row: Row): Sql {
  if (parts.length === 0) return raw(kind === 'and' ? 'true' : 'false');
  const spelled = parts.map((part) => conditionSql(part, row));
  if (spelled.length === 1) return spelled[0]!;
  return kind === 'and' ? inParentheses(all(spelled)) : sql`(${join(spelled, raw(' or '))})`;
}

/** Two-valued: what is unknown counts as not so, and `not` of it holds. */
function notSql(of: Condition, row: Row): Sql {
  const form = formOf(of);
  // Spelled as the predicates of the indexes are.
  if (form.kind === 'deleted') return sql`${column(row.alias, 'delete_date')} is null`;
  return mayBeUnknown(form) ? sql`(${conditionSql(form, row)}) is not true` : not(conditionSql(form, row));
}

// --- comparisons -----------------------------------------------------------------------------------------------------

/**
 * Text is compared without regard to case, by the database's rules on both sides; names of an enumeration have one
 * spelling.
 */
const isText = ({ type }: Value): boolean => type.kind === 'text' || type.kind === 'link';
const isChoice = ({ type }: Value): boolean => type.kind === 'text' && type.choices !== undefined;

/** As text is compared. Beside what is the same for all rows a column stands as it does in indexes. */
const foldedSql = (of: Value, row: Row, isPlain: boolean): Sql =>
  isPlain && isOwn(of) ? sql`lower(${row.to.spell.value(of, row)})` : folded(row.to.spell.value(of, row));

/** Nothing equals nothing, and differs from everything else. */
function compareSql({ operator, left, right }: Of<'compare'>, row: Row): Sql {
  const contained = operator === 'eq' && containmentSql(left, right, row);
  if (contained) return contained;
  const spelled = (side: Value): Sql =>
    isText(left) && !(isChoice(left) && isChoice(right))
      ? foldedSql(side, row, isConstant(right))
      : row.to.spell.value(side, row);
  const [one, other] = [spelled(left), spelled(right)];
  if (operator === 'ne' && (left.nullable || right.nullable)) return sql`${one} is distinct from ${other}`;
  if (operator === 'eq' && left.nullable && right.nullable) return sql`${one} is not distinct from ${other}`;
  return sql`${one} ${comparisons[operator].sql} ${other}`;
}

/** Equality of numbers, flags and options of custom fields is containment, which the index on custom values answers. */
function containmentSql(left: Value, right: Value, row: Row): Sql | undefined {
  if (!isOwn(left) || left.operand.kind !== 'custom' || left.operand.values || right.kind !== 'literal')
    return undefined;
  const { operand } = left;
  const content = contents[operand.type];
  if (!content || right.value === null || (operand.type === 'DropDown' && !right.isOption)) return undefined;
  const key = JSON.stringify(operand.name);
  const stored = Bound.of(right.value).map((one) => `{${key}:${content(String(one))}}`);
  const contained = sql`${column(row.alias, operand.column)} @> ${value(stored, 'jsonb')}`;
  return operand.type === 'Entity' ? sql`(${contained} and ${row.to.spell.value(left, row)} is not null)` : contained;
}

/** `+5`, `.5` and `5.` are numbers to a filter and none to JSON. */
const jsonNumber = (text: string): string =>
  text
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=e|E|$)/, '');

const contents: Partial<Record<Extract<Operand, { kind: 'custom' }>['type'], (value: string) => string>> = {
  Number: jsonNumber,
  Money: jsonNumber,
  CheckBox: (flag) => flag,
  DropDown: (option) => JSON.stringify(option),
  Entity: (id) => `{"Id":${jsonNumber(id)}}`,
};

function inSql({ of, values }: Of<'in'>, row: Row): Sql {
  const literals = values.filter((one) => one.kind === 'literal');
  const [first] = literals;
  if (!first || literals.length < values.length) {
    const equal = (right: Value): Condition => condition({ kind: 'compare', operator: 'eq', left: of, right });
    return groupSql('or', values.map(equal), row);
  }
  const isFolded = isText(of) && !isChoice(of);
  const left = isFolded ? foldedSql(of, row, true) : row.to.spell.value(of, row);
  return listedSql(left, Bound.list(literals.map((one) => Bound.of(one.value))), first.sqlType, isFolded);
}

function containsSql({ of, part, wholeStart, wholeEnd }: Of<'contains'>, row: Row): Sql {
  const whole = foldedSql(of, row, isConstant(part));
  if (part.kind === 'literal') {
    if (part.value === null) return raw('false');
    return sql`${whole} like ${patternSql(Bound.of(part.value).map(String), { wholeStart, wholeEnd })}`;
  }
  const sought = folded(row.to.spell.value(part, row));
  return partOperators.find((one) => one.wholeStart === wholeStart && one.wholeEnd === wholeEnd)!.sql(whole, sought);
}

function nullSql(of: Value, row: Row): Sql {
  if (of.type.kind === 'entity') return sql`${idSql(of, row)} is null`;
  const operand = isOwn(of) && of.operand.kind === 'custom' ? of.operand : undefined;
  if (!operand || operand.target || operand.values) return sql`(${row.to.spell.value(of, row)}) is null`;
  return sql`(${column(row.alias, operand.column)} ->> ${value(operand.name, 'text')}) is null`;
}

/** Fewer than so many lie between it and now. */
function nearSql(node: Of<'near'>, row: Row): Sql {
  const bound = node.isPast ? 'end_date' : 'start_date';
  const away = raw(node.isPast ? '<' : '>');
  const nearer = raw(node.isPast ? '>' : '<');
  return withRow(node.of, row, (one) => {
    const other = further(one);
    const between = all([
      ...rowConditions(node.resource, seenOf(node), other),
      sql`${column(other.alias, node.owner.column)} = ${column(one.alias, node.owner.column)}`,
      sql`${column(other.alias, bound)} ${away} now()`,
      sql`(${column(other.alias, bound)}, ${column(other.alias, 'id')}) ${nearer} (${column(one.alias, bound)}, ${column(one.alias, 'id')})`,
    ]);
    return sql`(${column(one.alias, bound)} ${away} now()
      and (select count(*) from ${name(node.resource.table)} ${other.alias} where ${between}) < ${literal(node.count)})`;
  });
}
