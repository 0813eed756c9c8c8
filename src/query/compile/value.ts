/**
 * Spells the value of an expression as SQL, typed as the expression is; the rows that it leads to; and what these are
 * sorted by.
 */
import type { ChangedReference, CollectionField, ResourceType } from '../../model/model.js';
import { all, column, folded, late, list, literal, name, raw, type Sql, sql, unicode, value } from '../../sql.js';
import { rowOfAggregate } from '../aggregates.js';
import { keptRows, limits } from '../limits.js';
import type { Chain, Condition, Literal, Of, Operand, Order, Plan, Value } from '../meaning.js';
import { isComparable, isFreeText, type Kind, type Type } from '../types.js';
import { isCut, isTest, itemOf, ofSorts, resourceOf } from '../values.js';
import { conditionsSql, further, kindConditions, type Opened, type Row, rowConditions, tableOf } from './compiling.js';
import { customSql } from './custom.js';
import { isOwnId, seenOf } from './forms.js';
import { isPerson, storedIn } from './stored-value.js';

const isShape = ofSorts('shape');

export function valueSql(node: Value, row: Row): Sql {
  if (isTest(node)) return sql`((${row.to.spell.condition(node, row)}) is true)`;
  if (isShape(node)) throw new Error(`${node.kind} has no value`);
  switch (node.kind) {
    case 'literal':
      return literalSql(node);
    case 'field':
      return node.of.kind === 'row' ? fieldSql(node, row) : withRow(node.of, row, (one) => fieldSql(node, one));
    case 'element':
      return sql`btrim(${column(row.to.lists.get(node.list)!, 'v')})`;
    case 'key':
      return row.to.keys![node.index]!;
    case 'me':
      return late('actor.user');
    case 'late':
      return late(node.late);
    case 'aggregate':
      return aggregateSql(node, row);
    case 'first':
      return chainSql(node.of, row, ({ from, order, row: item }) => {
        return sql`(select ${valueSql(itemOf(node.of), item)} ${from} order by ${order} ${firstOf(node.of)})`;
      });
    case 'conditional':
      return sql`(case when ${row.to.spell.condition(node.test, row)} then ${valueSql(node.yes, row)} else ${valueSql(node.no, row)} end)`;
    case 'call':
      return node.function.sql(...node.args.map((arg) => valueSql(arg, row)));
    case 'row':
    case 'reference':
    case 'pointed':
    case 'cast':
    case 'chosen':
      throw new Error(`${node.kind} has no value`);
  }
}

const sqlTypes: Partial<Record<Kind, string>> = {
  integer: 'bigint',
  decimal: 'numeric',
  double: 'float8',
  boolean: 'boolean',
  moment: 'timestamptz',
  span: 'interval',
};

const literalSql = (node: Literal): Sql =>
  node.value === null ? raw(`null::${sqlTypes[node.type.kind] ?? 'text'}`) : value(node.value, node.sqlType);

function fieldSql({ operand }: Of<'field'>, row: Row): Sql {
  const stored = operandSql(operand, row);
  const isPlain = operand.kind === 'custom' || !operand.field.expression;
  return isPlain ? stored : sql`(${stored})`;
}

/**
 * Of the items of a collection or, over all that are asked for, of the rows at hand: they are read once, whatever is
 * reckoned of them.
 */
function aggregateSql(node: Of<'aggregate'>, row: Row): Sql {
  const { of } = node;
  if (of.source === 'root') {
    const filter = of.filters.map((one) => row.to.spell.condition(one, row));
    return reckoned(node, measured(node, row), filter.length > 0 ? sql` filter (where ${all(filter)})` : raw(''));
  }
  return chainSql(of, row, ({ from, order, row: item }) => {
    if (!isCut(of)) return sql`(select ${reckoned(node, measured(node, item))} ${from})`;
    const page = row.aliases.next();
    const one = measured(node, item) ?? raw('1');
    const rows = sql`select ${one} as v ${from} order by ${order}${leftOf(of)}`;
    return sql`(select ${reckoned(node, column(page, 'v'))} from (${rows}) ${page})`;
  });
}

