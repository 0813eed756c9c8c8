/** Operators: what they mean for the types on both sides, and which types they refuse. */

import type { ResourceType } from '../../model/model.js';
import { addDays, addSpan, betweenMoments, subtractSpan } from '../functions/date.js';
import { arithmetic, negative } from '../functions/number.js';
import { concatenation } from '../functions/text.js';
import type { Literal, Value } from '../meaning.js';
import { type Comparison, comparisonSigns } from '../operators.js';
import { boolean, double, isNumber, isScalar, type Type, typeName, wider } from '../types.js';
import { call, compare, isNull, literal, negation, type Sides, series } from '../values.js';
import { some } from './chains.js';
import { asText, fitted } from './coerce.js';
import type { Expression, Operator } from './expression.js';
import { idOf, rowId } from './fields.js';
import { incompatible, noDate } from './messages.js';
import { personOf } from './resolve-pointed.js';
import { type Context, refuse } from './resolving.js';

type Operation = Extract<Expression, { kind: 'operation' }>;

export function operation({ operator, at }: Operation, sides: Sides, context: Context): Value {
  const comparison = comparisonSigns.get(operator);
  const result = comparison ? compared(comparison, sides, { at }, context) : reckoned(operator, sides, { at }, context);
  if (result) return result;
  const [left, right] = sides;
  throw refuse(context, { at }, incompatible(operator, typeName(left.type), typeName(right.type)));
}

type At = Pick<Expression, 'at'>;

export function compared(operator: Comparison, [left, right]: Sides, at: At, context: Context): Value | undefined {
  if (left.type.kind === 'null' || right.type.kind === 'null') {
    const other = left.type.kind === 'null' ? right : left;
    // Nothing is neither less nor greater than anything.
    const isOrder = operator !== 'eq' && operator !== 'ne';
    if (isOrder && (isScalar(other.type) || other.type.kind === 'null')) return literal(false, boolean, 'boolean');
    return nullTest(operator, other, context);
  }
  if (left.type.kind === 'entity' || right.type.kind === 'entity')
    return sameEntity(operator, [left, right], at, context);
  const pair = comparable(left, right, at, context);
  if (pair) return compare(operator, pair);
  checkDates(left, right, at, context);
  checkDates(right, left, at, context);
  return undefined;
}

/** A text may stand beside a date, if it is one. */
function checkDates(of: Value, other: Value, at: At, context: Context): void {
  if (of.type.kind !== 'moment' || other.kind !== 'literal' || other.type.kind !== 'text') return;
  throw refuse(context, at, noDate(String(other.value)));
}

const ordered = new Set(['integer', 'decimal', 'double', 'text', 'moment', 'span', 'boolean']);

/** Both sides as one type; a literal becomes what the other side is. */
function comparable(left: Value, right: Value, at: At, context: Context): Sides | undefined {
  if (!ordered.has(left.type.kind) || !ordered.has(right.type.kind)) return undefined;
  if (isNumber(left.type) && isNumber(right.type)) return comparableNumbers(left, right, at, context);
  const fitRight = right.kind === 'literal' ? fitted(right, left.type, at, context) : undefined;
  if (fitRight) return [left, fitRight];
  const fitLeft = left.kind === 'literal' ? fitted(left, right.type, at, context) : undefined;
  if (fitLeft) return [fitLeft, right];
  return left.type.kind === right.type.kind ? [left, right] : undefined;
}

/** The database would make a double of the exact one beside it, and fail where it is too large for that. */
function comparableNumbers(left: Value, right: Value, at: At, context: Context): Sides {
  const sides: Sides = [asNumber(left, right.type), asNumber(right, left.type)];
  const kinds = sides.map(({ type }) => type.kind);
  if (!kinds.includes('double') || kinds[0] === kinds[1]) return sides;
  return [fitted(sides[0], double, at, context)!, fitted(sides[1], double, at, context)!];
}

/** A written number is exact beside an exact one: 0.1 is meant, not the double next to it. */
function asNumber(node: Value, other: Type): Value {
  if (node.kind !== 'literal' || node.type.kind !== 'double' || other.kind === 'double') return node;
  return literal(node.value, { kind: 'decimal' }, 'numeric');
}

export function nullTest(operator: Comparison, of: Value, context: Context): Value | undefined {
  if ((operator !== 'eq' && operator !== 'ne') || of.type.kind === 'object' || of.type.kind === 'customValues') {
    return undefined;
  }
  if (of.kind === 'chain') {
    const exists = some(of, context);
    return operator === 'eq' ? negation(exists) : exists;
  }
  return operator === 'eq' ? isNull(of) : negation(isNull(of));
}

