/** Methods of collections. `it` in their arguments is the item, or what the items were turned into. */
import { type Aggregation, aggregateMethods, rowOfAggregate, takesValue } from '../aggregates.js';
import { limits } from '../limits.js';
import type { Chain, Value } from '../meaning.js';
import { isComparable, typeName } from '../types.js';
import { aggregateOf, isCut, isOfValues, isOverAll, itemOf, negation } from '../values.js';
import { asCondition, checkScalar, narrowed, some, uncut, whatIsLeft } from './coerce.js';
import type { Expression, Name } from './expression.js';
import { compared } from './resolve-operator.js';
import { type Context, type Place, refuse, weighedOnce } from './resolving.js';

export function chainMember(chain: Chain, node: Name, place: Place): Value | undefined {
  const method = methods[node.name.toLowerCase()];
  if (!method) return undefined;
  const [least, most] = takes[node.name.toLowerCase()] ?? [1, 1];
  const given = node.args?.length ?? 0;
  if (given < least || given > most) {
    throw refuse(
      place,
      node,
      `${node.name} takes ${least === most ? least : `${least} or ${most}`} arguments, found ${given}`,
    );
  }
  return method(chain, node, place);
}

/** How many arguments, where it is not one. */
const takes: Readonly<Record<string, [least: number, most: number] | undefined>> = {
  ...Object.fromEntries(aggregateMethods.map(([method]) => [method, [0, 1]])),
  any: [0, 1],
  first: [0, 1],
  firstordefault: [0, 1],
  distinct: [0, 0],
};

const methods: Readonly<Record<string, Method | undefined>> = Object.assign(Object.create(null), {
  where: filtered,
  select: projected,
  ...Object.fromEntries(aggregateMethods.map(([method, fn]) => [method, aggregated(fn)])),
  any: (chain, node, place) => some(filtered(chain, node, place), place),
  all: everyOne,
  first,
  firstordefault: first,
  orderby: sorted(false, true),
  orderbydescending: sorted(true, true),
  orderbydesc: sorted(true, true),
  thenby: sorted(false, false),
  thenbydescending: sorted(true, false),
  distinct,
  take: cut('take'),
  skip: cut('skip'),
  contains,
} satisfies Record<string, Method>);

function projected(chain: Chain, node: Name, place: Place): Chain {
  const projection = weighedOnce(argumentOf(chain, node, place)!, place);
  checkPlural(chain, node, place);
  const of = chain.isDistinct ? whatIsLeft(chain, place) : chain;
  return { ...of, projection, type: { kind: 'collection', item: projection.type } };
}

function sorted(descending: boolean, isFirst: boolean): Method {
  return (chain, node, place) => {
    const by = sortable(argumentOf(chain, node, place)!, node.args![0]!, place);
    const of = uncut(chain, place);
    const one = { by, descending };
    // Sorting keeps the order of what is equal; what is sorted by next comes before the order there was.
    const at = isFirst ? 0 : (of.leading ?? of.order.length);
    const order = [...of.order.slice(0, at), one, ...of.order.slice(at)];
    return { ...of, order, leading: at + 1 };
  };
}

/** Collections hold nothing twice; only what their items are turned into may be the same. */
function distinct(chain: Chain, _: Name, context: Place): Chain {
  const isOfItems = !chain.projection && itemOf(chain).kind === 'row';
  return isOfItems ? chain : { ...uncut(chain, context), isDistinct: true };
}

/** An entity is sorted by its name. */
export function sortable(by: Value, { at }: Expression, place: Place): Value {
  const name = labelName(by);
  const criterion = name === undefined ? by : place.resolve({ kind: 'name', at, name }, { ...place, it: by });
  checkScalar([criterion], { at }, place);
  return criterion;
}

function labelName(by: Value): string | undefined {
  if (by.type.kind === 'entity') return by.type.resource.labelField.name;
  const shown = by.kind === 'conditional' ? by.yes : by;
  return shown.kind === 'object' ? shown.label : undefined;
}

function cut(which: 'take' | 'skip'): Method {
  return (chain, node, place) => {
    const [arg] = node.args!;
    if (arg?.kind !== 'literal' || arg.literal !== 'integer' || arg.text.length > 9) {
      throw refuse(place, node, `${node.name} takes a whole number`);
    }
    if (chain.source === 'root') throw refuse(place, node, `${node.name} has no meaning in a result over all items`);
    const number = Math.min(Number(arg.text), which === 'take' ? limits.take : 1_000_000);
    if (which === 'take') return { ...chain, take: Math.min(number, chain.take ?? number) };
    return { ...uncut(chain, place), skip: number };
  };
}

