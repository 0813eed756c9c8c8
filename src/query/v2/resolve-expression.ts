/** Turns an Expression into a Value one: looks every name up, types every value, and refuses in the client's words. */

import type { Literal, Value } from '../meaning.js';
import { boolean, decimal, double, integer, isNumber, isScalar, text, typeName } from '../types.js';
import { condition, literal, negation, nothing, series } from '../values.js';
import { asCondition, fitted } from './coerce.js';
import type { Expression } from './expression.js';
import { choose } from './resolve-choice.js';
import { indexed } from './resolve-custom-values.js';
import { castTo } from './resolve-entity.js';
import { resolveName } from './resolve-name.js';
import { objectOf } from './resolve-object.js';
import { compared, minus, nullTest, operation } from './resolve-operator.js';
import { type Context, type Place, refuse } from './resolving.js';

export function resolveExpression(expression: Expression, place: Place): Value {
  const { context } = place;
  const inner = (one: Expression): Value => resolveExpression(one, place);
  switch (expression.kind) {
    case 'literal':
      return literalOf(expression, context);
    case 'name':
      return resolveName(expression, place);
    case 'cast':
      return castTo(expression, inner(expression.of), context);
    case 'index':
      return indexed(expression, inner(expression.of), context);
    case 'negate':
      return negativeOf(expression, inner(expression.of), context);
    case 'not':
      return negation(asCondition(inner(expression.of), expression.of, context, notHint));
    case 'operation':
      return operation(expression, [inner(expression.left), inner(expression.right)], context);
    case 'and':
    case 'or':
      return series(
        expression.kind,
        expression.parts.map((part) => asCondition(inner(part), part, context)),
      );
    case 'in':
      return inList(expression, inner(expression.of), place);
    case 'is':
      return isTest(expression, inner(expression.of), place);
    case 'conditional':
      return choose(expression.test, [expression.yes, expression.no], expression, place);
    case 'object':
      return objectOf(expression, place);
  }
}

const notHint = "; 'not' binds tighter than operators, so write not(…)";

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

function literalOf(node: Of<'literal'>, context: Context): Literal {
  switch (node.literal) {
    case 'text':
      return literal(node.text, text, 'text');
    case 'boolean':
      return literal(node.text === 'true', boolean, 'boolean');
    case 'null':
      return nothing();
    case 'integer':
      if (node.text.length > 30) throw refuse(context, node, 'A number of so many digits cannot be told');
      return node.text.length > 18 ? literal(node.text, decimal, 'numeric') : literal(node.text, integer, 'bigint');
    case 'real':
      if (node.text.length > 60 || !Number.isFinite(Number(node.text))) {
        throw refuse(context, node, 'A number of this size cannot be told');
      }
      return literal(node.text, double, 'double precision');
  }
}

function negativeOf(expression: Expression, of: Value, context: Context): Value {
  if (of.type.kind === 'null') return of;
  if (!isNumber(of.type))
    throw refuse(context, expression, `Operator '-' incompatible with operand type '${typeName(of.type)}'.`);
  return minus(of);
}

function inList({ values, at, negated: isNot }: Of<'in'>, of: Value, place: Place): Value {
  const { context } = place;
  const resolved = values.map((value) => resolveExpression(value, place));
  const literals = resolved.filter((one) => one.kind === 'literal' && one.type.kind !== 'null');
  if (of.type.kind === 'null') return literal(isNot, boolean, 'boolean');
  if (!isScalar(of.type) && of.type.kind !== 'entity') {
    throw refuse(context, { at }, `'in' cannot be asked of '${typeName(of.type)}'`);
  }
  if (literals.length === resolved.length && isScalar(of.type))
    return listed(of, resolved as Literal[], at, isNot, context);
  const equal = resolved.map((value, index) => {
    const comparison = compared('eq', [of, value], values[index]!, context);
    if (!comparison) throw refuse(context, values[index]!, `'${typeName(of.type)}' is never '${typeName(value.type)}'`);
    return comparison;
  });
  const anyEqual = series('or', equal);
  return isNot ? negation(anyEqual) : anyEqual;
}

function listed(of: Value, literals: readonly Literal[], at: number, isNot: boolean, context: Context): Value {
  // Among whole numbers an index helps; a single fraction, or a number that no column holds, makes them all decimals.
  const isWider = ({ type }: Literal): boolean => type.kind === 'double' || type.kind === 'decimal';
  const type = of.type.kind === 'integer' && literals.some(isWider) ? decimal : of.type;
  const values = literals.map((value) => {
    const converted = fitted(value, type, { at }, context);
    if (converted?.kind !== 'literal') {
      throw refuse(context, { at }, `'${String(value.value).slice(0, 80)}' in the list is no '${typeName(of.type)}'`);
    }
    return converted;
  });
  const membership = condition({ kind: 'in', of, values });
  return isNot ? negation(membership) : membership;
}

/** `is null`, `is not null`, `is Me`. */
function isTest({ what, at, negated: isNot }: Of<'is'>, of: Value, place: Place): Value {
  const { context } = place;
  const other = resolveExpression(what, place);
  const operator = isNot ? 'ne' : 'eq';
  const comparison =
    other.type.kind === 'null' ? nullTest(operator, of, context) : compared(operator, [of, other], { at }, context);
  if (!comparison) throw refuse(context, { at }, `'is' cannot be asked of '${typeName(of.type)}' here`);
  return comparison;
}
