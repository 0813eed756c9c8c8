/** Turns what a request of version 2 says into what it means: conditions, an order, and what is shown. */
import { badRequest } from '../../errors.js';
import type { Model, ResourceType } from '../../model/model.js';
import type { CustomFieldCatalogue } from '../plan.js';
import { displayed, wholeItem } from './display.js';
import type { Expression, Ordering } from './expression.js';
import type { QueryV2, Said } from './query-v2.js';
import { sortable } from './resolve-chain.js';
import { resolveCondition, resolveExpression } from './resolve-expression.js';
import { memberFrom, object } from './resolve-object.js';
import { simpleFilter } from './resolve-simple-filter.js';
import { type Place, refuse, rootChain, rowOf } from './resolving.js';
import { Source } from './scan-expression.js';
import { type Binder, type ObjectMember, partsOf, type Typed } from './typed.js';

export interface MeaningV2 {
  resource: ResourceType;
  /** The row of an item. */
  binder: Binder;
  /** All must hold. */
  where: Typed[];
  order: { by: Typed; descending: boolean }[];
  shown: { kind: 'items'; item: Typed } | { kind: 'result'; result: Typed } | Grouped;
}

export interface Grouped {
  kind: 'groups';
  keys: ObjectMember[];
  members: ObjectMember[];
}

export interface Known {
  model: Model;
  catalogue: CustomFieldCatalogue;
}

export function resolveQueryV2(query: QueryV2, resource: ResourceType, known: Known): MeaningV2 {
  const row = rowOf(resource);
  const at = <T>(said: Pick<Said<T>, 'parameter' | 'text'>, it: Typed = row): Place => ({
    context: { ...known, source: new Source(said.parameter, said.text) },
    it,
    depth: 0,
  });
  const where = query.where ? [resolveCondition(query.where.tree, at(query.where))] : [];
  if (query.filter) {
    const { filter } = query;
    where.push(
      'tree' in filter
        ? resolveCondition(filter.tree, at(filter))
        : simpleFilter(filter.text, row, at({ ...filter, parameter: 'filter' })),
    );
  }
  return {
    resource,
    binder: row.binder,
    where,
    order: query.order.flatMap((said) => said.tree.map((one) => ordering(one, at(said)))),
    shown: shownOf(query, row, at),
  };
}

type At = <T>(said: Pick<Said<T>, 'parameter' | 'text'>, it?: Typed) => Place;

function shownOf(query: QueryV2, row: ReturnType<typeof rowOf>, at: At): MeaningV2['shown'] {
  const { select, result, groupBy } = query;
  if (select && (result || groupBy))
    throw badRequest('select shows items, and result and groupBy reckon over them: use either.');
  if (groupBy) return groupsOf(query, row, at);
  if (result) {
    const place = at(result, rootChain(row));
    return { kind: 'result', result: reckoned(resolveExpression(result.tree, place), result.tree, place) };
  }
  if (!select) return { kind: 'items', item: wholeItem(row, at({ parameter: 'select', text: '' }).context) };
  const place = at(select);
  return { kind: 'items', item: displayed(resolveExpression(select.tree, place), place.context) };
}

function ordering({ by, descending }: Ordering, place: Place): { by: Typed; descending: boolean } {
  return { by: sortable(resolveExpression(by, place), by, place), descending };
}

/** A result is reckoned: it holds values, not items. */
function reckoned(found: Typed, at: Expression, { context }: Place): Typed {
  const isShown = found.kind === 'object' ? found.members.every(({ value }) => isReckoned(value)) : isReckoned(found);
  if (!isShown)
    throw refuse(context, at, 'A result is a number or another value, or an object of them; items are shown by select');
  return found;
}

function isReckoned(node: Typed): boolean {
  if (node.kind === 'object') return node.members.every(({ value }) => isReckoned(value));
  return !['entity', 'collection', 'customValues', 'object', 'link'].includes(node.type.kind) && !holdsObjects(node);
}

const holdsObjects = (node: Typed): boolean =>
  node.kind === 'object' || partsOf(node).some((part) => part.kind === 'object');

function groupsOf({ groupBy, result, order }: QueryV2, row: ReturnType<typeof rowOf>, at: At): Grouped {
  if (order.length > 0)
    throw badRequest('Groups come in the order of what they are grouped by; orderBy says nothing here.');
  const place = at(groupBy!);
  const keys = groupBy!.tree.map((property) => {
    const member = memberFrom(property, place);
    return { ...member, value: sortable(member.value, property.value, place) };
  });
  const over = at(result ?? { parameter: 'result', text: 'count' }, rootChain(row));
  const said: Expression = result?.tree ?? { kind: 'name', name: 'Count', at: 0 };
  const members =
    said.kind === 'object'
      ? said.members.map((one) => memberFrom(one, over))
      : [memberFrom({ at: said.at, value: said }, over)];
  for (const { value } of members) reckoned(value, said, over);
  object([...keys, ...members], said, over.context);
  return { kind: 'groups', keys, members };
}
