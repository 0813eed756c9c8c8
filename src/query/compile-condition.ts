/** Spells a Condition as SQL about one row. */
import { Bound } from '../bound.js';
import type { CollectionField } from '../model/model.js';
import { all, column, exists, inParentheses, join, late, name, not, raw, type Sql, sql, value } from '../sql.js';
import { listedSql, operators } from './compile-comparison.js';
import { isText, nullSql, operandSql, scalarSql } from './compile-operand.js';
import { folded, patternSql } from './compile-text.js';
import { conditionsSql, further, kindConditions, kindSql, type Row } from './compiling.js';
import type { ActorSet, Condition, Operand, Scalar } from './meaning.js';
import { idTest, mayBeUnknown, type Related, relation } from './nullability.js';

export function conditionSql(condition: Condition, row: Row): Sql {
  switch (condition.kind) {
    case 'compare':
      return compareSql(condition, row);
    case 'in':
      return inSql(condition, row);
    case 'contains':
      return sql`lower(${operandSql(condition.operand, row)}) like ${patternSql(condition.text, condition)}`;
    case 'null':
      return nullSql(condition.operand, row);
    case 'and':
    case 'or':
      return groupSql(condition.kind, condition.parts, row);
    case 'not':
      return notSql(condition.part, row);
    case 'related':
      return relatedSql(condition, row);
    case 'some':
      return someSql(condition, row);
    case 'inside':
      return insideSql(condition, row);
    case 'deleted':
      return sql`${column(row.alias, 'delete_date')} is not null`;
    case 'deletedBefore':
      return sql`coalesce(${column(row.alias, 'delete_date')} < now() - interval '1 day', false)`;
    case 'mine':
      return mineSql(column(row.alias, condition.column), condition.set, row);
    case 'linkedToMine':
      return linkedToMineSql(condition, row);
    case 'ofKind':
      return kindSql(row.alias, 'entity_type_id', 'int', condition.values);
    case 'values':
      return valuesSql(condition, row);
  }
}

function valuesSql({ values }: Extract<Condition, { kind: 'values' }>, row: Row): Sql {
  return all(values.map((one) => row.to.spell.predicate(one, row)));
}

// --- comparisons ------------------------------------------------------------------------------------------------------------

type Compare = Extract<Condition, { kind: 'compare' }>;

function compareSql({ operand, operator, value: scalar }: Compare, row: Row): Sql {
  const left = operandSql(operand, row);
  const right = scalarSql(scalar);
  if (operand.kind === 'custom' && operator === 'eq') {
    const contained = containmentSql(operand, scalar, row);
    if (contained) return contained;
  }
  // Text is compared without regard to case, by the database's rules on both sides.
  if (isText(operand)) return sql`lower(${left}) ${operators[operator]} ${folded(right)}`;
  return sql`${left} ${operators[operator]} ${right}`;
}

/** Equality of numbers, flags and options is containment, which the index on custom values answers. */
function containmentSql(operand: Extract<Operand, { kind: 'custom' }>, scalar: Scalar, row: Row): Sql | undefined {
  if (scalar.kind !== 'value') return undefined;
  const values = column(row.alias, operand.column);
  const key = JSON.stringify(operand.name);
  const contained = (content: (value: string) => string): Sql =>
    sql`${values} @> ${value(
      scalar.value.map((one) => `{${key}:${content(String(one))}}`),
      'jsonb',
    )}`;
  switch (operand.type) {
    case 'Number':
    case 'Money':
      return contained(jsonNumber);
    case 'CheckBox':
      return contained((flag) => flag);
    case 'DropDown':
      return scalar.isOption ? contained((option) => JSON.stringify(option)) : undefined;
    case 'Entity':
      return sql`(${contained((id) => `{"Id":${jsonNumber(id)}}`)} and ${operandSql(operand, row)} is not null)`;
    default:
      return undefined;
  }
}

