/** One of two values, entities or objects: by a condition, or the first that is there. */
import { coalesce, coalesceMoments } from '../functions/conversion.js';
import type { FunctionRow } from '../functions/function-row.js';
import type { Value } from '../meaning.js';
import { boolean, type Type, text } from '../types.js';
import { call, choice, isNull, literal, negation, nothing, type Sides } from '../values.js';
import { checkScalar, resolveCondition, unified } from './coerce.js';
import type { Expression } from './expression.js';
import { type Context, type Place, refuse, weighedOnce } from './resolving.js';

type At = Pick<Expression, 'at'>;

/** `test ? then : otherwise` and `IIF(test, then, otherwise)`. */
export function choose(test: Expression, options: readonly [Expression, Expression], at: At, place: Place): Value {
  const sides = both(options, place);
  return oneOf(resolveCondition(test, place), sides, at, place.context);
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
  const { context } = place;
  const optionSides = both(options, place);
  const entity = oneEntity(optionSides, at, context);
  if (entity) return entity;
  if (optionSides.some(isObject) && optionSides.every(isObjectOrNull))
    return weighedOnce(firstObject(optionSides), context);
  const sides = values(optionSides, at, context);
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
  const type: Type = { kind: 'object' };
  return { ...choice(isThere(one), one, other, type), nullable: other.nullable };
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
