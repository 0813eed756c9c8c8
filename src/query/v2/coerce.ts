/** Makes values of one type fit where another is meant: literals by what they say, numbers by widening. */

import { textOf, widened } from '../functions/conversion.js';
import type { Literal, Value } from '../meaning.js';
import {
  boolean,
  decimal,
  double,
  isNumber,
  isScalar,
  moment,
  type Type,
  text,
  typeName,
  wider,
  written,
} from '../types.js';
import { call, literal, valueFrom } from '../values.js';
import { some } from './chains.js';
import type { Expression } from './expression.js';
import { type Context, type Place, refuse } from './resolving.js';

/** The value as the type that is asked for; undefined when it is none and cannot become one. */
export function fitted(node: Value, to: Type, at: Pick<Expression, 'at'>, context: Context): Value | undefined {
  const from = node.type;
  if (from.kind === 'null') return literal(null, to, 'text');
  if (node.kind === 'literal') {
    const converted = literalAs(node, to, at, context);
    if (converted) return converted;
  }
  if (from.kind === to.kind) return node;
  if (isNumber(from) && isNumber(to)) {
    return wider(from, to).kind === to.kind ? call(widened(to), [node]) : undefined;
  }
  return undefined;
}

export function asText(node: Value, at: Pick<Expression, 'at'>, context: Context): Value {
  if (node.type.kind === 'text') return node;
  if (node.type.kind === 'null') return literal(null, text, 'text');
  if (!['integer', 'decimal', 'double', 'boolean', 'moment', 'span'].includes(node.type.kind)) {
    throw refuse(context, at, `'${typeName(node.type)}' has no text; take a member of it`);
  }
  return call(textOf(node.type), [node]);
}

/** Whether a condition holds: unknown is not so. */
export function asCondition(node: Value, at: Pick<Expression, 'at'>, context: Context, hint = ''): Value {
  if (node.type.kind === 'null') return literal(false, boolean, 'boolean');
  if (node.type.kind === 'collection' && node.kind === 'chain') {
    return some(node, context);
  }
  const fit = fitted(node, boolean, at, context);
  if (!fit) throw refuse(context, at, `A condition is expected here, found '${typeName(node.type)}'${hint}`);
  return fit;
}

/** One of two values: the type that both have. */
export function unified(
  [one, other]: readonly [Value, Value],
  at: Pick<Expression, 'at'>,
  context: Context,
): [Value, Value] {
  const type = commonType(one, other);
  const left = type && fitted(one, type, at, context);
  const right = type && fitted(other, type, at, context);
  if (left && right) return [left, right];
  throw refuse(context, at, `'${typeName(one.type)}' and '${typeName(other.type)}' are of different types`);
}

function commonType(one: Value, other: Value): Type | undefined {
  if (one.type.kind === 'null') return other.type;
  if (other.type.kind === 'null') return one.type;
  if (isNumber(one.type) && isNumber(other.type)) return wider(one.type, other.type);
  // Of an enumeration and a text the wider is any text.
  if (one.type.kind === 'text' && other.type.kind === 'text') return text;
  return one.kind === 'literal' ? other.type : one.type;
}

function literalAs(node: Literal, to: Type, at: Pick<Expression, 'at'>, context: Context): Value | undefined {
  const { value } = node;
  if (typeof value === 'boolean') return to.kind === 'boolean' ? node : undefined;
  if (typeof value !== 'string') return undefined;
  if (node.type.kind === 'text') return textAs(value, to, at, context);
  if (!isNumber(node.type)) return undefined;
  if (to.kind === 'decimal') return literal(value, decimal, 'numeric');
  if (to.kind === 'double') return literal(value, double, 'double precision');
  return to.kind === 'integer' && node.type.kind === 'integer' ? node : undefined;
}

function textAs(input: string, to: Type, at: Pick<Expression, 'at'>, context: Context): Value | undefined {
  if (to.kind === 'link') return undefined;
  const read = written(input, to, context.catalogue.timeZone);
  if (read) return valueFrom(read, to);
  if (to.kind === 'text' && to.choices)
    throw refuse(context, at, `'${input.slice(0, 80)}' is not one of ${to.choices.join(', ')}`);
  return undefined;
}

export function momentOf(input: string, context: Context): Value | undefined {
  const read = written(input, moment, context.catalogue.timeZone);
  return read && valueFrom(read, moment);
}

export function checkScalar(values: readonly Value[], at: Pick<Expression, 'at'>, context: Context): void {
  const other = values.find(({ type }) => !isScalar(type));
  if (other)
    throw refuse(
      context,
      at,
      other.type.kind === 'link'
        ? 'An address can be shown and compared with null, and nothing else'
        : `A value is expected here, found '${typeName(other.type)}'; take a member of it`,
    );
}

export const resolveCondition = (expression: Expression, place: Place): Value =>
  asCondition(place.resolve(expression, place), expression, place.context);