function first(chain: Chain, node: Name, place: Place): Value {
  if (chain.source === 'root')
    throw refuse(place, node, 'A result over all items has no first one; use select with take=1');
  const left = chain.isDistinct && chain.skip !== undefined ? whatIsLeft(chain, place) : chain;
  const of = filtered(left, node, place);
  const { item } = of.type;
  if (item.kind === 'collection')
    throw refuse(place, node, 'The first of collections is a collection; turn the items into values');
  return { kind: 'first', of, type: item, nullable: true };
}

// --- one value of a collection: how many, how much, whether ----------------------------------------------------------

function aggregated(fn: Aggregation): Method {
  const { takes } = rowOfAggregate(fn);
  return (chain, node, place) => {
    if (!takesValue(fn)) return counted(fn, chain, node, place);
    const of = onceEach(chain, node, node.args?.[0] !== undefined, place);
    const value = argumentOf(of, node, place) ?? itemOf(of);
    if (takes.includes(value.type.kind)) return aggregateOf(fn, of, value);
    const expected = takes.includes('text') ? 'a number, a date or a text' : 'a number';
    const at = node.args?.[0] ?? node;
    throw refuse(place, at, `${node.name} expects ${expected}, found '${typeName(value.type)}'`);
  };
}

function counted(fn: Aggregation, chain: Chain, node: Name, place: Place): Value {
  const { item } = chain.type;
  const isShape = !isComparable(item);
  if (chain.isDistinct && isShape && chain.source === 'root') {
    throw refuse(place, node, `Distinct values can be counted, '${typeName(item)}' is none; select a value`);
  }
  // Nothing is a value of its own here, which the database does not count.
  return aggregateOf(fn, filtered(onceEach(chain, node, isShape || mayBeNull(chain), place), node, place));
}

/** What is left is cut or told apart before anything is reckoned of it. */
function onceEach(chain: Chain, node: Name, asksMore: boolean, place: Place): Chain {
  if (!chain.isDistinct || !(asksMore || isCut(chain))) return chain;
  checkPlural(chain, node, place);
  return whatIsLeft(chain, place);
}

const mayBeNull = ({ source, projection }: Chain): boolean => source !== 'root' && projection?.nullable === true;

/** None of which it does not hold. */
function everyOne(chain: Chain, node: Name, place: Place): Value {
  const arg = node.args![0]!;
  const holds = asCondition(place.resolve(arg, inside(chain, place)), arg, place);
  return negation(some(narrowed(chain, negation(holds), place), place));
}

/** Whether a value is among the items. */
export function contains(chain: Chain, node: Name, place: Place): Value {
  const value = place.resolve(node.args![0]!, place);
  const equal = compared('eq', [itemOf(chain), value], node.args![0]!, place);
  if (!equal) {
    throw refuse(place, node, `Items are '${typeName(chain.type.item)}', never '${typeName(value.type)}'`);
  }
  // Of items with rows of their own the conditions know the item only.
  const isFixed = value.kind === 'literal' || value.kind === 'me' || isOfValues(chain.source);
  if (isOverAll(value)) throw refuse(place, node, 'Contains takes no value that is reckoned over all items');
  if (!isFixed) throw refuse(place, node, 'Contains of a collection takes a literal value');
  return some(narrowed(chain, equal, place), place);
}

export type Method = (chain: Chain, node: Name, place: Place) => Value;

export const inside = (chain: Chain, place: Place): Place => ({ ...place, it: itemOf(chain), depth: place.depth + 1 });

const argumentOf = (chain: Chain, { args }: Name, place: Place): Value | undefined =>
  args?.[0] && place.resolve(args[0], inside(chain, place));

function filtered(chain: Chain, node: Name, place: Place): Chain {
  const [arg] = node.args ?? [];
  if (!arg) return chain;
  return narrowed(chain, asCondition(place.resolve(arg, inside(chain, place)), arg, place), place);
}

/** All items that are asked for are read once, so that nothing can be asked of the distinct among them. */
function checkPlural({ source, isDistinct }: Chain, node: Name, context: Context): void {
  if (source === 'root' && isDistinct) {
    throw refuse(context, node, `${node.name} cannot follow Distinct in a result over all items; write it before it`);
  }
}
