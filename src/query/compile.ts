/**
 * Turns a Plan into one statement whose rows are finished item texts. First the page (ids in order, one more than asked),
 * then each item of it is spelled, with scalar look-ups for what it refers to.
 */
import type { ResourceType } from '../model/model.js';
import type { Representation } from '../representation/representation.js';
import {
  all,
  column,
  glue,
  late,
  list,
  literal,
  name,
  type Piece,
  raw,
  type Sql,
  type Statement,
  sql,
  statement,
  value,
} from '../sql.js';
import { conditionSql, itemsSql, kindConditions } from './compile-condition.js';
import { customFieldsSql } from './compile-custom.js';
import { Aliases, operandSql, type Row } from './compile-operand.js';
import type { Aggregate, CollectionMember, Order, Plan } from './plan.js';

/** The parameters that a link to the rest of a cut inner collection repeats, such as `&format=json`. */
export interface LinkTail {
  tail: string;
}

/** Rows: `item` (text), `more` (whether the page is followed by another). */
export function compilePage(plan: Plan, format: Representation, link: LinkTail): Statement {
  const aliases = new Aliases();
  const root: Row = { alias: name('t'), aliases, privacy: plan.privacy };
  const shown: Row = { ...root, alias: name('i') };
  const { take, skip } = plan.page;
  // One row more than the page: its presence is all we need to know about the next page.
  const page = sql`select ${column(root.alias, 'id')} from ${tableOf(plan.resource, root)} where ${whereSql(plan, root)}
    order by ${orderSql(plan, root)} limit ${literal(take + 1)} offset ${literal(skip)}`;
  return statement(sql`select ${itemSql(plan, shown, format, link)} as item, p.more
    from (select id, row_number() over () as n, count(*) over () > ${literal(take)} as more from (${page}) ids) p
    join ${tableOf(plan.resource, shown)} on ${column(shown.alias, 'id')} = p.id
    where p.n <= ${literal(take)} order by p.n`);
}

/** One row or none: `item`, `version`. The plan's conditions name the entity. */
export function compileOne(plan: Plan, format: Representation, link: LinkTail): Statement {
  const root: Row = { alias: name('t'), aliases: new Aliases(), privacy: plan.privacy };
  return statement(sql`select ${itemSql(plan, root, format, link)} as item, ${versionSql(plan.resource, root)} as version
    from ${tableOf(plan.resource, root)} where ${whereSql(plan, root)}`);
}

/** Generals count their changes; the rows of other tables know the transaction that wrote them last. */
function versionSql({ root, table }: ResourceType, row: Row): Sql {
  if (root.name === 'General') return sql`${column(row.alias, 'entity_version')}::text`;
  return isView(table) ? raw('null::text') : sql`${column(row.alias, 'xmin')}::text`;
}

/** A view has no rows of its own to count changes of. */
const isView = (table: string): boolean => table === 'assigned_effort';

/** The entities of a list of ids, in its order: `item`. */
export function compileMany(plan: Plan, ids: unknown, format: Representation, link: LinkTail): Statement {
  const root: Row = { alias: name('t'), aliases: new Aliases(), privacy: plan.privacy };
  return statement(sql`select ${itemSql(plan, root, format, link)} as item
    from unnest(${value(ids, 'int[]')}) with ordinality as wanted(id, n)
    join ${tableOf(plan.resource, root)} on ${column(root.alias, 'id')} = wanted.id
    where ${whereSql(plan, root)} order by wanted.n`);
}

const tableOf = (resource: ResourceType, row: Row): Sql => sql`${name(resource.table)} ${row.alias}`;

const whereSql = (plan: Plan, row: Row): Sql =>
  all([...kindConditions(plan.resource, row), ...plan.where.map((condition) => conditionSql(condition, row))]);

// --- order ------------------------------------------------------------------------------------------------------------------

/** Order is total: the asked fields, then the Id. */
function orderSql(plan: Plan, row: Row): Sql {
  const terms = plan.order.map((order) => termSql(order, row));
  const last = plan.order.at(-1);
  const byId = plan.order.some(
    (order) => order.path.length === 0 && order.operand.kind === 'field' && order.operand.field.name === 'Id',
  );
  if (!byId) terms.push(sql`${column(row.alias, 'id')}${raw(last?.descending ? ' desc' : '')}`);
  return list(terms);
}

function termSql(order: Order, row: Row): Sql {
  const expression = order.path.length === 0 ? operandSql(order.operand, row) : lookUp(order, row);
  const nullable = order.path.length > 0 || order.operand.kind === 'custom' || order.operand.field.isNullable;
  // Nothing is less than anything, as clients of this API expect.
  const nulls = nullable ? (order.descending ? ' nulls last' : ' nulls first') : '';
  return sql`${expression}${raw(`${order.descending ? ' desc' : ''}${nulls}`)}`;
}

/** The value at the end of a path of references, one scalar look-up inside the other. */
function lookUp({ path, operand }: Order, row: Row): Sql {
  const [step, ...rest] = path;
  if (!step) return operandSql(operand, row);
  const target: Row = { ...row, alias: row.aliases.next() };
  const inner = lookUp({ path: rest, operand, descending: false }, target);
  const conditions = step.where.map((condition) => conditionSql(condition, target));
  return sql`(select ${inner} from ${tableOf(step.field.target, target)}
    where ${all([sql`${column(target.alias, 'id')} = ${column(row.alias, step.field.column)}`, ...conditions])})`;
}

// --- items ------------------------------------------------------------------------------------------------------------------

