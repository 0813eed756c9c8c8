/** Methods of collections. `it` in their arguments is the item, or what the items were turned into. */
import { condition } from './coerce.js';
import type { Expression } from './expression.js';
import { expressionLimits } from './limits.js';
import { checkScalar, resolveExpression } from './resolve-expression.js';
import type { Name } from './resolve-name.js';
import { compared, negated } from './resolve-operator.js';
import { type Context, made, type Place, refuse } from './resolving.js';
import type { Aggregation, Chain, Typed } from './typed.js';
import { boolean, decimal, integer, isNumber, isScalar, type Type, typeName } from './types.js';

type Method = (chain: Chain, said: Name, place: Place) => Typed;

export function chainMember(chain: Chain, said: Name, place: Place): Typed | undefined {
  const method = methods[said.name.toLowerCase()];
  if (!method) return undefined;
  const [least, most] = takes[said.name.toLowerCase()] ?? [1, 1];
  const given = said.args?.length ?? 0;
  if (given < least || given > most) {
    throw refuse(
      place.context,
      said,
      `${said.name} takes ${least === most ? least : `${least} or ${most}`} arguments, found ${given}`,
    );
  }
  return method(chain, said, place);
}

function counted(chain: Chain, said: Name, place: Place): Typed {
  const { item } = chain.type as Extract<Type, { kind: 'collection' }>;
  if (chain.isDistinct && !isScalar(item) && item.kind !== 'entity') {
    throw refuse(place.context, said, `Distinct values can be counted, '${typeName(item)}' is none; select a value`);
  }
  return aggregate(filtered(chain, said, place), 'count', integer, place.context);
}

/** How many arguments, where it is not one. */
const takes: Readonly<Record<string, [least: number, most: number] | undefined>> = {
  count: [0, 1],
  sum: [0, 1],
  average: [0, 1],
  avg: [0, 1],
  min: [0, 1],
  max: [0, 1],
  any: [0, 1],
  first: [0, 1],
  firstordefault: [0, 1],
  distinct: [0, 0],
};

const methods: Readonly<Record<string, Method | undefined>> = Object.assign(Object.create(null), {
  where: filtered,
  select: projected,
  count: counted,
  sum: aggregated('sum'),
  average: aggregated('average'),
  avg: aggregated('average'),
  min: aggregated('min'),
  max: aggregated('max'),
  any: (chain, said, place) => some(filtered(chain, said, place), place.context),
  all: everyOne,
  first,
  firstordefault: first,
  orderby: sorted(false, true),
  orderbydescending: sorted(true, true),
  thenby: sorted(false, false),
  thenbydescending: sorted(true, false),
  distinct: (chain, said, place) => again(chain, { isDistinct: true }, said, place),
  take: cut('take'),
  skip: cut('skip'),
  contains,
} satisfies Record<string, Method>);

/** What `it` is in an argument. */
const itemOf = ({ projection, binder }: Chain): Typed =>
  projection ?? { kind: 'row', binder, type: { kind: 'entity', resource: binder.resource }, nullable: false, size: 1 };

const inside = (chain: Chain, { context, depth }: Place): Place => ({ context, it: itemOf(chain), depth: depth + 1 });

const argumentOf = (chain: Chain, { args }: Name, place: Place): Typed | undefined =>
  args?.[0] && resolveExpression(args[0], inside(chain, place));

function again(chain: Chain, change: Partial<Chain>, said: Name, { context }: Place): Chain {
  if (chain.take !== undefined || chain.skip !== undefined) {
    const isCut = Object.keys(change).every((key) => key === 'projection' || key === 'type' || key === 'take');
    if (!isCut) throw refuse(context, said, `${said.name} cannot follow Take or Skip; write it before them`);
  }
  return made<Chain>({ ...chain, ...change }, context);
}

function filtered(chain: Chain, said: Name, place: Place): Chain {
  const [arg] = said.args ?? [];
  if (!arg) return chain;
  const holds = condition(resolveExpression(arg, inside(chain, place)), arg, place.context);
  return again(chain, { filters: [...chain.filters, holds] }, said, place);
}

function projected(chain: Chain, said: Name, place: Place): Chain {
  if (chain.isDistinct) throw refuse(place.context, said, 'Select cannot follow Distinct; write it before it');
  const projection = argumentOf(chain, said, place)!;
  return again(chain, { projection, type: { kind: 'collection', item: projection.type } }, said, place);
}

