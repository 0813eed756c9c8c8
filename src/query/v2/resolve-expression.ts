/** Turns an Expression into a Value: looks every name up, types every value, and refuses in the client's words. */

import { camelCase } from '../../model/camel-case.js';
import { nearest } from '../../texts/near.js';
import { numberText } from '../../texts/numbers.js';
import { aggregations } from '../aggregates.js';
import { functionNames, isNamespace } from '../functions/functions.js';
import type { Literal, ObjectMember, Of, Value } from '../meaning.js';
import { partOperators, stateWords } from '../operators.js';
import { boolean, decimal, double, entity, integer, isNumber, isScalar, text, typeName } from '../types.js';
import { condition, literal, negation, nothing, objectWith, ofSorts, readableFields, series } from '../values.js';
import { asCondition, asFraction, fitted } from './coerce.js';
import { type Expression, type Name, type Property, withoutRepeated } from './expression.js';
import { chainMember } from './resolve-chain.js';
import { castTo, customMember, customNames, entityMember, indexed } from './resolve-entity.js';
import { choose, ifNone, memberOfObject, namesIn } from './resolve-object.js';
import { compared, functionCall, hintFor, minus, nullTest, operation, scalarMember } from './resolve-operator.js';
import { type Context, missing, type Place, refuse } from './resolving.js';

