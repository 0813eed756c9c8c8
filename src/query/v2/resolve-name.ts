/** Names: members of what stands before the dot or, without one, of the current item; then functions. */

import type { Value } from '../meaning.js';
import { nearest } from '../near.js';
import { call, fitted, momentOf } from './coerce.js';
import type { Expression } from './expression.js';
import type { FunctionRow, Takes } from './function-row.js';
import { functionNames, functionsNamed, isNamespace } from './functions.js';
import { exact, isConversion, isConvertible } from './functions-conversion.js';
import { isList } from './functions-list.js';
import { doesNotFit, noDate, noMember, noMethod } from './messages.js';
import { chainMember } from './resolve-chain.js';
import { choose, ifNone } from './resolve-choice.js';
import { converted } from './resolve-conversion.js';
import { customMember, customNames } from './resolve-custom-values.js';
import { entityMember } from './resolve-entity.js';
import { resolveExpression } from './resolve-expression.js';
import { listOf } from './resolve-list.js';
import { memberOfObject } from './resolve-object.js';
import { scalarMember } from './resolve-scalar.js';
import { type Context, literal, made, type Place, refuse } from './resolving.js';
import { decimal, type Type, text, typeName, wider } from './types.js';

export type Name = Extract<Expression, { kind: 'name' }>;

export function resolveName(node: Name, place: Place): Value {
  if (node.of) {
    if (node.of.kind === 'name' && !node.of.of && !node.of.args && isNamespace(node.of.name)) {
      const own = memberOf(place.it, node.of, place);
      if (!own) return staticMember(node.of.name, node, place);
    }
    return demandMember(resolveExpression(node.of, place), node, place);
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
      return memberOfObject(of, node);
    case 'null':
      return of;
    default:
      return scalarMember(of, node, place);
  }
}

export function demandMember(of: Value, node: Name, place: Place): Value {
  const member = memberOf(of, node, place);
  if (member) return member;
  const missing = node.args ? noMethod : noMember;
  throw refuse(
    place.context,
    node,
    missing(typeName(of.type), node.name, nearest(node.name, memberNames(of, place))) + hint(of),
  );
}

function hint(of: Value): string {
  if (of.kind === 'object') return ` It has ${of.members.map(({ name }) => name).join(', ') || 'none'}.`;
  return of.type.kind === 'collection' ? ' Members of its items are reached by Select, Where, Count and the like.' : '';
}

const ofEveryValue = ['ToString', 'Value', 'HasValue'];
const ofTexts = ['Contains', 'StartsWith', 'EndsWith'];

const onCollections =
  'Select Where Count Sum Average Min Max Any All First OrderBy OrderByDescending Distinct Take Skip';

/** What could have been meant. */
function memberNames(of: Value, { it, context }: Place): string[] {
  const { type } = of;
  if (type.kind === 'collection') return onCollections.split(' ');
  if (of.kind === 'object') return of.members.map(({ name }) => name);
  if (type.kind !== 'entity')
    return [...functionNames(type.kind), ...ofEveryValue, ...(type.kind === 'text' ? ofTexts : [])];
  const fields = type.resource.fields.filter((field) => field.kind !== 'scalar' || !field.isWriteOnly);
  const functions = it.type === type ? ['IIF', 'IFNONE', 'Today', 'Me'] : [];
  const custom = type.resource.settings.customFields ? customNames(type.resource, context) : [];
  return [...fields.map(({ name }) => name), ...custom, ...functions];
}

/** What stands alone: functions, today, the caller. */
function standing(node: Name, place: Place): Value | undefined {
  const { context } = place;
  const args = node.args ?? [];
  switch (node.name.toLowerCase()) {
    case 'iif':
      if (args.length !== 3) throw refuse(context, node, 'IIF takes three arguments: a condition and two values');
      return choose(args[0]!, [args[1]!, args[2]!], node, place);
    case 'ifnone':
      if (args.length !== 2)
        throw refuse(context, node, 'IFNONE takes two arguments: a value and what stands in for it');
      return ifNone([args[0]!, args[1]!], node, place);
    case 'me':
      return args.length === 0 ? me(context) : undefined;
    default:
      return functionCall('', node, place);
  }
}