function sorted(descending: boolean, isFirst: boolean): Method {
  return (chain, said, place) => {
    const by = sortable(argumentOf(chain, said, place)!, said.args![0]!, place);
    const one = { by, descending };
    // Sorting keeps the order of what is equal.
    return again(chain, { order: isFirst ? [one, ...chain.order] : [...chain.order, one] }, said, place);
  };
}

/** An entity is sorted by its name. */
export function sortable(by: Typed, at: Expression, place: Place): Typed {
  const label =
    by.type.kind === 'entity'
      ? (by.type.resource.nameField ?? by.type.resource.field('FullName') ?? by.type.resource.field('Id'))
      : undefined;
  const found =
    label?.kind === 'scalar'
      ? resolveExpression({ kind: 'name', at: at.at, name: label.name }, { ...place, it: by })
      : by;
  checkScalar([found], at, place.context);
  return found;
}

function cut(which: 'take' | 'skip'): Method {
  return (chain, said, place) => {
    const [arg] = said.args!;
    if (arg?.kind !== 'literal' || arg.literal !== 'integer' || arg.text.length > 9) {
      throw refuse(place.context, said, `${said.name} takes a whole number`);
    }
    if (chain.source === 'root')
      throw refuse(place.context, said, `${said.name} has no meaning in a result over all items`);
    const number = Math.min(Number(arg.text), which === 'take' ? expressionLimits.inner : 1_000_000);
    const given = which === 'take' && chain.take !== undefined ? Math.min(chain.take, number) : number;
    return again(chain, { [which]: given }, said, place);
  };
}

export const aggregate = (of: Chain, fn: Aggregation, type: Type, context: Context, value?: Typed): Typed =>
  made<Extract<Typed, { kind: 'aggregate' }>>(
    { kind: 'aggregate', of, function: fn, value, type, nullable: of.nullable || (fn !== 'count' && fn !== 'sum') },
    context,
  );

function aggregated(fn: Exclude<Aggregation, 'count'>): Method {
  return (chain, said, place) => {
    const value = argumentOf(chain, said, place) ?? itemOf(chain);
    const at = said.args?.[0] ?? said;
    const isOrdered = value.type.kind === 'moment' || value.type.kind === 'text' || value.type.kind === 'span';
    if (!isNumber(value.type) && !(isOrdered && (fn === 'min' || fn === 'max'))) {
      const expected = fn === 'min' || fn === 'max' ? 'a number, a date or a text' : 'a number';
      throw refuse(place.context, at, `${said.name} expects ${expected}, found '${typeName(value.type)}'`);
    }
    const type: Type = fn === 'average' && value.type.kind === 'integer' ? decimal : value.type;
    return aggregate(chain, fn, type, place.context, value);
  };
}

export const some = (of: Chain, context: Context): Typed =>
  made<Extract<Typed, { kind: 'some' }>>({ kind: 'some', of, type: boolean, nullable: false }, context);

/** None of which it does not hold. */
function everyOne(chain: Chain, said: Name, place: Place): Typed {
  const { context } = place;
  const arg = said.args![0]!;
  const holds = condition(resolveExpression(arg, inside(chain, place)), arg, context);
  const others = again(chain, { filters: [...chain.filters, negated(holds, context)] }, said, place);
  return negated(some(others, context), context);
}

function first(chain: Chain, said: Name, place: Place): Typed {
  if (chain.source === 'root')
    throw refuse(place.context, said, 'A result over all items has no first one; use select with take=1');
  const of = filtered(chain, said, place);
  const { item } = of.type as Extract<Type, { kind: 'collection' }>;
  if (item.kind === 'collection')
    throw refuse(place.context, said, 'The first of collections is a collection; turn the items into values');
  return made<Extract<Typed, { kind: 'first' }>>({ kind: 'first', of, type: item, nullable: true }, place.context);
}

/** Whether a value is among the items. */
function contains(chain: Chain, said: Name, place: Place): Typed {
  const { context } = place;
  const value = resolveExpression(said.args![0]!, place);
  const equal = compared('eq', [itemOf(chain), value], said.args![0]!, context);
  if (!equal) {
    const { item } = chain.type as Extract<Type, { kind: 'collection' }>;
    throw refuse(context, said, `Items are '${typeName(item)}', never '${typeName(value.type)}'`);
  }
  // The value must not depend on the row outside: conditions inside know the item only.
  if (value.kind !== 'literal' && value.kind !== 'me')
    throw refuse(context, said, 'Contains of a collection takes a literal value');
  return some(again(chain, { filters: [...chain.filters, equal] }, said, place), context);
}