/** What is reckoned of an item; undefined where items are counted whatever they are. */
function measured({ of, value: measure, function: fn }: Of<'aggregate'>, row: Row): Sql | undefined {
  if (measure) return valueSql(measure, row);
  if (fn !== 'count' || !of.isDistinct || !of.projection) return undefined;
  const { projection } = of;
  return projection.type.kind === 'entity' ? idSql(projection, row) : sameSql(valueSql(projection, row), projection);
}

function reckoned({ of, function: fn, value: measure }: Of<'aggregate'>, one: Sql | undefined, filter = raw('')): Sql {
  const kind = measure?.type.kind;
  const [isDouble, isDecimal] = [kind === 'double', kind === 'decimal'];
  return rowOfAggregate(fn).sql({ of: one, isDouble, isDecimal, isDistinct: of.isDistinct, filter });
}

// --- a value of one row: a column, a computed field, a custom field --------------------------------------------------

/** The value of an operand on a row, typed; private values of others are null. */
export function operandSql(operand: Operand, row: Row): Sql {
  if (operand.kind === 'custom') return customSql(operand, row);
  const { field, seen } = operand;
  const plain = field.expression
    ? field.expression((columnName) => column(row.alias, columnName))
    : column(row.alias, field.column!);
  if (field.changeOf && seen && seen.length > 0)
    return sql`case when ${plain} then ${changeSeenSql(field.changeOf, seen, row)} else ${plain} end`;
  if (!field.isPrivate || row.privacy === 'everyone') return plain;
  return sql`case when ${column(row.alias, 'id')} = ${late('actor.user')} then ${plain} end`;
}

function changeSeenSql({ reference, table }: ChangedReference, seen: readonly Condition[], row: Row): Sql {
  const own = (columnName: string): Sql => column(row.alias, columnName);
  const target = further(row);
  const conditions = all([
    sql`${column(target.alias, 'id')} in (${own(reference.column)}, ${previousValue(table, reference.column, own)})`,
    ...rowConditions(reference.target, seen, target),
  ]);
  return sql`exists (select 1 from ${tableOf(reference.target, target)} where ${conditions})`;
}

/**
 * What a column was in the record before that of `row`: records of the past of one entity follow one another by date.
 */
export const previousValue = (table: string, columnName: string, row: (columnName: string) => Sql): Sql =>
  sql`(select earlier.${name(columnName)} from ${name(table)} earlier
    where earlier.general_id = ${row('general_id')} and (earlier.date, earlier.id) < (${row('date')}, ${row('id')})
    order by earlier.date desc, earlier.id desc limit 1)`;

// --- rows of references, casts, pointers and choices, each as far as it is seen --------------------------------------

const isNoEntity = ofSorts('single', 'test', 'shape');

/** An expression over the row of an entity; null where there is no such entity. */
export function withRow(node: Value, row: Row, body: (row: Row) => Sql): Sql {
  if (isNoEntity(node)) throw new Error(`${node.kind} is no entity`);
  switch (node.kind) {
    case 'row':
      return body(row);
    case 'reference':
      return withRow(node.of, row, (one) => {
        const target = further(one);
        const conditions = rowConditions(node.field.target, seenOf(node), target);
        return inRow(node.field.target, column(one.alias, node.field.column), target, conditions, body);
      });
    case 'cast':
      return withRow(
        node.of,
        row,
        (one) => sql`(case when ${all(kindConditions(node.resource, one))} then ${body(one)} end)`,
      );
    case 'pointed':
      return withRow(node.of, row, (one) => {
        const values = column(one.alias, node.operand.column);
        const { target: pointable } = node.operand;
        const isOne = isPerson(sql`(${storedIn(values, node.operand)} ->> 'Kind')`, pointable!);
        const fits = node.resource === pointable!.resource ? sql`not ${isOne}` : isOne;
        const id = operandSql(node.operand, one);
        const target = further(one);
        return inRow(node.resource, id, target, [fits, ...conditionsSql(seenOf(node), target)], body);
      });
    case 'me':
      return inRow(node.type.resource, late('actor.user'), further(row), [], body);
    case 'chosen':
      return chosenSql(node, row, body);
    case 'key':
      // Groups are of what their items refer to, which was seen there.
      return inRow(resourceOf(node), row.to.keys![node.index]!, further(row), [], body);
    case 'first':
      return chainSql(node.of, row, ({ from, order, row: item }) => {
        const page = sql`order by ${order} ${firstOf(node.of)}`;
        if (!node.of.projection) return sql`(select ${body(item)} ${from} ${page})`;
        return sql`(select ${withRow(node.of.projection, item, body)} ${from} ${page})`;
      });
    case 'conditional':
      throw new Error(`${node.kind} is no entity`);
  }
}

