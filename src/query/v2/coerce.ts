/** Makes values of one type fit where another is meant: literals by what they say, numbers by widening. */
import { withOffset } from '../../local-times.js';
import { choiceIn, wholeNumber, withinBigint } from '../literals.js';
import type { Literal, Value } from '../meaning.js';
import { parseMoment } from '../moments.js';
import { some } from './chains.js';
import type { Expression } from './expression.js';
import { textOf, widened } from './functions-conversion.js';
import { addDays, today } from './functions-date.js';
import { call } from './nodes.js';
import { type Context, literal, type Place, refuse } from './resolving.js';
import {
  boolean,
  decimal,
  double,
  integer,
  isNumber,
  isScalar,
  moment,
  type Type,
  text,
  typeName,
  wider,
} from './types.js';

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
    return wider(from, to).kind === to.kind ? call(widened(to), [node], context) : undefined;
  }
  return undefined;
}

export function asText(node: Value, at: Pick<Expression, 'at'>, context: Context): Value {
  if (node.type.kind === 'text') return node;
  if (node.type.kind === 'null') return literal(null, text, 'text');
  if (!['integer', 'decimal', 'double', 'boolean', 'moment', 'span'].includes(node.type.kind)) {
    throw refuse(context, at, `'${typeName(node.type)}' has no text; take a member of it`);
  }
  return call(textOf(node.type), [node], context);
}

/** Whether a condition holds: unknown is not so. */
export function condition(node: Value, at: Pick<Expression, 'at'>, context: Context, hint = ''): Value {
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
  if (value === null) return undefined;
  if (node.type.kind === 'text') return textAs(node, value, to, at, context);
  if (!isNumber(node.type)) return undefined;
  if (to.kind === 'decimal') return literal(value, decimal, 'numeric');
  if (to.kind === 'double') return literal(value, double, 'double precision');
  return to.kind === 'integer' && node.type.kind === 'integer' ? node : undefined;
}

function textAs(
  node: Literal,
  input: string,
  to: Type,
  at: Pick<Expression, 'at'>,
  context: Context,
): Value | undefined {
  switch (to.kind) {
    case 'text':
      return to.choices ? choice(input, to.choices, at, context) : node;
    case 'integer':
      return wholeNumber.test(input) ? literal(withinBigint(input.trim()), integer, 'bigint') : undefined;
    case 'decimal':
      return plainNumber.test(input) ? literal(input.trim(), decimal, 'numeric') : undefined;
    case 'double':
      return plainNumber.test(input) ? literal(input.trim(), double, 'double precision') : undefined;
    case 'boolean': {
      const word = input.trim().toLowerCase();
      return word === 'true' || word === 'false' ? literal(word === 'true', boolean, 'boolean') : undefined;
    }
    case 'moment':
      return momentOf(input, context);
    default:
      return undefined;
  }
}

const plainNumber = /^\s*[+-]?\d{1,20}(\.\d{1,20})?\s*$/;

function choice(input: string, choices: readonly string[], at: Pick<Expression, 'at'>, context: Context): Value {
  const match = choiceIn(input, choices);
  if (match === undefined) throw refuse(context, at, `'${input.slice(0, 80)}' is not one of ${choices.join(', ')}`);
  return literal(match, { kind: 'text', choices }, 'text');
}

export function momentOf(input: string, context: Context): Value | undefined {
  const parsed = parseMoment(input);
  if (!parsed) return undefined;
  if (parsed.kind === 'moment')
    return literal(withOffset(parsed.text, context.catalogue.timeZone), moment, 'timestamptz');
  const day = call(today, [], context);
  return parsed.days === 0
    ? day
    : call(addDays, [day, literal(String(parsed.days), double, 'double precision')], context);
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
  condition(place.resolve(expression, place), expression, place.context);
