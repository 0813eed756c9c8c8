/**
 * Turns a Plan into one statement whose rows are finished item texts. First the page (ids in order, one more than
 * asked), then each item of it is spelled, with what it refers to.
 */
import type { ReferenceField } from '../../model/model.js';
import { versionSql } from '../../model/row-version.js';
import type { JsonV2 } from '../../representation/json-v2.js';
import type { Representation } from '../../representation/representation.js';
import {
  all,
  column,
  columnsOf,
  constant,
  flat,
  join,
  late,
  list,
  literal,
  name,
  raw,
  type Sql,
  type Statement,
  sql,
  statement,
  value,
} from '../../sql.js';
import { affordable } from '../limits.js';
import type { Condition, Page, Plan, Value } from '../meaning.js';
import { isTest } from '../values.js';
import { itemBytes, type Size, shareOf, sizeOf } from './answer-size.js';
import {
  Aliases,
  anyKindSql,
  type Compiling,
  conditionsSql,
  further,
  kindConditions,
  kindSql,
  type Row,
  rootRow,
  rowConditions,
  tableOf,
} from './compiling.js';
import { comparedIds, conditionSql } from './condition.js';
import { inForms, isOwn, isOwnId, type Related, relation, valuesMatter } from './forms.js';
import { itemSql, type Joined, type Style } from './item.js';
import { jsonSql } from './json.js';
import { firstOnly, isById, limitSql, orderSql } from './value.js';

/** The parameters that a link to the rest of a cut inner collection repeats, such as `format=json&`. */
export interface LinkTail {
  tail: string;
}

/** The items of a page as they are spelled, whatever rows they are: the same for all filters, orders and pages. */
export interface SpelledItems {
  item: Sql;
  joins: readonly Joined[];
  /** The columns that both read of the row. */
  columns: Sql[];
  isJoined: boolean;
  separator: Sql;
  /** Of one of them. */
  size: Size;
  /** How many aliases they have taken. */
  aliases: number;
}

/** The row that is shown, once the page is found. */
const shownAlias = name('i');

/** Where and order of the plan are not looked at. */
export function spellItems(plan: Plan, format: Representation, { tail }: LinkTail, isJoined: boolean): SpelledItems {
  const style: Style = { format, tail, joins: isJoined ? [] : undefined };
  return spelledBy((row) => itemSql(plan, row, style), sizeOf(plan), plan.privacy, format, compiling(), style.joins);
}

/** The same for what is spelled in another way. */
export function spelledBy(
  spell: (row: Row) => Sql,
  size: Size,
  privacy: Plan['privacy'],
  format: Representation,
  to: Compiling,
  joined?: readonly Joined[],
): SpelledItems {
  const row = rootRow({ privacy }, to, shownAlias);
  const item = spell(row);
  const joins = joined ?? [];
  const isJoined = joined !== undefined;
  const columns = columnsOf(list([item, joinsSql(joins)]), shownAlias);
  const separator = constant(format.pageSeparator);
  return { item: flat(item), joins, columns, isJoined, separator, size, aliases: row.aliases.taken };
}

/** What all rows of the page refer to by the same id is looked up once. */
const joinsSql = (joins: readonly Joined[], ids?: ReadonlyMap<string, Sql>): Sql =>
  join(
    joins.map(
      ({ keyColumn, before, after }) => sql`${before}${ids?.get(keyColumn) ?? column(shownAlias, keyColumn)}${after}`,
    ),
    raw(''),
  );

/**
 * Rows of `items` (their texts glued, null when there are none) and `more` (whether there is a page behind them): one,
 * or for long pages as many as there are pieces of it, in order, the last of which tells of more. Where items may be
 * long, pieces are of a few, or of one.
 */
export function compilePage(
  plan: Plan,
  format: Representation,
  link: LinkTail,
  items = spellItems(plan, format, link, isJoined(plan)),
  to = compiling(),
): Statement {
  const { head, rest } = pageParts(plan, items, to);
  const isLong = !isGlued(plan.page, items.size);
  const page = { ...statement(sql`${head()}${rest}`), isPlannedEachTime: valuesMatter(plan), isLong };
  return affordable(page, firstPage(plan, items, to));
}

/** What the page at the beginning takes; undefined for that itself. */
export const firstPage = (plan: Plan, items: SpelledItems, to: Compiling): (() => Statement) | undefined =>
  plan.page.skip === 0
    ? undefined
    : () => {
        const { head, rest } = pageParts(atBeginning(plan), items, { ...to, lists: new Map() });
        return statement(sql`${head()}${rest}`);
      };

