/** Whether two entities are the same one: items and people have ids of their own, and a custom field may hold either. */
import type { ResourceType } from '../../model/model.js';
import type { Value } from '../meaning.js';
import type { Comparison } from '../query.js';
import { fitted } from './coerce.js';
import type { Expression } from './expression.js';
import { idOf, rowId } from './fields.js';
import { compare, isNull, negated, type Sides, series } from './nodes.js';
import { personOf } from './resolve-pointed.js';
import type { Context } from './resolving.js';

type At = Pick<Expression, 'at'>;

/** Entities are the same when their ids are; an entity of a custom field can be compared with an id. */
export function sameEntity(operator: Comparison, sides: Sides, at: At, context: Context): Value | undefined {
  if (operator !== 'eq' && operator !== 'ne') return undefined;
  const [left, right] = sides;
  if (left.type.kind === 'entity' && right.type.kind === 'entity') {
    const [one, other] = [asThat(left, right, context), asThat(right, left, context)];
    if (rootOf(one) !== rootOf(other)) return undefined;
    const ids: Sides = [rowId(one, context), rowId(other, context)];
    if (one.kind !== 'pointed' && other.kind !== 'pointed') return compare(operator, ids, context);
    const same = pointsAtSame([one, other], ids, context);
    return operator === 'eq' ? same : negated(same, context);
  }
  const [of, number] = left.type.kind === 'entity' ? [left, right] : [right, left];
  const id = of.kind === 'pointed' ? fitted(number, { kind: 'integer' }, at, context) : undefined;
  return id && compare(operator, [idOf(of, context), id], context);
}

/** What is there and no row of this kind is not the same as what is missing. */
function pointsAtSame([one, other]: Sides, [left, right]: Sides, context: Context): Value {
  const both = (parts: readonly Value[]): Value => series('and', parts, context);
  const missing = [one, other].map((side) => isNull(side, context));
  const there = negated(isNull(left, context), context);
  return series('or', [both([there, compare('eq', [left, right], context)]), both(missing)], context);
}

const rootOf = ({ type }: Value): ResourceType | undefined => (type.kind === 'entity' ? type.resource.root : undefined);

/** The entity of a custom field is an item or a person, whichever it is compared with. */
const asThat = (of: Value, other: Value, context: Context): Value =>
  of.kind === 'pointed' && rootOf(of) !== rootOf(other) ? personOf(of, context) : of;
