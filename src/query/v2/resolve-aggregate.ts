/** Methods that make one value of a collection: how many, how much, whether. */

import { type Aggregation, rowOfAggregate, takesValue } from '../aggregates.js';
import type { Chain, Value } from '../meaning.js';
import { isComparable, type Type, typeName } from '../types.js';
import { aggregateOf, isCut, isOverAll, itemOf, negation } from '../values.js';
import { narrowed, some, whatIsLeft } from './chains.js';
import { asCondition } from './coerce.js';
import type { Name } from './expression.js';
import { compared } from './resolve-operator.js';
import { type Place, refuse } from './resolving.js';

export function aggregated(fn: Aggregation): Method {
  const { takes } = rowOfAggregate(fn);
  return (chain, node, place) => {
    if (!takesValue(fn)) return counted(fn, chain, node, place);
    const of = onceEach(chain, node, node.args?.[0] !== undefined, place);
    const value = argumentOf(of, node, place) ?? itemOf(of);
    if (takes.includes(value.type.kind)) return aggregateOf(fn, of, value);
    const expected = takes.includes('text') ? 'a number, a date or a text' : 'a number';
    const at = node.args?.[0] ?? node;
    throw refuse(place.context, at, `${node.name} expects ${expected}, found '${typeName(value.type)}'`);
  };
}

function counted(fn: Aggregation, chain: Chain, node: Name, place: Place): Value {
  const { item } = chain.type as Extract<Type, { kind: 'collection' }>;
  if (chain.isDistinct && !isComparable(item)) {
    throw refuse(place.context, node, `Distinct values can be counted, '${typeName(item)}' is none; select a value`);
  }
  // Nothing is a value of its own here, which the database does not count.
  return aggregateOf(fn, filtered(onceEach(chain, node, mayBeNull(chain), place), node, place));
}

/** What is left is cut or told apart before anything is reckoned of it. */
function onceEach(chain: Chain, node: Name, asksMore: boolean, place: Place): Chain {
  if (!chain.isDistinct || !(asksMore || isCut(chain))) return chain;
  checkPlural(chain, node, place);
  return whatIsLeft(chain, place.context);
}

const mayBeNull = ({ source, projection }: Chain): boolean => source !== 'root' && projection?.nullable === true;

/** None of which it does not hold. */
export function everyOne(chain: Chain, node: Name, place: Place): Value {
  const { context } = place;
  const arg = node.args![0]!;
  const holds = asCondition(place.resolve(arg, inside(chain, place)), arg, context);
  return negation(some(narrowed(chain, negation(holds), context), context));
}

/** Whether a value is among the items. */
export function contains(chain: Chain, node: Name, place: Place): Value {
  const { context } = place;
  const value = place.resolve(node.args![0]!, place);
  const equal = compared('eq', [itemOf(chain), value], node.args![0]!, context);
  if (!equal) {
    const { item } = chain.type as Extract<Type, { kind: 'collection' }>;
    throw refuse(context, node, `Items are '${typeName(item)}', never '${typeName(value.type)}'`);
  }
  // Of items with rows of their own the conditions know the item only.
  const isFixed = value.kind === 'literal' || value.kind === 'me' || isOfValues(chain);
  if (isOverAll(value)) throw refuse(context, node, 'Contains takes no value that is reckoned over all items');
  if (!isFixed) throw refuse(context, node, 'Contains of a collection takes a literal value');
  return some(narrowed(chain, equal, context), context);
}

const isOfValues = ({ source }: Chain): boolean => source !== 'root' && source.kind === 'values';

export type Method = (chain: Chain, node: Name, place: Place) => Value;

export const inside = (chain: Chain, place: Place): Place => ({ ...place, it: itemOf(chain), depth: place.depth + 1 });

export const argumentOf = (chain: Chain, { args }: Name, place: Place): Value | undefined =>
  args?.[0] && place.resolve(args[0], inside(chain, place));

export function filtered(chain: Chain, node: Name, place: Place): Chain {
  const [arg] = node.args ?? [];
  if (!arg) return chain;
  return narrowed(chain, asCondition(place.resolve(arg, inside(chain, place)), arg, place.context), place.context);
}

/** All items that are asked for are read once, so that nothing can be asked of the distinct among them. */
export function checkPlural({ source, isDistinct }: Chain, node: Name, { context }: Place): void {
  if (source === 'root' && isDistinct) {
    throw refuse(context, node, `${node.name} cannot follow Distinct in a result over all items; write it before it`);
  }
}