function inRow(resource: ResourceType, id: Sql, row: Row, conditions: readonly Sql[], body: (row: Row) => Sql): Sql {
  const filter = all([sql`${column(row.alias, 'id')} = ${id}`, ...conditions]);
  return sql`(select ${body(row)} from ${tableOf(resource, row)} where ${filter}${firstOnly(resource, row)})`;
}

/** The id says all: it is that of a row which is seen. */
function chosenSql(node: Of<'chosen'>, row: Row, body: (row: Row) => Sql): Sql {
  // Where an entity of a custom field is a person, it is no row of this table.
  const [one, other] = node.options.map((option) => rowIdSql(option, row)) as [Sql, Sql];
  const id = node.test
    ? sql`case when ${row.to.spell.condition(node.test, row)} then ${one} else ${other} end`
    : sql`coalesce(${one}, ${other})`;
  return inRow(node.resource, sql`(${id})`, further(row), [], body);
}

/** The id of an entity; null where there is none. */
export function idSql(node: Value, row: Row): Sql {
  if (node.type.kind !== 'entity') return raw('null::bigint');
  if (node.kind === 'pointed') return withRow(node.of, row, (one) => operandSql(node.operand, one));
  return rowIdSql(node, row);
}

export const rowIdSql = (node: Value, row: Row): Sql =>
  node.type.kind === 'entity' ? withRow(node, row, (one) => column(one.alias, 'id')) : raw('null::bigint');

// --- collections: items as far as they are seen and pass the filters, in order, and what Take, Skip and Distinct left

/** An expression over the items of a collection; null where its owner is not there. */
export function chainSql(chain: Chain, row: Row, finish: (opened: Opened) => Sql): Sql {
  const { source } = chain;
  if (source === 'root') throw new Error('what is asked for is no collection of anything');
  if (source.kind === 'values') return finish(openedList(chain, source, row));
  return withRow(source.owner, row, (owner) => finish(openedCollection(chain, source.field, owner)));
}

function openedCollection(chain: Chain, field: CollectionField, owner: Row): Opened {
  const left = chain.within && idsOf(chain.within, openedCollection(chain.within, field, owner));
  const row = further(owner);
  const id = column(row.alias, 'id');
  const items = itemsSql(field, owner.alias, row);
  const conditions = [...rowConditions(field.target, seenOf(chain), row), ...narrowing(chain, left, id, row, owner)];
  const from = conditions.length > 0 ? sql`${items} and ${all(conditions)}` : items;
  return { from, order: orderOf(chain, row, id), row, id };
}

function openedList(chain: Chain, source: ListSource, row: Row): Opened {
  const left = chain.within && idsOf(chain.within, openedList(chain.within, source, row));
  const alias = row.aliases.next();
  const id = column(alias, 'id');
  // What was left has another row than ours, which the list stands for from here on.
  row.to.lists.set(source.list, alias);
  const text = sql`left(${valueSql(source.owner, row)}, ${literal(limits.listCharacters)})`;
  const values = sql`unnest(string_to_array(${text}, ',')) with ordinality ${alias}(v, id)`;
  const conditions = narrowing(chain, left, id, row);
  const from = conditions.length > 0 ? sql`from ${values} where ${all(conditions)}` : sql`from ${values}`;
  return { from, order: orderOf(chain, row, id, true), row, id };
}