export const atBeginning = (plan: Plan): Plan => ({ ...plan, page: { ...plan.page, skip: 0 } });

/** A page is spelled in two parts, the first of which is long and, for the same items, one of a few. */
interface PageParts {
  /** Tells heads of the same items apart. */
  kind: string;
  head: () => Sql;
  rest: Sql;
}

export function pageParts(asked: Plan, items: SpelledItems, to: Compiling): PageParts {
  const plan = inForms(asked);
  const root = rootRow(plan, to, name('t'), new Aliases(items.aliases));
  const isSorted = !isDirect(plan);
  const n = isSorted ? raw('p.n') : column(shownAlias, 'n');
  const isOrdered = isSorted || items.isJoined;
  const around = pieceLength(items.size) > 1 ? gluedSql : apartSql;
  const { head, end } = around(n, plan, items, isOrdered);
  return {
    kind: `${plan.page.take} ${isSorted}`,
    head,
    rest: sql`${isSorted ? pageFirst(plan, root) : directPage(plan, root, items)}${joinsSql(items.joins, comparedIds(plan.where, root))}${end}`,
  };
}

/** In the order of ids rows are found by an index and spelled as they come; nothing is sorted and nothing skipped. */
const isDirect = ({ order, page }: Plan): boolean => page.skip === 0 && order.every(isById);

/**
 * A look-up a row is planned five times quicker than a join, which matters when a statement is new, and runs as quick
 * for a page of usual length. Joins pay where there are few to plan, or many rows that refer to the same.
 */
export function isJoined({ members, page }: Plan): boolean {
  const references = members.filter(({ kind }) => kind === 'reference').length;
  return references > 0 && (references <= 4 || isLong(page));
}

const isLong = ({ take }: Plan['page']): boolean => take > 100;

/** The rows are numbered where they are few, and only what is read of them comes along. */
function directPage(plan: Plan, root: Row, items: SpelledItems): Sql {
  // The page is found before anything is joined, or joins would be made for rows that are sorted away.
  return sql`
    from (select p.*, row_number() over () as n from (${rowsSql(plan, root, items.columns)}) p) ${shownAlias}`;
}

/** Sorting ids alone is cheaper than sorting rows, and what is skipped is not spelled. */
function pageFirst(plan: Plan, root: Row): Sql {
  const { rowKey } = plan.resource.settings;
  const key = raw(rowKey);
  return sql`
    from (select ${key}, row_number() over () as n from (${rowsSql(plan, root, [name(rowKey)])}) ids) p
    join ${name(plan.resource.table)} ${shownAlias} on ${column(shownAlias, rowKey)} = p.${key}`;
}

/** What stands before and behind the rows of a page. The former is the same for many pages. */
interface Around {
  head: () => Sql;
  end: Sql;
}

/**
 * The row that only tells of a page behind this one is not spelled. Joins and pieces may change the order of rows,
 * nothing else does.
 */
function gluedSql(n: Sql, { page }: Plan, { item, separator, size }: SpelledItems, isOrdered: boolean): Around {
  const take = literal(page.take);
  const inPieces = isLong(page) || !isGlued(page, size);
  const order = isOrdered || inPieces ? sql` order by ${n}` : raw('');
  const more = inPieces ? sql`max(${n})` : raw('count(*)');
  const head = () => sql`select string_agg(case when ${n} <= ${take} then ${item} end, ${separator}${order}) as items,
    ${more} > ${take} as more`;
  return { head, end: inPieces ? piecesSql(n, pieceLength(size)) : raw('') };
}

/** With the limit, which leaves all rows, items are spelled one by one behind the sort, and not kept for it. */
function apartSql(n: Sql, { page }: Plan, { item }: SpelledItems, isOrdered: boolean): Around {
  const take = literal(page.take);
  const head = () => sql`select case when ${n} <= ${take} then ${item} end as items, ${n} > ${take} as more`;
  return { head, end: isOrdered ? sql` order by ${n} limit ${literal(page.take + 1)}` : raw('') };
}

/** A text of megabytes is copied again and again while it grows, here and there; and it arrives in many parts. */
function piecesSql(n: Sql, length: number): Sql {
  const piece = sql`(${n} - 1) / ${literal(length)}`;
  return sql` group by ${piece} order by ${piece}`;
}

/** `select … from … where … order by … limit …`: the rows of the page. */
function rowsSql(plan: Plan, row: Row, columns: readonly Sql[]): Sql {
  const probed = probedRows(plan, row, columns);
  if (probed) return probed;
  const { where, order } = kindWalk(plan, row) ?? { where: whereSql(plan, row), order: orderSql(plan, row) };
  return sql`select ${list(columns.map((read) => sql`${row.alias}.${read}`))} from ${tableOf(plan.resource, row)} where ${where} order by ${order} ${limitSql(plan)}`;
}