function reckoned(operator: Operator, [left, right]: Sides, at: At, context: Context): Value | undefined {
  const kinds = [left.type.kind, right.type.kind];
  if (operator === '&' || (operator === '+' && kinds.includes('text') && !isDated(left, right))) {
    return call(concatenation, [asText(left, at, context), asText(right, at, context)]);
  }
  const dated = withDates(operator, left, right, at, context);
  if (dated) return dated;
  if (kinds.includes('null')) return reckonedWithNull(left, right);
  if (!isNumber(left.type) || !isNumber(right.type)) return undefined;
  const [one, other] = [asNumber(left, right.type), asNumber(right, left.type)];
  const widest = wider(one.type, other.type);
  // The quotient of two whole numbers is none.
  const type = operator === '/' && widest.kind === 'integer' ? double : widest;
  const sides = [fitted(one, type, at, context)!, fitted(other, type, at, context)!];
  return call(arithmetic(operator as '+', type), sides);
}

/** Nothing comes of what is reckoned with nothing. */
const reckonedWithNull = (left: Value, right: Value): Value | undefined => {
  const other = left.type.kind === 'null' ? right : left;
  if (other.type.kind === 'null') return other;
  return isNumber(other.type) || other.type.kind === 'moment' || other.type.kind === 'span'
    ? { ...literal(null, other.type, 'text'), nullable: true }
    : undefined;
};

const isDated = (left: Value, right: Value): boolean =>
  [left, right].some(({ type }) => type.kind === 'moment') &&
  [left, right].every((side) => side.type.kind === 'moment' || (side.kind === 'literal' && side.type.kind !== 'text'));

/** Dates and spans; a number beside a date is a number of days. */
function withDates(operator: Operator, left: Value, right: Value, at: At, context: Context): Value | undefined {
  if (operator !== '+' && operator !== '-') return undefined;
  const row = operator === '+' ? addSpan : subtractSpan;
  const [one, other] = [left.type.kind, right.type.kind];
  if ((one === 'moment' || one === 'span') && other === 'span') return call(row, [left, right]);
  if (one === 'moment' && isNumber(right.type)) {
    const days = fitted(right, double, at, context)!;
    return call(addDays, [left, operator === '+' ? days : minus(days)]);
  }
  if (operator === '-' && (one === 'moment' || other === 'moment')) {
    const from = fitted(left, { kind: 'moment' }, at, context);
    const to = fitted(right, { kind: 'moment' }, at, context);
    return from && to && call(betweenMoments, [from, to]);
  }
  if (operator === '-' || other !== 'moment') return undefined;
  if (isNumber(left.type)) return call(addDays, [right, fitted(left, double, at, context)!]);
  return one === 'span' ? call(row, [right, left]) : undefined;
}

export function minus(of: Value): Value {
  const { value } = of as Literal;
  if (of.kind === 'literal' && typeof value === 'string' && isNumber(of.type)) {
    return { ...of, value: value.startsWith('-') ? value.slice(1) : `-${value}` };
  }
  return call(negative(of.type), [of]);
}

/** Entities are the same when their ids are; an entity of a custom field can be compared with an id. */
function sameEntity(operator: Comparison, sides: Sides, at: At, context: Context): Value | undefined {
  if (operator !== 'eq' && operator !== 'ne') return undefined;
  const [left, right] = sides;
  if (left.type.kind === 'entity' && right.type.kind === 'entity') {
    const [one, other] = [asThat(left, right, context), asThat(right, left, context)];
    if (rootOf(one) !== rootOf(other)) return undefined;
    const ids: Sides = [rowId(one), rowId(other)];
    if (one.kind !== 'pointed' && other.kind !== 'pointed') return compare(operator, ids);
    const same = pointsAtSame([one, other], ids);
    return operator === 'eq' ? same : negation(same);
  }
  const [of, number] = left.type.kind === 'entity' ? [left, right] : [right, left];
  const id = of.kind === 'pointed' ? fitted(number, { kind: 'integer' }, at, context) : undefined;
  return id && compare(operator, [idOf(of), id]);
}

/** What is there and no row of this kind is not the same as what is missing. */
function pointsAtSame([one, other]: Sides, [left, right]: Sides): Value {
  const both = (parts: readonly Value[]): Value => series('and', parts);
  const missing = [one, other].map((side) => isNull(side));
  const there = negation(isNull(left));
  return series('or', [both([there, compare('eq', [left, right])]), both(missing)]);
}

const rootOf = ({ type }: Value): ResourceType | undefined => (type.kind === 'entity' ? type.resource.root : undefined);

/** The entity of a custom field is an item or a person, whichever it is compared with. */
const asThat = (of: Value, other: Value, context: Context): Value =>
  of.kind === 'pointed' && rootOf(of) !== rootOf(other) ? personOf(of, context) : of;