type ListSource = Extract<Chain['source'], { kind: 'values' }>;

const narrowing = (chain: Chain, left: Sql | undefined, id: Sql, row: Row, owner?: Row): Sql[] => [
  ...(left ? [sql`${id} = any(array(${left}))`] : []),
  ...filtersSql(chain, row, owner),
];

/** The filters of a collection, where they have to wait for it behind the key of its owner. */
export function filtersSql({ source, filters, asksOwn }: Chain, item: Row, owner?: Row): Sql[] {
  const spelled = filters.map((filter) => item.to.spell.condition(filter, item));
  if (!asksOwn || !owner || source === 'root' || source.kind === 'values' || source.field.via.kind !== 'key')
    return spelled;
  const isOwn = sql`${column(item.alias, source.field.via.column)} = ${column(owner.alias, 'id')}`;
  return [sql`(case when ${isOwn} then ${all(spelled)} else false end)`];
}

/** Of what `Take`, `Skip` and `Distinct` left. */
function idsOf(chain: Chain, opened: Opened): Sql {
  const { from, order, row, id } = opened;
  if (!chain.isDistinct) return sql`select ${id} ${from} order by ${order}${leftOf(chain)}`;
  return firstOfEach(chain, sql`${identity(chain, row)} as v, ${id} as id`, opened, 'id');
}

/** What is the same is found by `v`; the first of each stands for all of them and keeps its place. */
export function firstOfEach(chain: Chain, shown: Sql, { from, order, row }: Opened, of: 'v' | 'id'): Sql {
  const alias = row.aliases.next();
  const [value, id, n] = [column(alias, 'v'), column(alias, 'id'), column(alias, 'n')];
  const item = itemOf(chain);
  const one = of === 'v' ? sameSpelled(value, item.type) : sql`(array_agg(${id} order by ${n}))[1]`;
  // What is shown of choices is told apart by what they are.
  const isApart = of === 'v' && isSelection(item);
  const key = isApart ? sql`, ${identity(chain, row)} as k` : raw('');
  const same = sameSql(isApart ? column(alias, 'k') : value, item);
  return sql`select ${one} as item from (select ${shown}${key}, row_number() over (order by ${order}) as n ${from}) ${alias}
    group by ${same} order by min(${n})${of === 'v' ? sql` ${limitOf(chain)}` : leftOf(chain)}`;
}

/** Two items of a collection of distinct ones never have the same. */
function identity(chain: Chain, row: Row): Sql {
  const one = itemOf(chain);
  if (one.type.kind === 'entity') return idSql(one, row);
  return isComparable(one.type) ? valueSql(one, row) : row.to.spell.json(one, row);
}

/** Without an order, and among what is equal, the latest comes first; values of a list stay in place. */
function orderOf({ order }: Chain, row: Row, id: Sql, isInPlace = false): Sql {
  const isAscending = order.length > 0 ? !order.at(-1)!.descending : isInPlace;
  return list([...order.map((one) => termSql(one, row)), sql`${id}${raw(isAscending ? '' : ' desc')}`]);
}

/** `from … where …`: the items of a collection of one row. */
export function itemsSql(field: CollectionField, owner: Sql, item: Row): Sql {
  const ownerId = column(owner, 'id');
  const table = sql`${name(field.target.table)} ${item.alias}`;
  if (field.via.kind === 'key') return sql`from ${table} where ${column(item.alias, field.via.column)} = ${ownerId}`;
  return sql`from ${table} where ${linkedSql(field.via, ownerId, item)}`;
}

type Link = Extract<CollectionField['via'], { kind: 'link' }>;

/** A link may be stored twice (one user in two roles); its item is still one. */
export function linkedSql({ table, from, to }: Link, ownerId: Sql, { alias, aliases }: Row): Sql {
  const link = aliases.next();
  return sql`${column(alias, 'id')} in (select ${column(link, to)}
    from ${name(table)} ${link} where ${column(link, from)} = ${ownerId})`;
}

