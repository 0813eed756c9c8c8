/** Turns what a request of version 2 says into what it means: conditions, an order, and what is shown. */

import { badRequest } from '../../errors.js';
import type { Model, ResourceType } from '../../model/model.js';
import { isOwnId } from '../compile/forms.js';
import type {
  Condition,
  CustomFieldCatalogue,
  Groups,
  Meaning,
  ObjectMember,
  Of,
  Order,
  Plan,
  Shown,
  Value,
} from '../meaning.js';
import { Source } from '../parameters.js';
import { boolean, text } from '../types.js';
import { emptyPlan } from '../v1/resolve-selection.js';
import { chainOf, condition, conjuncts, isAskedFor, isBehind, literal, partsOf, rowOf, series } from '../values.js';
import { asText, checkScalar, displayed, displayedPointer, resolveCondition, rowId } from './coerce.js';
import { type Expression, type Ordering, type Property, withoutRepeated } from './expression.js';
import type { ParsedParameter, QueryV2 } from './query-v2.js';
import { sortable } from './resolve-chain.js';
import { entityMember } from './resolve-entity.js';
import { labelOf, memberFrom, membersFrom, object, resolveExpression } from './resolve-expression.js';
import { type Context, checkKeys, digitsIn, type Place, refuse, weighed } from './resolving.js';

export interface QueryContext {
  model: Model;
  catalogue: CustomFieldCatalogue;
}

/** A page of items, one entity by its id, the same as a line, or lines of what lies behind an id, in order of ids. */
export type Extent = 'page' | 'one' | 'line' | 'behind';

export function resolveQueryV2(query: QueryV2, resource: ResourceType, context: QueryContext, extent: Extent): Meaning {
  const row = rowOf(resource);
  const weights: Place['weights'] = new Map();
  const at = <T>(part: Pick<ParsedParameter<T>, 'parameter' | 'text'>, it: Value = row): Place => ({
    ...context,
    weights,
    source: new Source(part.parameter, part.text),
    it,
    depth: 0,
    resolve: resolveExpression,
  });
  const where = query.where ? [weighedCondition(query.where.tree, at(query.where))] : [];
  if (query.filter) {
    const { filter } = query;
    where.push(
      'tree' in filter
        ? weighedCondition(filter.tree, at(filter))
        : simpleFilter(filter.text, row, at({ ...filter, parameter: 'filter' })),
    );
  }
  const isWhole = extent === 'behind';
  const isOne = extent === 'one' || extent === 'line';
  const shown = isWhole || extent === 'line' ? linesOf(query, row, at) : shownOf(query, row, at);
  const order = shown.kind === 'groups' ? [] : ordersOf(query, at, row);
  const plan: Plan = {
    ...emptyPlan(resource, isOne ? { take: 1, skip: 0 } : query.page),
    where: [
      ...(isOne ? [isAskedFor(resource)] : []),
      ...(isWhole ? [isBehind(resource)] : []),
      ...where.flatMap(conjuncts),
    ],
    order: order.length > 0 ? order : [{ by: rowId(row), descending: !isWhole }],
    asksForDeleted: query.includeDeleted,
  };
  return { plan, shown };
}

const weighedCondition = (expression: Expression, place: Place): Condition =>
  weighed(resolveCondition(expression, place), place);

type At = <T>(part: Pick<ParsedParameter<T>, 'parameter' | 'text'>, it?: Value) => Place;

function shownOf(query: QueryV2, row: Of<'row'>, at: At): Shown {
  const { select, result, groupBy } = query;
  if (select && (result || groupBy))
    throw badRequest(
      'select shows items, result and groupBy tell of many: leave select out and name numbers in result, such as result={count,sum(effort)}.',
      'InvalidParameter',
    );
  if (groupBy) return groupsOf(query, row, at);
  if (result) {
    const place = at(result, chainOf('root', row.type));
    const meant = weighed(resolveExpression(result.tree, place), place);
    return { kind: 'result', result: reckoned(meant, result.tree, place) };
  }
  if (!select) return { kind: 'whole' };
  const place = at(select);
  const meant = resolveExpression(select.tree, place);
  // What was put in the place of others may have made it larger than its text, and all of it is walked along.
  if (place.weights.size > 0) weighed(meant, place);
  const item = displayed(meant, place);
  const name = labelOf(meant, select.tree)?.name ?? select.text.trim();
  return { kind: 'items', item: weighed(item, place), name };
}

function linesOf(query: QueryV2, row: Of<'row'>, at: At): Shown {
  const context = at(query.select ?? { parameter: 'select', text: '' });
  return beginningWithId(shownOf(query, row, at), rowId(row), context);
}

function ordersOf({ order }: QueryV2, at: At, it: Value): Order[] {
  const orders = order.flatMap((part) => part.tree.map((one) => ordering(one, at(part, it))));
  const [part] = order;
  if (part)
    checkKeys(
      orders.map(({ by }) => by),
      at(part),
    );
  return orders;
}

function ordering({ by, descending }: Ordering, place: Place): Order {
  return { by: weighed(sortable(resolveExpression(by, place), by, place), place), descending };
}

/** A result is reckoned: it holds values, not items. */
function reckoned(inner: Value, at: Expression, context: Context): Value {
  const isShown = inner.kind === 'object' ? inner.members.every(({ value }) => isReckoned(value)) : isReckoned(inner);
  if (!isShown)
    throw refuse(context, at, 'A result is a number or another value, or an object of them; items are shown by select');
  return inner;
}

