/**
 * Objects, whatever made them: braces, a Select of an entity or of items, a choice. Their members are read as if the
 * object were not there. And the choice itself: one of two values, entities or objects, by a condition, or the first
 * that is there.
 */
import { coalesce, coalesceMoments } from '../functions/conversion.js';
import type { FunctionRow } from '../functions/function-row.js';
import type { Of, Value } from '../meaning.js';
import { boolean, entity, text } from '../types.js';
import { call, choice, isNull, literal, negation, nothing, type Sides } from '../values.js';
import { checkScalar, resolveCondition, unified } from './coerce.js';
import type { Expression, Name } from './expression.js';
import { ofOwner } from './replace-row.js';
import { ofMapped, orNone } from './resolve-entity.js';
import { type Context, type Place, refuse, weighedOnce } from './resolving.js';

/** Undefined: it has none of this name. */
export function memberOfObject(of: Value, node: Name, place: Place): Value | undefined {
  if (node.args && node.args.length > 0) return undefined;
  if (of.kind === 'object') return of.members.find(({ name }) => name.toLowerCase() === node.name.toLowerCase())?.value;
  if (of.kind === 'first') return ofFirst(of, node, place);
  if (of.kind === 'conditional') return ofConditional(of, node, place);
  if (of.kind !== 'mapped') return undefined;
  const member = memberOfObject(of.body, node, place);
  return member && ofMapped(of.of, member, node, place);
}

export function namesIn(of: Value): string[] {
  if (of.kind === 'object') return of.members.map(({ name }) => name);
  if (of.kind === 'first') return of.of.projection ? namesIn(of.of.projection) : [];
  if (of.kind === 'conditional') return [...new Set([...namesIn(of.yes), ...namesIn(of.no)])];
  return of.kind === 'mapped' ? namesIn(of.body) : [];
}

function ofFirst(of: Of<'first'>, node: Name, place: Place): Value | undefined {
  const { projection, source } = of.of;
  const member = projection && memberOfObject(projection, node, place);
  if (!member) return undefined;
  if (isShown(member)) return { ...of, of: { ...of.of, projection: member }, type: member.type };
  if (source === 'root' || source.kind === 'values') return undefined;
  // It is a collection of the item, which is found by itself.
  const item = entity(source.field.target);
  const items = { ...of.of, projection: undefined, isDistinct: false, type: { kind: 'collection', item } as const };
  return ofMapped({ ...of, of: items, type: item }, member, node, place);
}

const isShown = ({ type }: Value): boolean => !['collection', 'customValues'].includes(type.kind);

/** Nothing where the side that is chosen has no such member. */
function ofConditional({ test, yes, no }: Of<'conditional'>, node: Name, place: Place): Value | undefined {
  const [one, other] = [memberOfObject(yes, node, place), memberOfObject(no, node, place)];
  if (!one && !other) return undefined;
  if (one && !other && isNullWithout(test, one)) return one;
  const collection = one && other ? undefined : collectionIf(one ? test : negation(test), (one ?? other)!);
  return collection ?? oneOf(test, [one ?? nothing(), other ?? nothing()], node, place);
}

/** A collection has no owner where the other side is chosen, which lacks it. */
function collectionIf(test: Value, member: Value): Value | undefined {
  const change = (owner: Value): Value => orNone(test, owner);
  if (member.kind === 'customFields') return { ...member, of: change(member.of), nullable: true };
  if (member.kind !== 'chain' || member.source === 'root' || member.source.kind === 'values') return undefined;
  return ofOwner(member, change);
}

/** The condition is that the entity is there which the member is read of: it is null of one that is missing. */
function isNullWithout(test: Value, member: Value): boolean {
  if (test.kind !== 'not' || test.of.kind !== 'null') return false;
  if (member.kind !== 'field' && member.kind !== 'pointed') return false;
  const tested = test.of.of;
  const isId = tested.kind === 'field' && tested.operand.kind === 'field' && tested.operand.field.name === 'Id';
  return tested === member.of || (isId && tested.of === member.of);
}