/** `+5`, `.5` and `5.` are numbers to a filter and none to JSON. */
const jsonNumber = (text: string): string =>
  text
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=e|E|$)/, '');

function inSql({ operand, values }: Extract<Condition, { kind: 'in' }>, row: Row): Sql {
  if (values.some(({ kind }) => kind !== 'value')) {
    return groupSql(
      'or',
      values.map((scalar) => ({ kind: 'compare', operand, operator: 'eq', value: scalar })),
      row,
    );
  }
  const given = values.filter((scalar) => scalar.kind === 'value');
  const [first] = given;
  if (!first) return raw('false');
  const listed = Bound.list(given.map(({ value }) => value));
  const left = operandSql(operand, row);
  return isText(operand)
    ? listedSql(sql`lower(${left})`, listed, first.type, true)
    : listedSql(left, listed, first.type, false);
}

function groupSql(kind: 'and' | 'or', parts: readonly Condition[], row: Row): Sql {
  if (parts.length === 0) return raw(kind === 'and' ? 'true' : 'false');
  const spelled = parts.map((part) => conditionSql(part, row));
  if (spelled.length === 1) return spelled[0]!;
  return kind === 'and' ? inParentheses(all(spelled)) : sql`(${join(spelled, raw(' or '))})`;
}

/** Two-valued: what is unknown counts as not so, and `not` of it holds. */
function notSql(part: Condition, row: Row): Sql {
  // Spelled as the predicates of the indexes are.
  if (part.kind === 'deleted') return sql`${column(row.alias, 'delete_date')} is null`;
  const isUnknown = mayBeUnknown(part.kind === 'not' ? part.part : part);
  if (part.kind === 'not')
    return isUnknown ? sql`(${conditionSql(part.part, row)}) is true` : conditionSql(part.part, row);
  return isUnknown ? sql`(${conditionSql(part, row)}) is not true` : not(conditionSql(part, row));
}

// --- other rows -------------------------------------------------------------------------------------------------------------

function relatedSql(condition: Related, row: Row): Sql {
  const { field, where } = condition;
  const key = column(row.alias, field.column);
  const target = further(row);
  const id = column(target.alias, 'id');
  const from = sql`from ${name(field.target.table)} ${target.alias} where`;
  // The column may hold other kinds, which are none of the target; and the kind tells the database an index and how few rows to expect.
  const kinds = kindConditions(field.target, target);
  const filter = (parts: readonly Condition[]): Sql[] => [...kinds, ...conditionsSql(parts, target)];
  switch (relation(condition)) {
    case 'present':
      return sql`(${key} is not null)`;
    case 'byId': {
      // `Project.Id eq 5` is a test of the key; whether that project may be seen is asked once, not row by row.
      const byId = idTest(where)!;
      const rest = filter(where.filter((part) => part !== byId));
      const equal = sql`${key} = ${scalarSql(byId.value)}`;
      if (rest.length === 0) return sql`(${equal})`;
      return sql`(${equal} and exists (select 1 ${from} ${all([sql`${id} = ${scalarSql(byId.value)}`, ...rest])}))`;
    }
    case 'configuration':
      return sql`(${key} = any(array(select ${id} ${from} ${all(filter(where))})))`;
    case 'exists':
      return exists(from, all([sql`${id} = ${key}`, ...filter(where)]));
  }
}

/** The columns of a row that all of these hold for that can but have one value. */
export function comparedIds(conditions: readonly Condition[], ids = new Map<string, Sql>()): Map<string, Sql> {
  for (const condition of conditions) {
    if (condition.kind === 'and') comparedIds(condition.parts, ids);
    else if (condition.kind === 'inside' && condition.field.via.kind === 'key') {
      ids.set(condition.field.via.column, late('id'));
    } else if (condition.kind === 'related') {
      const byId = idTest(condition.where);
      if (byId) ids.set(condition.field.column, scalarSql(byId.value));
    }
  }
  return ids;
}