function isReckoned(node: Value): boolean {
  if (node.kind === 'object') return node.members.every(({ value }) => isReckoned(value));
  return !['entity', 'collection', 'customValues', 'object', 'link'].includes(node.type.kind) && !holdsObjects(node);
}

const holdsObjects = (node: Value): boolean =>
  node.kind === 'object' || partsOf(node).some((part) => part.kind === 'object');

/** `groupBy={state: entityState.name}` means the same without braces. */
function outOfBraces(one: Property, context: Context): readonly Property[] {
  const members = one.name === undefined && one.value.kind === 'object' ? one.value.members : [one];
  if (members.length === 0) throw refuse(context, one, noKey);
  return members;
}

const noKey = 'Nothing stands in the braces; name what to group by, as in groupBy={state: entityState.name}';

/** What items are grouped by, and how a group shows it and is sorted by it. */
function keysOf({ tree }: ParsedParameter<Property[]>, place: Place) {
  const keys: Value[] = [];
  const key = (value: Value): Value => keyAt(keys.push(value) - 1, value, digitsIn(value, place));
  const properties = withoutRepeated(tree.flatMap((one) => outOfBraces(one, place)));
  const members = properties.map((property): ObjectMember => {
    const member = memberFrom(property, place);
    const { value } = member;
    // A person and an item may have one id: their kinds tell them apart.
    if (value.kind === 'pointed') return { ...member, value: displayedPointer(value, place, key) };
    if (value.type.kind !== 'entity') checkScalar([value], property.value, place);
    return { ...member, value: key(value) };
  });
  object(members, tree[0]!, place);
  checkKeys(keys, place);
  const order = members.flatMap(({ value }, index) => [
    sortable(value, properties[index]!.value, place),
    // Entities differ by more than the name that they are sorted by.
    ...(value.kind === 'conditional' ? partsOf(value.yes) : []),
  ]);
  return { keys, members, order: order.map((by) => ({ by, descending: false })) };
}

function groupsOf(query: QueryV2, row: Of<'row'>, at: At): Groups {
  const { groupBy, result } = query;
  const { keys, members: groupKeys, order } = keysOf(groupBy!, at(groupBy!));
  const over = at(result ?? groupBy!, chainOf('root', row.type));
  const expression: Expression = result?.tree ?? { kind: 'name', name: 'Count', at: 0 };
  const members =
    expression.kind === 'object'
      ? membersFrom(expression.members, over)
      : [memberFrom({ at: expression.at, value: expression }, over)];
  for (const { value } of members) reckoned(value, expression, over);
  const group = weighed(object([...groupKeys, ...members], expression, over), over);
  const shown = weighed(displayed(group, over) as typeof group, over);
  return {
    kind: 'groups',
    keys,
    members: shown.members,
    order: [...ordersOf(query, at, group), ...order],
  };
}

/** A group has what its items have in common, not the items that it came from. */
const keyAt = (index: number, { type }: Value, digits: number): Value => ({
  kind: 'key',
  index,
  digits,
  type,
  nullable: true,
});

function simpleFilter(filter: string, row: Of<'row'>, place: Place): Value {
  const { resource } = row.type;
  const member = (name: string): Value | undefined => entityMember(row, resource, { kind: 'name', name, at: 0 }, place);
  const name = member('Name') ?? member('FullName');
  const part = literal(filter.trim(), text, 'text');
  const containing = (of: Value): Value =>
    condition({ kind: 'contains', of, part, wholeStart: false, wholeEnd: false });
  const named = name && containing(name);
  const isNumber = /^\d{1,18}$/.test(filter.trim());
  const numbered = isNumber ? containing(asText(member('Id')!, { at: 0 }, place)) : undefined;
  const parts = [named, numbered].filter((one) => one !== undefined);
  return parts.length > 0 ? series('or', parts) : literal(false, boolean, 'boolean');
}

// --- whole lists: each item begins with its Id, which a client goes on behind ----------------------------------------

const refusal = (what: string): Error => badRequest(`application/x-ndjson: ${what}`, 'InvalidParameter');

/** Errors: 400 for what no walk in the order of Ids can answer. */
export function checkWholeList({ result, groupBy, order, page, isPretty }: QueryV2): void {
  if (result || groupBy) throw refusal('only items are answered in this format. Leave result and groupBy out.');
  const [first] = order;
  if (first) throw refusal(`items come in the order of their Ids. Leave ${first.parameter} out.`);
  if (page.skip > 0) throw refusal('leave skip out. To go on behind an Id, filter by it: where=(id>5).');
  if (isPretty) throw refusal('each item stands on one line. Leave prettify out.');
}

function beginningWithId(shown: Shown, id: Value, context: Context): Shown {
  // A whole item begins so anyway.
  if (shown.kind !== 'items') return shown;
  const { item } = shown;
  if (item.kind !== 'object') throw refusal('an object is to be selected of each item, such as select={id,name}.');
  const others = item.members.filter(({ name, value }) => !(name === 'id' && isOwnId(value)));
  const members: ObjectMember[] = [{ name: 'id', isKnown: true, value: id }, ...others];
  if (others.some(({ name }) => name === 'id'))
    throw refusal('each line begins with the Id of its item as id: give the other member named so another name.');
  return { ...shown, item: object(members, { at: 0 }, context) };
}
