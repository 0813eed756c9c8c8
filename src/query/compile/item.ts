/** Spells one item of a Plan as a text expression over its row: its members, what it refers to, and its collections. */

import type { ResourceType, ScalarField } from '../../model/model.js';
import type { Representation } from '../../representation/representation.js';
import {
  all,
  column,
  flat,
  glue,
  late,
  list,
  literal,
  name,
  type Piece,
  raw,
  type Sql,
  sql,
  value,
} from '../../sql.js';
import type { CollectionMember, Plan, ShownAggregate, Value } from '../meaning.js';
import { shownAs } from '../types.js';
import {
  customFieldsSize,
  measured,
  measuredItem,
  measuredText,
  noSize,
  type Share,
  scalarSize,
  shareOf,
  sizeOf,
} from './answer-size.js';
import { further, type Row, rowConditions, tableOf } from './compiling.js';
import { customFieldsSql } from './custom.js';
import { itemsSql, operandSql, orderSql, partSql, valueSql } from './value.js';

export interface Style {
  format: Representation;
  /** The parameters that a link to the rest of a cut inner collection repeats, such as `&format=json`. */
  tail: string;
  /** What each part of the item may take that may be long. */
  share?: Share;
  /** Takes the joins that bring what the item refers to; without it each is looked up where it is spelled. */
  joins?: Joined[];
}

/** A join on `before key after`, the key being a column of the row: what that refers to. */
export interface Joined {
  keyColumn: string;
  before: Sql;
  after: Sql;
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
  if (style.share) return glue(style.format.item(head, membersOf(plan, shown, style)));
  const size = sizeOf(plan);
  return measuredItem(glue(style.format.item(head, membersOf(plan, shown, { ...style, share: shareOf(size) }))), size);
}

const nameOf = (field: ScalarField, row: Row) => ({
  text: operandSql({ kind: 'field', field }, row),
  isNullable: field.isNullable || field.isPrivate,
});

function membersOf(plan: Plan, row: Row, style: Style): Piece[] {
  const members = plan.members.flatMap((member) => memberPieces(member, plan, row, style));
  return [...members, ...restPieces(plan, row, { ...style, joins: undefined })];
}

/** What follows the members. Collections are found once, for what shows them and what counts them. */
function restPieces(plan: Plan, row: Row, style: Style): Piece[] {
  const { format } = style;
  const source = plan.collections.length > 0 ? row.aliases.next() : row.alias;
  const collections = plan.collections.map((member, index) => ({ member, items: column(source, `items${index}`) }));
  const pieces = [
    ...plan.aggregates.flatMap((aggregate) => aggregatePieces(aggregate, collections, row, format)),
    ...(plan.customFields ? customPieces(plan.customFields, plan.resource, row, style) : []),
    ...collections.flatMap((collection) => collectionPieces(collection, plan.resource, row, style)),
  ];
  if (collections.length === 0) return pieces;
  const arrays = collections.map(
    ({ member }, index) => sql`${arraySql(member, row, style)} as ${name(`items${index}`)}`,
  );
  // Without the offset the arrays would be made anew wherever they are used.
  return [sql`(select ${glue(pieces)} from (select ${list(arrays)} offset 0) ${source})`];
}

function customPieces(
  groups: NonNullable<Plan['customFields']>,
  resource: ResourceType,
  row: Row,
  { format, share }: Style,
): Piece[] {
  const text = customFieldsSql(groups, resource, row, format);
  const size = groups.some(({ fields }) => fields.length > 0) ? customFieldsSize : noSize;
  return format.customFields(measuredText(text, size, share!));
}

type Member = Plan['members'][number];

function memberPieces(member: Member, plan: Plan, row: Row, style: Style): Piece[] {
  const { format } = style;
  if (member.kind === 'reference') return format.reference(member.field.name, referenceSql(member, row, style));
  const { field, seen } = member;
  if (field === plan.resource.nameField) return [];
  const masked = field.isPrivate && row.privacy === 'self';
  const text = operandSql({ kind: 'field', field, seen }, row);
  const spelled = format.scalar(field.name, field.scalar, text, field.isNullable || masked);
  const size = scalarSize(field);
  return spelled.map((piece) => (typeof piece === 'string' ? piece : measuredText(piece, size, style.share!)));
}

