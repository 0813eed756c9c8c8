/** One of two values, entities or objects: by a condition, or the first that is there. */
import { coalesce, coalesceMoments } from '../functions/conversion.js';
import type { FunctionRow } from '../functions/function-row.js';
import type { Value } from '../meaning.js';
import { text } from '../types.js';
import { call, choice, nothing, type Sides } from '../values.js';
import { checkScalar, resolveCondition, unified } from './coerce.js';
import type { Expression } from './expression.js';
import { type Context, type Place, refuse } from './resolving.js';

type At = Pick<Expression, 'at'>;

/** `test ? then : otherwise` and `IIF(test, then, otherwise)`. */
export function choose(test: Expression, options: readonly [Expression, Expression], at: At, place: Place): Value {
  const { context } = place;
  const sides = both(options, place);
  const holds = resolveCondition(test, place);
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
  if (optionSides[0].type.kind === 'null' && isObject(optionSides[1])) return optionSides[1];
  const sides = values(optionSides, at, context);
  if (sides[0].type.kind === 'null') return sides[0];
  const { type } = sides[0];
  const first = type.kind === 'moment' ? coalesceMoments : coalesce;
  const row: FunctionRow = { ...first, gives: type.kind === 'text' ? text : type };
  return { ...call(row, sides), nullable: sides.every(({ nullable }) => nullable) } as Value;
}

const both = (options: readonly [Expression, Expression], place: Place): Sides =>
  options.map((one) => place.resolve(one, place)) as unknown as Sides;

const isObject = (node: Value): boolean =>
  node.kind === 'object' || (node.kind === 'conditional' && node.type.kind === 'object');

const isObjectOrNull = (node: Value): boolean => isObject(node) || node.type.kind === 'null';

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
