import { versionSql } from '../../model/row-version.js';
import type { JsonV2 } from '../../representation/json-v2.js';
import type { Representation } from '../../representation/representation.js';
import {
  all,
  column,
  columnsOf,
  constant,
  continued,
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
} from '../../sql.js';
import { affordable } from '../limits.js';
import type { Page, Plan } from '../meaning.js';
import { noSize, type Size, shareOf, sizeOf } from './answer-size.js';
import { Aliases, type Compiling, type Row, rootRow, rowConditions, tableOf } from './compiling.js';
import { comparedIds, conditionSql } from './condition.js';
import { inForms, valuesMatter } from './forms.js';
import { itemSql, type Joined, type Style } from './item.js';
import { jsonSql } from './json.js';
import { firstOnly, isById, limitSql, orderSql } from './value.js';
import { kindWalk, probedRows } from './walks.js';

export type LinkTail = Pick<Style, 'tail'>;

/** The items of a page as they are spelled, whatever rows they are: the same for all filters, orders and pages. */
export interface SpelledItems {
  item: Sql;
  joins: readonly Joined[];
  /** The columns that both read of the row. */
  columns: Sql[];
  isJoined: boolean;
  separator: Sql;
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
export function compilePage(plan: Plan, items: SpelledItems, to = compiling(), keep = anew): Statement {
  const { kind, head, rest } = pageParts(plan, items, to);
  const begun = statement(head());
  const { text, parameters } = continued(rest, begun);
  const first = firstPage(plan, (beginning) => {
    const begin = pageParts(beginning, items, { ...to, lists: new Map() });
    return statement(sql`${begin.head()}${begin.rest}`);
  });
  return {
    text: keep(`${kind} ${text}`, () => affordable({ text: begun.text + text }, first).text),
    parameters,
    isPlannedEachTime: valuesMatter(plan),
    isLong: !isGlued(plan.page, items.size),
  };
}

/** Statements that differ in their values only have one text: it is kept once, and what it costs is reckoned once. */
const anew = (_key: string, make: () => string): string => make();

/** How the first page is spelled, where this is another one. */
export const firstPage = (plan: Plan, spell: (plan: Plan) => Statement): (() => Statement) | undefined =>
  plan.page.skip === 0 ? undefined : () => spell({ ...plan, page: { ...plan.page, skip: 0 } });

/** A page is spelled in two parts, the first of which is long and, for the same items, one of a few. */
interface PageParts {
  /** Tells heads of the same items apart. */
  kind: string;
  head: () => Sql;
  rest: Sql;
}

function pageParts(asked: Plan, items: SpelledItems, to: Compiling): PageParts {
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
export function isJoined({ members, page }: Pick<Plan, 'members' | 'page'>): boolean {
  const references = members.filter(({ kind }) => kind === 'reference').length;
  return references > 0 && (references <= 4 || isLong(page));
}

export const isLong = ({ take }: Page): boolean => take > 100;

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

/** What items that come as one text take together where they are no longer than usual. */
const pieceBytes = 16 * 2 ** 20;

const pieceLength = ({ bytes }: Size): number =>
  Math.min(mostGlued, Math.max(1, Math.floor(pieceBytes / Math.max(1, bytes))));

/** Whether a page of such items may come as one text. */
export const isGlued = ({ take }: Pick<Page, 'take'>, { bytes }: Size): boolean => take * bytes <= gluedBytes;

const spell = { condition: conditionSql, json: jsonSql };
const share = shareOf(noSize);

/** For one statement. */
export const compiling = (json?: JsonV2): Compiling => ({
  spell,
  lists: new Map(),
  share,
  json,
});
