/** Spells one item of a Plan as a text expression over its row: its members, what it refers to, and its collections. */
import type { ResourceType, ScalarField } from '../model/model.js';
import type { Representation } from '../representation/representation.js';
import { all, column, glue, late, literal, type Piece, raw, type Sql, sql } from '../sql.js';
import { conditionSql, itemsSql, kindConditions } from './compile-condition.js';
import { customFieldsSql } from './compile-custom.js';
import { operandSql, type Row, tableOf } from './compile-operand.js';
import { limitSql, orderSql } from './compile-order.js';
import type { Aggregate, CollectionMember, Plan } from './plan.js';

export interface Style {
  format: Representation;
  /** The parameters that a link to the rest of a cut inner collection repeats, such as `&format=json`. */
  tail: string;
  /** Takes the joins that bring what the item refers to; without it each is looked up where it is spelled. */
  joins?: Sql[];
}

/** The text of one item. `element` is what XML calls it: the type, or the field that refers to it. */
export function itemSql(plan: Plan, row: Row, style: Style, element = plan.resource.name): Sql {
  const shown = { ...row, privacy: plan.privacy };
  const { nameField } = plan.resource;
  const named = nameField && plan.members.some((member) => member.field === nameField);
  const head = {
    element,
    resourceType: plan.resource.name,
    id: column(row.alias, 'id'),
    name: named ? nameOf(nameField, shown) : undefined,
  };
  return glue(style.format.item(head, membersOf(plan, shown, style)));
}

const nameOf = (field: ScalarField, row: Row) => ({
  text: operandSql({ kind: 'field', field }, row),
  isNullable: field.isNullable || field.isPrivate,
});

function membersOf(plan: Plan, row: Row, style: Style): Piece[] {
  const { format } = style;
  return [
    ...plan.members.flatMap((member) => memberPieces(member, plan, row, style)),
    ...plan.aggregates.flatMap((aggregate) => aggregatePieces(aggregate, row, format)),
    ...(plan.customFields ? format.customFields(customFieldsSql(plan.customFields, plan.resource, row, format)) : []),
    ...plan.collections.flatMap((member) => collectionPieces(member, plan, row, { ...style, joins: undefined })),
  ];
}

type Member = Plan['members'][number];

function memberPieces(member: Member, plan: Plan, row: Row, style: Style): Piece[] {
  const { format } = style;
  if (member.kind === 'reference') return format.reference(member.field.name, referenceSql(member, row, style));
  const { field } = member;
  if (field === plan.resource.nameField) return [];
  const masked = field.isPrivate && row.privacy === 'self';
  return format.scalar(field.name, field.scalar, operandSql({ kind: 'field', field }, row), field.isNullable || masked);
}

function referenceSql({ field, plan }: Extract<Member, { kind: 'reference' }>, row: Row, style: Style): Sql {
  const target: Row = { ...row, alias: row.aliases.next() };
  const conditions = all([
    sql`${column(target.alias, 'id')} = ${column(row.alias, field.column)}`,
    ...(field.isNarrowed ? kindConditions(plan.resource, target) : []),
    ...plan.where.map((condition) => conditionSql(condition, target)),
  ]);
  const text = itemSql(plan, target, { ...style, joins: undefined }, field.name);
  const table = tableOf(plan.resource, target);
  if (!style.joins) return sql`(select ${text} from ${table} where ${conditions})`;
  // The text holds the id, so it is null as a whole where the row is not there.
  style.joins.push(sql` left join ${table} on ${conditions}`);
  return text;
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

function collectionPieces(member: CollectionMember, owner: Plan, row: Row, style: Style): Piece[] {
  const { field, plan } = member;
  const { take } = plan.page;
  const item: Row = { ...row, alias: row.aliases.next(), privacy: plan.privacy };
  const conditions = [...kindConditions(plan.resource, item), ...plan.where.map((part) => conditionSql(part, item))];
  const from = itemsSql(field, row.alias, item);
  const texts = sql`array(select ${itemSql(plan, item, style)} ${conditions.length > 0 ? sql`${from} and ${all(conditions)}` : from}
    order by ${orderSql(plan, item)} ${limitSql(plan)})`;
  const found = row.aliases.next();
  const items = column(found, 'items');
  const isCut = sql`cardinality(${items}) > ${literal(take)}`;
  const page = sql`case when ${isCut} then ${items}[:${literal(take)}] else ${items} end`;
  const text = style.format.collection(field.name, {
    items: sql`array_to_string(${page}, ${glue([style.format.separator])})`,
    isCut,
    next: nextLink(member, owner.resource, row, style),
  });
  // Without the offset the array would be made anew wherever it is used.
  return [sql`(select ${glue(text)} from (select ${texts} as items offset 0) ${found})`];
}

/** Where the rest of a cut inner collection is: the inner route. */
function nextLink(
  { field, plan, includeText }: CollectionMember,
  owner: ResourceType,
  row: Row,
  { tail }: Style,
): Piece[] {
  const { take, skip } = plan.page;
  const include = includeText ? `include=${encodeURIComponent(includeText)}&` : '';
  const rest = `/${field.name}/?${include}${tail}take=${take}&skip=${skip + take}`;
  return [late('base'), `/api/v1/${owner.collection}/`, column(row.alias, 'id'), rest];
}