function someSql({ field, where }: Extract<Condition, { kind: 'some' }>, row: Row): Sql {
  const item = further(row);
  const filter = all([...kindConditions(field.target, item), ...conditionsSql(where, item)]);
  return exists(sql`${joinedSql(field, row, item)} and`, filter, field.via.kind === 'key' ? 1 : 2);
}

/** The items for asking whether there is one: twice the same does no harm, and a join can be begun from either end. */
function joinedSql(field: CollectionField, row: Row, item: Row): Sql {
  if (field.via.kind === 'key') return itemsSql(field, row.alias, item);
  const link = item.aliases.next();
  const { from, to, table } = field.via;
  return sql`from ${name(table)} ${link} join ${name(field.target.table)} ${item.alias} on ${column(item.alias, 'id')} = ${column(link, to)}
    where ${column(link, from)} = ${column(row.alias, 'id')}`;
}

/** `from … where …`: the items of a collection of one row. */
export function itemsSql(field: CollectionField, owner: Sql, item: Row): Sql {
  return itemsOf(field, column(owner, 'id'), item);
}

function itemsOf(field: CollectionField, ownerId: Sql, item: Row): Sql {
  const table = sql`${name(field.target.table)} ${item.alias}`;
  if (field.via.kind === 'key') return sql`from ${table} where ${column(item.alias, field.via.column)} = ${ownerId}`;
  const link = item.aliases.next();
  const { from, to } = field.via;
  // A link may be told twice (one user in two roles); its item is still one.
  return sql`from ${table} where ${column(item.alias, 'id')} in (select ${column(link, to)}
    from ${name(field.via.table)} ${link} where ${column(link, from)} = ${ownerId})`;
}

type Inside = Extract<Condition, { kind: 'inside' }>;

function insideSql({ field, owner, where }: Inside, row: Row): Sql {
  const ownerId = late('id');
  const ownerRow = further(row);
  const kinds = kindConditions(owner, ownerRow);
  const filter = all([...kinds, ...conditionsSql(where, ownerRow)]);
  const isThere = sql`exists (select 1 from ${name(owner.table)} ${ownerRow.alias}
    where ${column(ownerRow.alias, 'id')} = ${ownerId} and ${filter})`;
  if (field.via.kind === 'key') return sql`${column(row.alias, field.via.column)} = ${ownerId} and ${isThere}`;
  const link = row.aliases.next();
  const { from, to, table } = field.via;
  return sql`${column(row.alias, 'id')} in (select ${column(link, to)} from ${name(table)} ${link}
    where ${column(link, from)} = ${ownerId}) and ${isThere}`;
}

// --- the actor ----------------------------------------------------------------------------------------------------------------

const sets: Record<ActorSet, (key: Sql) => Sql> = {
  projects: (key) => sql`${key} = any(${late('actor.projects')})`,
  teams: (key) => sql`${key} = any(${late('actor.teams')})`,
  user: (key) => sql`${key} = ${late('actor.user')}`,
  'context projects': (key) => sql`${key} = any(${late('context.projects')})`,
  'context teams': (key) => sql`${key} = any(${late('context.teams')})`,
};

const formerSets: Partial<Record<ActorSet, Sql>> = { projects: raw('was_in_project'), teams: raw('was_in_team') };

function mineSql(key: Sql, set: ActorSet, { alias, asOf }: Row): Sql {
  const wasIn = asOf && formerSets[set];
  if (!wasIn) return sets[set](key);
  return sql`${wasIn}(${late('actor.user')}, ${key}, least(${column(alias, 'delete_date')}, ${asOf}))`;
}

type Linked = Extract<Condition, { kind: 'linkedToMine' }>;

function linkedToMineSql({ table, from, column: columnName, set }: Linked, row: Row): Sql {
  const link = row.aliases.next();
  const isMine = mineSql(column(link, columnName), set, row);
  return exists(
    sql`from ${name(table)} ${link} where ${column(link, from)} = ${column(row.alias, 'id')}
    and`,
    isMine,
  );
}
