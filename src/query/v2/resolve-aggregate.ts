/** Methods that make one value of a collection: how many, how much, whether. */

import type { Aggregation, Chain, Value } from '../meaning.js';
import { isOverAll } from '../parts.js';
import { decimal, integer, isComparable, isNumber, type Type, typeName } from '../types.js';
import { isCut, itemOf } from '../values.js';
import { narrowed, some, whatIsLeft } from './chains.js';
import { condition } from './coerce.js';
import type { Expression, Name } from './expression.js';
import { negated } from './nodes.js';
import { compared } from './resolve-operator.js';
import { type Context, made, type Place, refuse } from './resolving.js';

export function counted(chain: Chain, node: Name, place: Place): Value {
  const { item } = chain.type as Extract<Type, { kind: 'collection' }>;
  if (chain.isDistinct && !isComparable(item)) {
    throw refuse(place.context, node, `Distinct values can be counted, '${typeName(item)}' is none; select a value`);
  }
  return aggregate(filtered(onceEach(chain, node, place), node, place), 'count', integer, place.context);
}

/** What is left is cut or told apart before anything is reckoned of it. */
function onceEach(chain: Chain, node: Name, place: Place): Chain {
  const isCounted = node.name.toLowerCase() === 'count';
  // Nothing is a value of its own here, which the database does not count.
  const asksMore = isCut(chain) || (isCounted ? mayBeNull(chain) : node.args?.[0] !== undefined);
  if (!chain.isDistinct || !asksMore) return chain;
  checkPlural(chain, node, place);
  return whatIsLeft(chain, place.context);
}

const mayBeNull = ({ source, projection }: Chain): boolean => source !== 'root' && projection?.nullable === true;

const aggregate = (of: Chain, fn: Aggregation, type: Type, context: Context, value?: Value): Value =>
  made(
    { kind: 'aggregate', of, function: fn, value, type, nullable: of.nullable || (fn !== 'count' && fn !== 'sum') },
    context,
  );

export function aggregated(fn: Exclude<Aggregation, 'count'>): Method {
  return (chain, node, place) => {
    const { context } = place;
    const of = onceEach(chain, node, place);
    const value = argumentOf(of, node, place) ?? itemOf(of);
    checkReckoned(fn, value, node, context);
    const type: Type = fn === 'average' && value.type.kind === 'integer' ? decimal : value.type;
    return aggregate(of, fn, type, context, value);
  };
}

function checkReckoned(fn: Aggregation, { type }: Value, node: Name, context: Context): void {
  const isOrdered = type.kind === 'moment' || type.kind === 'text' || type.kind === 'span';
  const isRange = fn === 'min' || fn === 'max';
  if (isNumber(type) || (isOrdered && isRange)) return;
  const expected = isRange ? 'a number, a date or a text' : 'a number';
  const at: Pick<Expression, 'at'> = node.args?.[0] ?? node;
  throw refuse(context, at, `${node.name} expects ${expected}, found '${typeName(type)}'`);
}

/** None of which it does not hold. */
export function everyOne(chain: Chain, node: Name, place: Place): Value {
  const { context } = place;
  const arg = node.args![0]!;
  const holds = condition(place.resolve(arg, inside(chain, place)), arg, context);
  return negated(some(narrowed(chain, negated(holds, context), context), context), context);
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
  return narrowed(chain, condition(place.resolve(arg, inside(chain, place)), arg, place.context), place.context);
}

/** All items that are asked for are read once, so that nothing can be asked of the distinct among them. */
export function checkPlural({ source, isDistinct }: Chain, node: Name, { context }: Place): void {
  if (source === 'root' && isDistinct) {
    throw refuse(context, node, `${node.name} cannot follow Distinct in a result over all items; write it before it`);
  }
}
