/** Turns an Expression into a Typed one: looks every name up, types every value, and refuses in the client's words. */

import { nearest } from '../near.js';
import { condition, fitted } from './coerce.js';
import type { Expression } from './expression.js';
import { choose } from './resolve-choice.js';
import { indexed } from './resolve-custom-values.js';
import { resolveName } from './resolve-name.js';
import { objectOf } from './resolve-object.js';
import { compared, minus, negated, nullTest, operation } from './resolve-operator.js';
import { personOf } from './resolve-pointed.js';
import { type Context, literal, made, nothing, type Place, refuse } from './resolving.js';
import type { Literal, Typed } from './typed.js';
import { boolean, decimal, double, integer, isNumber, isScalar, text, typeName } from './types.js';

export function resolveExpression(said: Expression, place: Place): Typed {
  const { context } = place;
  const inner = (one: Expression): Typed => resolveExpression(one, place);
  switch (said.kind) {
    case 'literal':
      return literalOf(said, context);
    case 'name':
      return resolveName(said, place);
    case 'cast':
      return castTo(said, inner(said.of), context);
    case 'index':
      return indexed(said, inner(said.of), context);
    case 'negate':
      return negativeOf(said, inner(said.of), context);
    case 'not':
      return negated(condition(inner(said.of), said.of, context, notHint), context);
    case 'operation':
      return operation(said, [inner(said.left), inner(said.right)], context);
    case 'and':
    case 'or':
      return series(
        said.kind,
        said.parts.map((part) => condition(inner(part), part, context)),
        context,
      );
    case 'in':
      return inList(said, inner(said.of), place);
    case 'is':
      return isTest(said, inner(said.of), place);
    case 'conditional':
      return choose(said.test, [said.yes, said.no], said, place);
    case 'object':
      return objectOf(said, place);
  }
}

const notHint = "; 'not' binds tighter than operators, so write not(…)";

export const resolveCondition = (said: Expression, place: Place): Typed =>
  condition(resolveExpression(said, place), said, place.context);

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

function literalOf(said: Of<'literal'>, context: Context): Literal {
  switch (said.literal) {
    case 'text':
      return literal(said.text, text, 'text');
    case 'boolean':
      return literal(said.text === 'true', boolean, 'boolean');
    case 'null':
      return nothing();
    case 'integer':
      if (said.text.length > 30) throw refuse(context, said, 'A number of so many digits cannot be told');
      return said.text.length > 18 ? literal(said.text, decimal, 'numeric') : literal(said.text, integer, 'bigint');
    case 'real':
      if (said.text.length > 60 || !Number.isFinite(Number(said.text))) {
        throw refuse(context, said, 'A number of this size cannot be told');
      }
      return literal(said.text, double, 'double precision');
  }
}

function negativeOf(said: Expression, of: Typed, context: Context): Typed {
  if (of.type.kind === 'null') return of;
  if (!isNumber(of.type))
    throw refuse(context, said, `Operator '-' incompatible with operand type '${typeName(of.type)}'.`);
  return minus(of, context);
}

export const series = (kind: 'and' | 'or', parts: readonly Typed[], context: Context): Typed =>
  made<Extract<Typed, { kind: 'and' | 'or' }>>({ kind, parts, type: boolean, nullable: false }, context);

/** `as<Type>` sees an entity as one of a kind; of another kind it is none. */
export function castTo({ type: name, at, of: casting }: Of<'cast'>, of: Typed, context: Context): Typed {
  const resource = context.model.collection(name);
  if (!resource) {
    const near = nearest(
      name,
      context.model.resources.map((one) => one.name),
    );
    throw refuse(context, { at }, `There is no type '${name.slice(0, 80)}'.${near ? ` Did you mean '${near}'?` : ''}`);
  }
  if (of.type.kind !== 'entity')
    throw refuse(context, { at }, `'${typeName(of.type)}' cannot be cast; only an entity can`);
  if (resource.root !== of.type.resource.root) {
    if (of.kind === 'pointed' && resource.root === context.model.resource('GeneralUser'))
      return castTo({ kind: 'cast', type: name, at, of: casting }, personOf(of, context), context);
    throw refuse(context, { at }, `'${typeName(of.type)}' can never be a '${resource.name}'`);
  }
  if (of.type.resource.isA(resource)) return of;
  return made<Extract<Typed, { kind: 'cast' }>>(
    { kind: 'cast', of, resource, type: { kind: 'entity', resource }, nullable: true },
    context,
  );
}

function inList({ values, at, negated: isNot }: Of<'in'>, of: Typed, place: Place): Typed {
  const { context } = place;
  const said = values.map((value) => resolveExpression(value, place));
  const literals = said.filter((one) => one.kind === 'literal' && one.type.kind !== 'null');
  if (of.type.kind === 'null') return literal(isNot, boolean, 'boolean');
  if (!isScalar(of.type) && of.type.kind !== 'entity') {
    throw refuse(context, { at }, `'in' cannot be asked of '${typeName(of.type)}'`);
  }
  if (literals.length === said.length && isScalar(of.type)) return listed(of, said as Literal[], at, isNot, context);
  const equal = said.map((value, index) => {
    const found = compared('eq', [of, value], values[index]!, context);
    if (!found) throw refuse(context, values[index]!, `'${typeName(of.type)}' is never '${typeName(value.type)}'`);
    return found;
  });
  const found = series('or', equal, context);
  return isNot ? negated(found, context) : found;
}

function listed(of: Typed, said: readonly Literal[], at: number, isNot: boolean, context: Context): Typed {
  // Among whole numbers an index helps; a single fraction makes them all decimals.
  const type = of.type.kind === 'integer' && said.some((one) => one.type.kind === 'double') ? decimal : of.type;
  const values = said.map((value) => {
    const found = fitted(value, type, { at }, context);
    if (found?.kind !== 'literal') {
      throw refuse(context, { at }, `'${String(value.value).slice(0, 80)}' in the list is no '${typeName(of.type)}'`);
    }
    return found;
  });
  const found = made<Extract<Typed, { kind: 'in' }>>(
    { kind: 'in', of, values, type: boolean, nullable: false },
    context,
  );
  return isNot ? negated(found, context) : found;
}

/** `is null`, `is not null`, `is Me`. */
function isTest({ what, at, negated: isNot }: Of<'is'>, of: Typed, place: Place): Typed {
  const { context } = place;
  const other = resolveExpression(what, place);
  const operator = isNot ? 'ne' : 'eq';
  const found =
    other.type.kind === 'null' ? nullTest(operator, of, context) : compared(operator, [of, other], { at }, context);
  if (!found) throw refuse(context, { at }, `'is' cannot be asked of '${typeName(of.type)}' here`);
  return found;
}

export function checkScalar(values: readonly Typed[], at: Pick<Expression, 'at'>, context: Context): void {
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