/** The text of one item. `element` is what XML calls it: the type, or the field that refers to it. */
function itemSql(plan: Plan, row: Row, format: Representation, link: LinkTail, element = plan.resource.name): Sql {
  const shown = { ...row, privacy: plan.privacy };
  const named = plan.members.some((member) => member.field === plan.resource.nameField);
  const head = {
    element,
    resourceType: plan.resource.name,
    id: column(row.alias, 'id'),
    name: named ? operandSql({ kind: 'field', field: plan.resource.nameField! }, shown) : undefined,
  };
  return glue(format.item(head, membersOf(plan, shown, format, link)));
}

function membersOf(plan: Plan, row: Row, format: Representation, link: LinkTail): Piece[] {
  return [
    ...plan.members.flatMap((member) => memberPieces(member, plan, row, format, link)),
    ...plan.aggregates.flatMap((aggregate) => aggregatePieces(aggregate, row, format)),
    ...(plan.customFields ? format.customFields(customFieldsSql(plan.customFields, plan.resource, row, format)) : []),
    ...plan.collections.flatMap((member) => collectionPieces(member, plan, row, format, link)),
  ];
}

type Member = Plan['members'][number];

function memberPieces(member: Member, plan: Plan, row: Row, format: Representation, link: LinkTail): Piece[] {
  if (member.kind === 'reference') {
    return format.reference(member.field.name, referenceSql(member, row, format, link));
  }
  const { field } = member;
  if (field === plan.resource.nameField) return [];
  const masked = field.isPrivate && row.privacy === 'self';
  return format.scalar(field.name, field.scalar, operandSql({ kind: 'field', field }, row), field.isNullable || masked);
}

function referenceSql(
  member: Extract<Member, { kind: 'reference' }>,
  row: Row,
  format: Representation,
  link: LinkTail,
) {
  const { field, plan } = member;
  const target: Row = { ...row, alias: row.aliases.next() };
  const conditions = [
    sql`${column(target.alias, 'id')} = ${column(row.alias, field.column)}`,
    ...(field.isNarrowed ? kindConditions(plan.resource, target) : []),
    ...plan.where.map((condition) => conditionSql(condition, target)),
  ];
  const text = itemSql(plan, target, format, link, field.name);
  return sql`(select ${text} from ${tableOf(plan.resource, target)} where ${all(conditions)})`;
}

function aggregatePieces(
  { name: said, collection, function: fn, field, where }: Aggregate,
  row: Row,
  format: Representation,
) {
  const item: Row = { ...row, alias: row.aliases.next() };
  const conditions = [
    ...kindConditions(collection.target, item),
    ...where.map((condition) => conditionSql(condition, item)),
  ];
  const operand = field && operandSql({ kind: 'field', field }, item);
  const items = itemsSql(collection, row.alias, item);
  const result = sql`(select ${aggregateSql(fn, operand)} ${conditions.length > 0 ? sql`${items} and ${all(conditions)}` : items})`;
  const kind = fn === 'Count' || fn === 'Avg' ? 'decimal' : (field?.scalar ?? 'decimal');
  return format.scalar(said, kind, result, fn !== 'Count' && fn !== 'Sum');
}

function aggregateSql(fn: Aggregate['function'], operand?: Sql): Sql {
  switch (fn) {
    case 'Count':
      return raw('count(*)');
    case 'Sum':
      return sql`coalesce(sum(${operand!}), 0)`;
    case 'Avg':
      return sql`trim_scale(avg(${operand!})::numeric)`;
    case 'Min':
      return sql`min(${operand!})`;
    case 'Max':
      return sql`max(${operand!})`;
  }
}

function collectionPieces(
  member: CollectionMember,
  owner: Plan,
  row: Row,
  format: Representation,
  link: LinkTail,
): Piece[] {
  const { field, plan } = member;
  const { take, skip } = plan.page;
  const item: Row = { ...row, alias: row.aliases.next(), privacy: plan.privacy };
  const shown: Row = { ...item, alias: row.aliases.next() };
  const conditions = [...kindConditions(plan.resource, item), ...plan.where.map((part) => conditionSql(part, item))];
  const from = itemsSql(field, row.alias, item);
  const page = sql`select ${item.alias}.* ${conditions.length > 0 ? sql`${from} and ${all(conditions)}` : from}
    order by ${orderSql(plan, item)} limit ${literal(take + 1)} offset ${literal(skip)}`;
  const numbered = sql`(select c.*, row_number() over () as n from (${page}) c) ${shown.alias}`;
  const n = column(shown.alias, 'n');
  const glued = sql`string_agg(${itemSql(plan, shown, format, link)}, ${glue([format.separator])} order by ${n})
    filter (where ${n} <= ${literal(take)})`;
  const text = format.collection(field.name, {
    items: glued,
    next: sql`case when count(*) > ${literal(take)} then ${nextLink(member, owner.resource, row, link)} end`,
  });
  return [sql`(select ${glue(text)} from ${numbered})`];
}

/** Where the rest of a cut inner collection is: the inner route. */
function nextLink({ field, plan, includeText }: CollectionMember, owner: ResourceType, row: Row, link: LinkTail): Sql {
  const { take, skip } = plan.page;
  const include = includeText ? `include=${encodeURIComponent(includeText)}&` : '';
  const rest = `/${field.name}/?${include}${link.tail}take=${take}&skip=${skip + take}`;
  return glue([late('base'), `/api/v1/${owner.collection}/`, column(row.alias, 'id'), rest]);
}