// --- choices ---------------------------------------------------------------------------------------------------------

type At = Pick<Expression, 'at'>;

/** `test ? then : otherwise` and `IIF(test, then, otherwise)`. */
export function choose(test: Expression, options: readonly [Expression, Expression], at: At, place: Place): Value {
  const sides = both(options, place);
  return oneOf(resolveCondition(test, place), sides, at, place);
}

export function oneOf(holds: Value, sides: Sides, at: At, context: Context): Value {
  const entity = oneEntity(sides, at, context, holds);
  if (entity) return entity;
  if (sides.every(({ type }) => type.kind === 'null')) return nothing();
  const [yes, no] = sides.some(isObject) && sides.every(isObjectOrNull) ? sides : values(sides, at, context);
  const { type } = isObject(no) ? no : yes;
  return choice(holds, yes, no, type.kind === 'text' ? text : type);
}

/** `IFNONE(value, otherwise)` */
export function ifNone(options: readonly [Expression, Expression], at: At, place: Place): Value {
  const optionSides = both(options, place);
  const entity = oneEntity(optionSides, at, place);
  if (entity) return entity;
  if (optionSides.some(isObject) && optionSides.every(isObjectOrNull))
    return weighedOnce(firstObject(optionSides), place);
  const sides = values(optionSides, at, place);
  if (sides[0].type.kind === 'null') return sides[0];
  const { type } = sides[0];
  const first = type.kind === 'moment' ? coalesceMoments : coalesce;
  const row: FunctionRow = { ...first, gives: type.kind === 'text' ? text : type };
  return { ...call(row, sides), nullable: sides.every(({ nullable }) => nullable) } as Value;
}

const both = (options: readonly [Expression, Expression], place: Place): Sides =>
  options.map((one) => place.resolve(one, place)) as unknown as Sides;

const isObject = ({ type }: Value): boolean => type.kind === 'object';

const isObjectOrNull = (node: Value): boolean => isObject(node) || node.type.kind === 'null';

function firstObject([one, other]: Sides): Value {
  if (one.type.kind === 'null') return other;
  if (!one.nullable) return one;
  return { ...choice(isThere(one), one, other), nullable: other.nullable };
}

/** Whether there is what an object shows. */
function isThere(of: Value): Value {
  if (of.kind === 'mapped') return negation(isNull(of.of));
  if (of.kind === 'conditional') return choice(of.test, isThere(of.yes), isThere(of.no));
  if (of.kind !== 'first') return literal(of.type.kind !== 'null', boolean, 'boolean');
  const projection = isThere(of.of.projection!);
  return { ...of, of: { ...of.of, projection }, type: boolean };
}

function values(sides: Sides, at: At, context: Context): Sides {
  if (sides.every(({ type }) => type.kind === 'null')) return [nothing(), nothing()];
  const same = unified(sides, at, context);
  checkScalar(same, at, context);
  return same;
}

/** Of two entities the type is the nearest that both are. */
function oneEntity(options: Sides, at: At, context: Context, test?: Value): Value | undefined {
  if (options.some(({ kind }) => kind === 'pointed')) {
    throw refuse(
      context,
      at,
      'The entity of a custom field may be an item or a person, which cannot be chosen between; choose a member of it, such as its name',
    );
  }
  const [one, other] = options.map(({ type }) => (type.kind === 'entity' ? type.resource : undefined));
  const some = one ?? other;
  if (!some || options.some(({ type }) => type.kind !== 'entity' && type.kind !== 'null')) return undefined;
  let resource = some;
  while (other && !other.isA(resource)) {
    if (!resource.base) throw refuse(context, at, `'${some.name}' and '${other.name}' are of different types`);
    resource = resource.base;
  }
  return { kind: 'chosen', test, options, resource, type: { kind: 'entity', resource }, nullable: true };
}