function referenceSql({ field, plan }: Extract<Member, { kind: 'reference' }>, row: Row, style: Style): Sql {
  const target = further(row);
  const rest = rowConditions(plan.resource, plan.where, target);
  const text = itemSql(plan, target, { ...style, joins: undefined }, field.name);
  const table = tableOf(plan.resource, target);
  const id = column(target.alias, 'id');
  if (!style.joins)
    return sql`(select ${text} from ${table} where ${all([sql`${id} = ${column(row.alias, field.column)}`, ...rest])})`;
  // The text holds the id, so it is null as a whole where the row is not there.
  const after = rest.length > 0 ? sql` and ${all(rest)}` : raw('');
  style.joins.push({ keyColumn: field.column, before: flat(sql` left join ${table} on ${id} = `), after: flat(after) });
  return text;
}

function aggregatePieces(
  { name: label, value: asked }: ShownAggregate,
  collections: readonly ArrayedCollection[],
  row: Row,
  format: Representation,
): Piece[] {
  const spelled = valueSql(asked, row);
  const shown = collections.find(({ member }) => isCountedBy(asked, member));
  const text = shown ? sql`case when ${isCutSql(shown)} then ${spelled} else cardinality(${shown.items}) end` : spelled;
  return format.scalar(label, shownAs[asked.type.kind]!, text, asked.nullable);
}

/**
 * A collection shows what is there for the actor from its first item on: so many as there are, unless there are more
 * than shown.
 */
const isCountedBy = (asked: Value, { field, plan }: CollectionMember): boolean =>
  asked.kind === 'aggregate' &&
  asked.function === 'count' &&
  asked.of.source !== 'root' &&
  asked.of.source.kind === 'field' &&
  asked.of.source.field === field &&
  plan.page.skip === 0;

/** A collection whose items, one more than are shown, were put into an array of texts. */
interface ArrayedCollection {
  member: CollectionMember;
  items: Sql;
}

function arraySql({ field, plan }: CollectionMember, row: Row, style: Style): Sql {
  const item: Row = { ...further(row), privacy: plan.privacy };
  const conditions = rowConditions(plan.resource, plan.where, item);
  const from = itemsSql(field, row.alias, item);
  const text = itemSql(plan, item, { ...style, share: shareOf(sizeOf(plan), style.share!) });
  const texts = sql`select ${text} as item ${conditions.length > 0 ? sql`${from} and ${all(conditions)}` : from}
    order by ${orderSql(plan, item)} ${partSql(plan.page.take + 1, plan.page.skip)}`;
  return sql`array(${measured(texts, { ...plan.page, hasOneMore: true }, sizeOf(plan), style.share!, row)})`;
}

const isCutSql = ({ member, items }: ArrayedCollection): Sql =>
  sql`cardinality(${items}) > ${literal(member.plan.page.take)}`;

function collectionPieces(collection: ArrayedCollection, owner: ResourceType, row: Row, style: Style): Piece[] {
  const { member, items } = collection;
  const isCut = isCutSql(collection);
  const page = sql`case when ${isCut} then ${items}[:${literal(member.plan.page.take)}] else ${items} end`;
  return style.format.collection(member.field.name, {
    items: sql`array_to_string(${page}, ${glue([style.format.separator])})`,
    // From a page of none no link leads on.
    isCut: member.plan.page.take === 0 ? sql`false` : isCut,
    next: nextLink(member, owner, row, style),
  });
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
  const rest = `/${field.name}/?${include}${tail}take=${take}&skip=`;
  const start = [late('base'), `/api/v1/${owner.collection}/`, column(row.alias, 'id'), rest];
  return [...start, skip > 0 ? value(String(skip + take), 'text') : String(take)];
}