const me = (context: Context): Value =>
  made<Extract<Value, { kind: 'me' }>>(
    { kind: 'me', type: { kind: 'entity', resource: context.model.resource('GeneralUser') }, nullable: false },
    context,
  );

/** `DateTime.Now`, `Math.Round(effort)`, `Convert.ToInt32(name)`. */
function staticMember(owner: string, node: Name, place: Place): Value {
  const value = functionCall(owner, node, place);
  if (value) return value;
  throw refuse(place.context, node, noMethod(owner, node.name, nearest(node.name, functionNames(owner))));
}

function functionCall(owner: string, node: Name, place: Place): Value | undefined {
  if (owner.toLowerCase() === 'datetime' && node.name.toLowerCase() === 'parse') return parsedDate(node, place);
  const rows = functionsNamed(owner, node.name);
  if (rows.length === 0) return undefined;
  return applied(rows, [], node, place);
}

/** The row that takes as many arguments as are given; `self` are those that stand before the dot. */
export function applied(rows: readonly FunctionRow[], self: readonly Value[], node: Name, place: Place): Value {
  const { context } = place;
  const given = node.args ?? [];
  const row = rows.find(({ takes }) => takes.length === given.length);
  if (!row) {
    const counts = rows.map(({ takes }) => String(takes.length)).join(' or ');
    throw refuse(context, node, `${node.name} takes ${counts} arguments, found ${given.length}`);
  }
  const args = given.map((arg, index) => argument(resolveExpression(arg, place), row, index, arg, context));
  checkFit(row, [...self, ...args], node, context);
  if (isList(row)) return listOf(row, args[0]!, context);
  if (isConversion(row)) return converted(row, args[0]!, given[0]!, context);
  return call(row, [...self, ...asOneType(row, args, node, context)], context);
}

/** Numbers that a function compares are of the widest type among them, or the database would make them so and might fail. */
function asOneType({ takes }: FunctionRow, args: readonly Value[], node: Name, context: Context): readonly Value[] {
  if (takes.length < 2 || takes.some((one) => one !== 'number')) return args;
  const type = args.map((arg) => arg.type).reduce(wider);
  return args.map((arg) => fitted(arg, type, node, context) ?? arg);
}

/** What is written down and fits nowhere is refused at once. */
function checkFit(row: FunctionRow, args: readonly Value[], node: Name, context: Context): void {
  const written = args.map((arg) => (arg.kind === 'literal' ? arg.value : undefined));
  if (row.fits && !row.fits(...written)) throw refuse(context, node, doesNotFit);
}

const nullOf: Partial<Record<Takes, Type>> = { any: text, number: decimal };

function argument(arg: Value, row: FunctionRow, index: number, at: Expression, context: Context): Value {
  const takes = row.takes[index]!;
  if (arg.type.kind === 'null') return literal(null, nullOf[takes] ?? ({ kind: takes } as Type), 'text');
  if (takes === 'any') {
    if (isConvertible(arg.type.kind, (row.gives as Type).kind)) return arg;
  } else if (takes === 'number') {
    if (['integer', 'decimal', 'double'].includes(arg.type.kind)) return arg;
  } else {
    const converted = fitted(arg, { kind: takes } as Type, at, context);
    if (converted) return converted;
    // A place or a number of days may be a decimal, too: the database rounds it.
    if (takes === 'integer' && (arg.type.kind === 'decimal' || arg.type.kind === 'double')) return arg;
    if (takes === 'decimal' && arg.type.kind === 'double') return call(exact, [arg], context);
  }
  const expected =
    takes === 'any'
      ? 'a value that can be converted'
      : `'${takes === 'number' ? 'Decimal' : typeName({ kind: takes } as Type)}'`;
  throw refuse(context, at, `${row.name} expects ${expected}, found '${typeName(arg.type)}'`);
}

/** A text that is written there is read at once; what another expression gives, once it is known. */
function parsedDate(node: Name, place: Place): Value {
  const [arg] = node.args ?? [];
  if (node.args?.length !== 1 || arg?.kind !== 'literal' || arg.literal !== 'text')
    return applied(functionsNamed('Convert', 'ToDateTime'), [], node, place);
  const moment = momentOf(arg.text, place.context);
  if (moment) return moment;
  throw refuse(place.context, arg, noDate(arg.text));
}