// --- orders and pages ------------------------------------------------------------------------------------------------

/** Order is total: the asked fields, then the Id, then what tells rows of one Id apart. */
export function orderSql(plan: Pick<Plan, 'order' | 'resource'>, row: Row): Sql {
  const { rowKey } = plan.resource.settings;
  const terms = plan.order.map((order) => termSql(order, row));
  const last = plan.order.at(-1);
  if (!plan.order.some(isById)) terms.push(sql`${column(row.alias, 'id')}${raw(last?.descending ? ' desc' : '')}`);
  if (rowKey !== 'id') terms.push(column(row.alias, rowKey));
  return list(terms);
}

export const isById = ({ by }: Order): boolean => isOwnId(by);

const termSql = ({ by, descending }: Order, row: Row): Sql => directed(valueSql(by, row), descending, by.nullable);

/** Nothing is less than anything, as clients of this API expect. */
export function directed(expression: Sql, descending: boolean, nullable: boolean): Sql {
  const nulls = nullable ? (descending ? ' nulls last' : ' nulls first') : '';
  return sql`${expression}${raw(`${descending ? ' desc' : ''}${nulls}`)}`;
}

// One row more than the page: its presence is all we need to know about the next page.
export const limitSql = ({ page: { take, skip } }: Pick<Plan, 'page'>): Sql =>
  sql`limit ${literal(take + 1)}${offsetSql(skip)}`;

/** Where several rows have one Id, it names the first of them. */
export const firstOnly = ({ settings: { rowKey } }: ResourceType, row: Row): Sql =>
  rowKey === 'id' ? raw('') : sql` order by ${column(row.alias, rowKey)} limit 1`;

/** Bound, because clients walk through pages: each number of its own would make a statement of its own. */
export const offsetSql = (skip = 0): Sql => (skip > 0 ? sql` offset ${value(skip, 'bigint')}` : raw(''));

/** A part of a collection; it says how many rows its sort keeps. */
export function partSql(take: number, skip = 0): Sql {
  return sql`limit ${literal(take)}${offsetSql(skip)}${raw(skip > 0 ? keptRows(take + skip) : '')}`;
}

/** What `Take` and `Skip` leave of a collection of version 2. */
const leftOf = ({ take, skip }: Chain): Sql => (take === undefined ? offsetSql(skip) : sql` ${partSql(take, skip)}`);

/** The same of one that is shown. */
export const limitOf = ({ take, skip }: Chain): Sql => partSql(take ?? limits.take, skip);

/** Of the first item, where there are any. */
export const firstOf = (chain: Chain): Sql => limitOf({ ...chain, take: Math.min(1, chain.take ?? 1) });

// --- the same values -------------------------------------------------------------------------------------------------

// To groups and to `Distinct` as to `=`, texts are the same without regard to case. Of the spellings of one value the
// first in order is shown. Objects are compared as they are shown, in JSON.

/** Its values may be the same and look different. */
export const hasSpellings = (type: Type): boolean => isFreeText(type) || type.kind === 'object';

/** Equal for values that are the same; `of` is what is spelled. */
export function sameSql(spelled: Sql, of: Value): Sql {
  if (!hasSpellings(of.type)) return spelled;
  return isSelection(of) ? selectionSql(folded(spelled)) : folded(spelled);
}

export const isSelection = (of: Value): boolean =>
  of.kind === 'field' && of.operand.kind === 'custom' && of.operand.type === 'MultipleSelectionList';

/** The same text for the same choices, in whatever order they were sent. */
export const selectionSql = (choices: Sql): Sql =>
  sql`coalesce((select string_agg(btrim(choice), ',' order by btrim(choice) collate "C")
    from unnest(string_to_array(${choices}, ',')) choice), ${choices})`;

/** The value of a group whose rows have the same one. */
export const sameSpelled = (value: Sql, type: Type): Sql => (hasSpellings(type) ? sql`min(${unicode(value)})` : value);
