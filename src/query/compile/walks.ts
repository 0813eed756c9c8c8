/** Ways to the rows of a page that the planner would not take by itself. */
import type { ReferenceField } from '../../model/model.js';
import { all, column, list, literal, name, raw, type Sql, sql, value } from '../../sql.js';
import type { Condition, Plan, Value } from '../meaning.js';
import { conjuncts, isTest } from '../values.js';
import { anyKindSql, conditionsSql, further, kindConditions, kindSql, type Row, tableOf } from './compiling.js';
import { comparedIds } from './condition.js';
import { isOwn, isOwnId, type Related, relation } from './forms.js';
import { isById, limitSql, orderSql } from './value.js';

/**
 * Work of one kind behind or before an Id, in the order of Ids, is walked by the index of kind and Id. Otherwise the
 * planner walks the table by the Id alone, past the rows of all other kinds: it knows only of the first column of an
 * index whether rows lie in its order. An array of one kind is no constant, so the order by it counts, which only that
 * index has.
 */
export function kindWalk(plan: Plan, row: Row): { where: Sql; order: Sql } | undefined {
  const { discriminator, settings } = plan.resource;
  const [first] = plan.order;
  if (!settings.isGeneral || discriminator?.values?.length !== 1 || !first || !isById(first)) return undefined;
  const conditions = plan.where.flatMap(conjuncts);
  if (!conditions.some(isLive) || !conditions.some(isRangeOfIds)) return undefined;
  const kind = column(row.alias, discriminator.column);
  return {
    where: all([anyKindSql(kind, discriminator.values), ...conditionsSql(plan.where, row)]),
    order: sql`${kind}${raw(first.descending ? '' : ' desc')}, ${orderSql(plan, row)}`,
  };
}

const isRangeOfIds = (condition: Condition): boolean =>
  condition.kind === 'compare' && isOwnId(condition.left) && condition.operator !== 'eq' && condition.operator !== 'ne';

// --- first pages by few targets of a reference -----------------------------------------------------------------------

/** Behind so many rows, what they take themselves is more than what is passed over. */
const deepest = 250;
/** A probe for each costs more than a walk gains. */
const mostValues = 5;

interface Probes {
  field: ReferenceField;
  /** About the target. */
  where: Condition[];
  /** About the row. */
  rest: Condition[];
}

/** `select … limit …` of these columns of the rows of a page; undefined where a walk is as good. */
export function probedRows(plan: Plan, row: Row, columns: readonly Sql[]): Sql | undefined {
  const probes = probesOf(plan, row);
  if (!probes) return undefined;
  const [target, items, key] = [further(row), further(row), row.aliases.next()];
  const { field, where, rest } = probes;
  const id = name('id');
  const read = columns.includes(id) ? columns : [...columns, id];
  const conditions = [
    ...kindConditions(plan.resource, row),
    sql`${column(row.alias, field.column)} = ${key}`,
    ...conditionsSql(rest, row),
  ];
  const ofTarget = [
    ...kindConditions(field.target, target),
    ...ofKind(plan, field, target),
    ...conditionsSql(where, target),
  ];
  // As an array of ids they are looked for by an index; joined, the planner may rather compare the name of each.
  const ids = sql`array(select ${column(target.alias, 'id')} from ${tableOf(field.target, target)} where ${all(ofTarget)})`;
  return sql`select ${readOf(items, columns)} from unnest(${ids}) ${key}
    cross join lateral (select ${readOf(row, read)} from ${tableOf(plan.resource, row)} where ${all(conditions)}
      order by ${orderSql(plan, row)} ${firstRows(plan)}) ${items.alias}
    order by ${orderSql(plan, items)} ${limitSql(plan)}`;
}

/** Those that items of this kind may refer to. */
const ofKind = ({ resource: { discriminator } }: Plan, field: ReferenceField, target: Row): Sql[] =>
  field.ofKind && discriminator?.values ? [kindSql(target.alias, field.ofKind, discriminator.values)] : [];

const readOf = ({ alias }: Row, columns: readonly Sql[]): Sql => list(columns.map((read) => sql`${alias}.${read}`));

/** Of each target as many as the page may need. */
const firstRows = ({ page: { take, skip } }: Plan): Sql =>
  sql`limit ${literal(take + 1)}${skip > 0 ? sql` + ${value(skip, 'bigint')}` : raw('')}`;

function probesOf({ resource, where, order, page }: Plan, row: Row): Probes | undefined {
  if (resource.discriminator?.values?.length !== 1 || !order.every(isById) || page.take + page.skip > deepest)
    return undefined;
  const conditions = where.flatMap(conjuncts);
  const first = conditions.find(namesFewTargets);
  if (!first) return undefined;
  const { field } = first;
  const ofField = conditions.filter((one): one is Related => one.kind === 'related' && one.field === field);
  const rest = conditions.filter((one) => !ofField.includes(one as Related));
  if (ofField.some((one) => relation(one) !== 'configuration') || !isIndexed(rest, field, row)) return undefined;
  return { field, where: ofField.flatMap((one) => one.where), rest };
}

/** By their names or ids. Flags hold for many, among which newest items mostly are. */
const namesFewTargets = (condition: Condition): condition is Related =>
  condition.kind === 'related' && condition.field.listedWithin !== undefined && condition.where.some(namesFew);

const namesFew = (condition: Condition): boolean =>
  (condition.kind === 'compare' && condition.operator === 'eq' && isNaming(condition.left)) ||
  (condition.kind === 'in' && condition.values.length <= mostValues && isNaming(condition.of));

const isNaming = (of: Value): boolean =>
  isOwn(of) && of.operand.kind === 'field' && (of.operand.field.scalar === 'text' || of.operand.field.scalar === 'id');

/** Every row that the index leads to is wanted, or nearly so: whatever else is asked may have an index of its own. */
function isIndexed(rest: readonly Condition[], field: ReferenceField, row: Row): boolean {
  const isWithin = comparedIds(rest, row).has(field.listedWithin!);
  return isWithin && rest.some(isLive) && rest.every((one) => isLive(one) || isOfId(one) || isOfPlace(one, field));
}

const isLive = (condition: Condition): boolean => condition.kind === 'not' && condition.of.kind === 'deleted';

const isOfId = (condition: Condition): boolean => condition.kind === 'compare' && isOwnId(condition.left);

/** It names the place, or says who sees what is there. */
function isOfPlace(condition: Condition, field: ReferenceField): boolean {
  if (!isTest(condition)) return false;
  switch (condition.kind) {
    case 'related':
      return condition.field.column === field.listedWithin;
    case 'inside':
      return condition.field.via.kind === 'key' && condition.field.via.column === field.listedWithin;
    case 'and':
    case 'or':
      return condition.parts.every((part) => isOfPlace(part, field));
    case 'mine':
    case 'linkedToMine':
    case 'ofKind':
      return true;
    case 'compare':
    case 'null':
    case 'in':
    case 'contains':
    case 'near':
    case 'some':
    case 'not':
    case 'deleted':
    case 'deletedBefore':
      return false;
  }
}