export function resolveExpression(expression: Expression, place: Place): Value {
  const inner = (one: Expression): Value => resolveExpression(one, place);
  switch (expression.kind) {
    case 'literal':
      return literalOf(expression, place);
    case 'name':
      return resolveName(expression, place);
    case 'cast':
      return castTo(expression, inner(expression.of), place);
    case 'index':
      return indexed(expression, inner(expression.of), place);
    case 'negate':
      return negativeOf(expression, inner(expression.of), place);
    case 'not':
      return negation(asCondition(inner(expression.of), expression.of, place, notHint));
    case 'operation':
      return operation(expression, [inner(expression.left), inner(expression.right)], place);
    case 'and':
    case 'or':
      return series(
        expression.kind,
        expression.parts.map((part) => asCondition(inner(part), part, place)),
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

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

function literalOf(node: Node<'literal'>, context: Context): Literal {
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
      return real(node, context);
  }
}

function real(node: Node<'literal'>, context: Context): Literal {
  const number = numberText(node.text);
  if (number === undefined) throw refuse(context, node, 'A number of this size cannot be told');
  return literal(number, double, 'double precision');
}

function negativeOf(expression: Expression, of: Value, context: Context): Value {
  if (of.type.kind === 'null') return of;
  if (!isNumber(of.type))
    throw refuse(context, expression, `Operator '-' incompatible with operand type '${typeName(of.type)}'.`);
  return minus(of);
}

function inList({ values, at, negated: isNot }: Node<'in'>, of: Value, place: Place): Value {
  const resolved = values.map((value) => resolveExpression(value, place));
  const literals = resolved.filter((one) => one.kind === 'literal' && one.type.kind !== 'null');
  if (!isScalar(of.type) && of.type.kind !== 'entity') {
    throw refuse(place, { at }, `'in' cannot be asked of '${typeName(of.type)}'.${hintFor(of)}`);
  }
  const areLiterals = literals.length === resolved.length;
  if (areLiterals && of.type.kind === 'null') return literal(isNot, boolean, 'boolean');
  if (areLiterals && isScalar(of.type)) return listed(of, resolved as Literal[], at, isNot, place);
  const equal = resolved.map((value, index) => {
    const comparison = compared('eq', [of, value], values[index]!, place);
    if (!comparison) throw refuse(place, values[index]!, `'${typeName(of.type)}' is never '${typeName(value.type)}'`);
    return comparison;
  });
  const anyEqual = series('or', equal);
  return isNot ? negation(anyEqual) : anyEqual;
}

function listed(of: Value, inputs: readonly Literal[], at: number, isNot: boolean, context: Context): Value {
  const literals = inputs.map((one) => asFraction(one, of.type, context) as Literal);
  // Among whole numbers an index helps; a single fraction, or a number that no column holds, makes them all decimals.
  const isWider = ({ type }: Literal): boolean => type.kind === 'double' || type.kind === 'decimal';
  const type = of.type.kind === 'integer' && literals.some(isWider) ? decimal : of.type;
  const values = literals.map((value) => {
    const converted = fitted(value, type, { at }, context);
    // A day counted from today is called for.
    if (converted?.kind !== 'literal' && converted?.kind !== 'call') {
      throw refuse(context, { at }, `'${String(value.value).slice(0, 80)}' in the list is no '${typeName(of.type)}'`);
    }
    return converted;
  });
  const membership = condition({ kind: 'in', of, values });
  return isNot ? negation(membership) : membership;
}

/** `is null`, `is not null`, `is Me`, `is Current`. */
function isTest({ what, at, negated: isNot }: Node<'is'>, of: Value, place: Place): Value {
  const word = what.kind === 'name' && !what.of && !what.args ? stateWords.get(what.name.toLowerCase()) : undefined;
  const flag = word?.asks === 'flag' ? flagOf(of, { kind: 'name', name: word.field, at: what.at }, place) : undefined;
  if (flag) return isNot ? negation(flag) : flag;
  const other = word?.asks === 'nothing' ? nothing() : resolveExpression(what, place);
  const operator = isNot ? 'ne' : 'eq';
  const comparison =
    other.type.kind === 'null' ? nullTest(operator, of, place) : compared(operator, [of, other], { at }, place);
  if (!comparison) throw refuse(place, { at }, `'is' cannot be asked of '${typeName(of.type)}' here.${hintFor(of)}`);
  return comparison;
}

/** Undefined: it is no entity, or has no such flag. */
function flagOf(of: Value, node: Name, place: Place): Value | undefined {
  if (of.type.kind !== 'entity' || !of.type.resource.field(node.name)) return undefined;
  return asCondition(demandMember(of, node, place), node, place);
}

// --- names: members of what stands before the dot or, without one, of the current item; then functions ---------------

function resolveName(node: Name, place: Place): Value {
  if (node.of) {
    if (node.of.kind === 'name' && !node.of.of && !node.of.args && isNamespace(node.of.name)) {
      const own = memberOf(place.it, node.of, place);
      if (!own) return staticMember(node.of.name, node, place);
    }
    return demandMember(place.resolve(node.of, place), node, place);
  }
  if (node.name.toLowerCase() === 'it' && !node.args) return place.it;
  return memberOf(place.it, node, place) ?? standing(node, place) ?? demandMember(place.it, node, place);
}

/** Undefined: there is none of this name. */
function memberOf(of: Value, node: Name, place: Place): Value | undefined {
  switch (of.type.kind) {
    case 'entity':
      return entityMember(of, of.type.resource, node, place);
    case 'collection':
      return of.kind === 'chain' ? chainMember(of, node, place) : undefined;
    case 'customValues':
      return of.kind === 'customFields' ? customMember(of, node, place) : undefined;
    case 'object':
      return memberOfObject(of, node, place);
    case 'null':
      return of;
    case 'text':
    case 'integer':
    case 'decimal':
    case 'double':
    case 'boolean':
    case 'moment':
    case 'span':
    case 'link':
      return scalarMember(of, node, place);
  }
}

function demandMember(of: Value, node: Name, place: Place): Value {
  const member = memberOf(of, node, place);
  if (member) return member;
  const near = nearest(node.name, memberNames(of, place));
  const isOtherKind = near?.toLowerCase() === node.name.toLowerCase();
  const message = isOtherKind
    ? isNoMethod(near!, node.args !== undefined)
    : missing(node.args ? 'Method' : 'Property', typeName(of.type), node.name, near) + hint(of);
  throw refuse(place, node, message);
}

const isNoMethod = (name: string, isCalled: boolean): string =>
  isCalled ? `'${name}' is no method: write it without parentheses.` : `'${name}' is a method: write ${name}(…).`;

function hint(of: Value): string {
  if (of.type.kind === 'object') return ` It has ${namesIn(of).join(', ') || 'none'}.`;
  return of.type.kind === 'collection' ? ' Members of its items are reached by Select, Where, Count and the like.' : '';
}

const ofEveryValue = ['ToString', 'Value', 'HasValue'];
const ofTexts = partOperators.map(({ method }) => method);

const onCollections = [
  ...['Select', 'Where'],
  ...aggregations.map((name) => name.charAt(0).toUpperCase() + name.slice(1)),
  ...'Any All First OrderBy OrderByDescending Distinct Take Skip'.split(' '),
];

/** What could have been meant. */
function memberNames(of: Value, place: Place): string[] {
  const { type } = of;
  if (type.kind === 'collection') return onCollections;
  if (type.kind === 'object') return namesIn(of);
  if (type.kind !== 'entity')
    return [...functionNames(type.kind), ...ofEveryValue, ...(type.kind === 'text' ? ofTexts : [])];
  const { resource } = type;
  const fields = readableFields(resource);
  const functions = place.it.type === type ? ['IIF', 'IFNONE', 'Today', 'Me'] : [];
  const custom = resource.settings.customFields ? ['CustomValues', ...customNames(resource, place)] : [];
  return [...[...fields.map(({ name }) => name), 'ResourceType', ...custom].map(camelCase), ...functions];
}

/** What stands alone: functions, today, the caller. */
function standing(node: Name, place: Place): Value | undefined {
  const args = node.args ?? [];
  switch (node.name.toLowerCase()) {
    case 'iif':
      if (args.length !== 3) throw refuse(place, node, 'IIF takes three arguments: a condition and two values');
      return choose(args[0]!, [args[1]!, args[2]!], node, place);
    case 'ifnone':
      if (args.length !== 2) throw refuse(place, node, 'IFNONE takes two arguments: a value and what stands in for it');
      return ifNone([args[0]!, args[1]!], node, place);
    case 'me':
      return args.length === 0 ? me(place) : undefined;
    default:
      return functionCall('', node, place);
  }
}

const me = ({ model }: Context): Value => ({
  kind: 'me',
  type: entity(model.person),
  nullable: false,
});

/** `DateTime.Now`, `Math.Round(effort)`, `Convert.ToInt32(name)`. */
function staticMember(owner: string, node: Name, place: Place): Value {
  const value = functionCall(owner, node, place);
  if (value) return value;
  throw refuse(place, node, missing('Method', owner, node.name, nearest(node.name, functionNames(owner))));
}

// --- objects: `{id, title: name, project: {project.id}}` -------------------------------------------------------------

const isNameless = ofSorts('test', 'either');

function objectOf({ members, at }: Extract<Expression, { kind: 'object' }>, place: Place): Value {
  return object(membersFrom(members, place), { at }, place);
}

export const membersFrom = (members: readonly Property[], place: Place): ObjectMember[] =>
  withoutRepeated(members).map((member) => memberFrom(member, place));

export function object(members: readonly ObjectMember[], at: Pick<Expression, 'at'>, context: Context): Of<'object'> {
  const names = new Set<string>();
  for (const { name, at: place = at.at } of members) {
    if (names.has(name))
      throw refuse(
        context,
        { at: place },
        `Two members are named '${name}'; give one of them another name, as in {other: …}`,
      );
    names.add(name);
  }
  return objectWith(members);
}

export function memberFrom({ name, value: expression, at }: Property, place: Place): ObjectMember {
  const value = place.resolve(expression, place);
  if (name !== undefined) {
    if (name.length > 100) throw refuse(place, { at }, 'The name of a member is longer than 100 characters');
    return { name: camelCase(name), isKnown: false, value, at };
  }
  const label = labelOf(value, expression);
  if (label !== undefined) return { ...label, value, at };
  throw refuse(place, { at }, "Expression is missing an 'as' clause: give it a name, as in {name: expression}");
}

/** The name of what was given none. */
export const labelOf = (value: Value, expression: Expression): Omit<ObjectMember, 'value'> | undefined =>
  nameOfModel(value) ?? lastName(expression);

/** A field by its own name, whichever letters it was written in. */
function nameOfModel(value: Value): Omit<ObjectMember, 'value'> | undefined {
  if (isNameless(value)) return undefined;
  switch (value.kind) {
    case 'field':
      return value.operand.kind === 'field' ? modelName(value.operand.field.name) : undefined;
    case 'reference':
      return modelName(value.field.name);
    case 'aggregate':
      return modelName(value.function);
    case 'chain':
      return value.source !== 'root' && value.source.kind === 'field' && isPlain(value)
        ? modelName(value.source.field.name)
        : undefined;
    case 'customFields':
      return modelName('CustomValues');
    case 'call':
      return /^[a-z]/i.test(value.function.name) ? modelName(value.function.name) : undefined;
    case 'literal':
    case 'late':
    case 'element':
    case 'row':
    case 'pointed':
    case 'cast':
    case 'me':
    case 'chosen':
    case 'mapped':
    case 'item':
    case 'object':
      return undefined;
  }
}

const isPlain = ({ filters, order, projection, within }: Of<'chain'>): boolean =>
  filters.length === 0 && order.length === 0 && !projection && !within;

const modelName = (name: string) => ({ name: camelCase(name), isKnown: true });

function lastName(expression: Expression): Omit<ObjectMember, 'value'> | undefined {
  // A function tells nothing of what it is about.
  if (expression.kind === 'name' && !expression.of && expression.args) return undefined;
  if (expression.kind === 'name') return { name: camelCase(expression.name), isKnown: false };
  if (expression.kind === 'index')
    return { name: camelCase(expression.key.replace(/[^\p{L}\p{N}_]/gu, '')) || 'value', isKnown: false };
  return expression.kind === 'cast' ? lastName(expression.of) : undefined;
}