/**
 * Work of one kind behind or before an Id, in the order of Ids, is walked by the index of kind and Id. Otherwise the
 * planner walks the table by the Id alone, past the rows of all other kinds: it knows only of the first column of an
 * index whether rows lie in its order. An array of one kind is no constant, so the order by it counts, which only that
 * index has.
 */
function kindWalk(plan: Plan, row: Row): { where: Sql; order: Sql } | undefined {
  const { discriminator, settings } = plan.resource;
  const [first] = plan.order;
  if (!settings.isGeneral || discriminator?.values?.length !== 1 || !first || !isById(first)) return undefined;
  const conditions = plan.where.flatMap(parts);
  if (!conditions.some(isLive) || !conditions.some(isRangeOfIds)) return undefined;
  const kind = column(row.alias, discriminator.column);
  return {
    where: all([anyKindSql(kind, discriminator.values), ...conditionsSql(plan.where, row)]),
    order: sql`${kind}${raw(first.descending ? '' : ' desc')}, ${orderSql(plan, row)}`,
  };
}

const isRangeOfIds = (condition: Condition): boolean =>
  condition.kind === 'compare' && isOwnId(condition.left) && condition.operator !== 'eq' && condition.operator !== 'ne';

/** One row or none: `item`, `version`. The plan's conditions name the entity. */
export function compileOne(plan: Plan, format: Representation, { tail }: LinkTail): Statement {
  const root = rootRow(plan, compiling());
  const reader = plan.privacy === 'self' ? late('actor.user') : undefined;
  return affordable({
    ...statement(sql`select ${itemSql(plan, root, { format, tail })} as item, ${versionSql(plan.resource, root.alias, reader)} as version
    from ${tableOf(plan.resource, root)} where ${whereSql(plan, root)}${firstOnly(plan.resource, root)}`),
    isLong: !isGlued({ take: 1 }, sizeOf(plan)),
  });
}

/** The entities of the ids that are given, in their order: `item`, `id` and, where it is wanted, `version`. */
export function compileMany(plan: Plan, format: Representation, { tail }: LinkTail, hasVersions = false): Statement {
  const root = rootRow(plan, compiling());
  const version = hasVersions ? sql`, ${versionSql(plan.resource, root.alias, undefined)} as version` : raw('');
  return affordable(
    statement(sql`select ${itemSql(plan, root, { format, tail })} as item, wanted.id${version}
    from unnest(${late('ids')}) with ordinality as wanted(id, n)
    join ${tableOf(plan.resource, root)} on ${column(root.alias, 'id')} = wanted.id
    where ${whereSql(plan, root)} order by wanted.n`),
  );
}

const whereSql = (plan: Plan, row: Row): Sql => all(rowConditions(plan.resource, plan.where, row));

// --- glued pages -----------------------------------------------------------------------------------------------------

/** Items up to this, all together, come glued to one text. */
const gluedBytes = 4 * 2 ** 20;

/** Items that are glued to one text: at most some 64 KiB of usual ones, as much as is read from a socket at once. */
const mostGlued = 32;

/** How many items of a page come as one text. */
const pieceLength = ({ bytes }: Size): number =>
  Math.min(mostGlued, Math.max(1, Math.floor(itemBytes / Math.max(1, bytes))));

/** Whether a page of such items may come as one text. */
export const isGlued = ({ take }: Pick<Page, 'take'>, { bytes }: Size): boolean => take * bytes <= gluedBytes;

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
function probedRows(plan: Plan, row: Row, columns: readonly Sql[]): Sql | undefined {
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
  const conditions = where.flatMap(parts);
  const first = conditions.find(namesFewTargets);
  if (!first) return undefined;
  const { field } = first;
  const ofField = conditions.filter((one): one is Related => one.kind === 'related' && one.field === field);
  const rest = conditions.filter((one) => !ofField.includes(one as Related));
  if (ofField.some((one) => relation(one) !== 'configuration') || !isIndexed(rest, field, row)) return undefined;
  return { field, where: ofField.flatMap((one) => one.where), rest };
}

const parts = (condition: Condition): Condition[] =>
  condition.kind === 'and' ? condition.parts.flatMap(parts) : [condition];

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

const spell = { condition: conditionSql, json: jsonSql };
const share = shareOf({ long: 8 });

/** For one statement. */
export const compiling = (json?: JsonV2): Compiling => ({
  spell,
  lists: new Map(),
  share,
  json,
});
