/** Names: members of what stands before the dot or, without one, of the current item; then functions. */

import { nearest } from '../near.js';
import { call, fitted, momentOf } from './coerce.js';
import type { Expression } from './expression.js';
import { type FunctionRow, functionNames, functionsNamed, isNamespace, type Takes } from './functions.js';
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
import type { Typed } from './typed.js';
import { decimal, type Type, text, typeName, wider } from './types.js';

export type Name = Extract<Expression, { kind: 'name' }>;

export function resolveName(said: Name, place: Place): Typed {
  if (said.of) {
    if (said.of.kind === 'name' && !said.of.of && !said.of.args && isNamespace(said.of.name)) {
      const own = memberOf(place.it, said.of, place);
      if (!own) return staticMember(said.of.name, said, place);
    }
    return demandMember(resolveExpression(said.of, place), said, place);
  }
  if (said.name.toLowerCase() === 'it' && !said.args) return place.it;
  return memberOf(place.it, said, place) ?? standing(said, place) ?? demandMember(place.it, said, place);
}

/** Undefined: there is none of this name. */
function memberOf(of: Typed, said: Name, place: Place): Typed | undefined {
  switch (of.type.kind) {
    case 'entity':
      return entityMember(of, of.type.resource, said, place);
    case 'collection':
      return of.kind === 'chain' ? chainMember(of, said, place) : undefined;
    case 'customValues':
      return of.kind === 'customFields' ? customMember(of, said, place) : undefined;
    case 'object':
      return memberOfObject(of, said);
    case 'null':
      return of;
    default:
      return scalarMember(of, said, place);
  }
}

export function demandMember(of: Typed, said: Name, place: Place): Typed {
  const found = memberOf(of, said, place);
  if (found) return found;
  const missing = said.args ? noMethod : noMember;
  throw refuse(
    place.context,
    said,
    missing(typeName(of.type), said.name, nearest(said.name, known(of, place))) + hint(of),
  );
}

function hint(of: Typed): string {
  if (of.kind === 'object') return ` It has ${of.members.map(({ name }) => name).join(', ') || 'none'}.`;
  return of.type.kind === 'collection' ? ' Members of its items are reached by Select, Where, Count and the like.' : '';
}

const ofEveryValue = ['ToString', 'Value', 'HasValue'];
const ofTexts = ['Contains', 'StartsWith', 'EndsWith'];

const onCollections =
  'Select Where Count Sum Average Min Max Any All First OrderBy OrderByDescending Distinct Take Skip';

/** What could have been meant. */
function known(of: Typed, { it, context }: Place): string[] {
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
function standing(said: Name, place: Place): Typed | undefined {
  const { context } = place;
  const args = said.args ?? [];
  switch (said.name.toLowerCase()) {
    case 'iif':
      if (args.length !== 3) throw refuse(context, said, 'IIF takes three arguments: a condition and two values');
      return choose(args[0]!, [args[1]!, args[2]!], said, place);
    case 'ifnone':
      if (args.length !== 2)
        throw refuse(context, said, 'IFNONE takes two arguments: a value and what stands in for it');
      return ifNone([args[0]!, args[1]!], said, place);
    case 'me':
      return args.length === 0 ? me(context) : undefined;
    default:
      return functionCall('', said, place);
  }
}

const me = (context: Context): Typed =>
  made<Extract<Typed, { kind: 'me' }>>(
    { kind: 'me', type: { kind: 'entity', resource: context.model.resource('GeneralUser') }, nullable: false },
    context,
  );

/** `DateTime.Now`, `Math.Round(effort)`, `Convert.ToInt32(name)`. */
function staticMember(owner: string, said: Name, place: Place): Typed {
  const found = functionCall(owner, said, place);
  if (found) return found;
  throw refuse(place.context, said, noMethod(owner, said.name, nearest(said.name, functionNames(owner))));
}

function functionCall(owner: string, said: Name, place: Place): Typed | undefined {
  if (owner.toLowerCase() === 'datetime' && said.name.toLowerCase() === 'parse') return parsedDate(said, place);
  const rows = functionsNamed(owner, said.name);
  if (rows.length === 0) return undefined;
  return applied(rows, [], said, place);
}

/** The row that takes as many arguments as are given; `self` are those that stand before the dot. */
export function applied(rows: readonly FunctionRow[], self: readonly Typed[], said: Name, place: Place): Typed {
  const { context } = place;
  const given = said.args ?? [];
  const row = rows.find(({ takes }) => takes.length === given.length);
  if (!row) {
    const counts = rows.map(({ takes }) => String(takes.length)).join(' or ');
    throw refuse(context, said, `${said.name} takes ${counts} arguments, found ${given.length}`);
  }
  const args = given.map((arg, index) => argument(resolveExpression(arg, place), row, index, arg, context));
  checkFit(row, [...self, ...args], said, context);
  if (isList(row)) return listOf(row, args[0]!, context);
  if (isConversion(row)) return converted(row, args[0]!, given[0]!, context);
  return call(row, [...self, ...asOneType(row, args, said, context)], context);
}

/** Numbers that a function compares are of the widest type among them, or the database would make them so and might fail. */
function asOneType({ takes }: FunctionRow, args: readonly Typed[], said: Name, context: Context): readonly Typed[] {
  if (takes.length < 2 || takes.some((one) => one !== 'number')) return args;
  const type = args.map((arg) => arg.type).reduce(wider);
  return args.map((arg) => fitted(arg, type, said, context) ?? arg);
}

/** What is written down and fits nowhere is refused at once. */
function checkFit(row: FunctionRow, args: readonly Typed[], said: Name, context: Context): void {
  const written = args.map((arg) => (arg.kind === 'literal' ? arg.value : undefined));
  if (row.fits && !row.fits(...written)) throw refuse(context, said, doesNotFit);
}

const nullOf: Partial<Record<Takes, Type>> = { any: text, number: decimal };

function argument(arg: Typed, row: FunctionRow, index: number, at: Expression, context: Context): Typed {
  const takes = row.takes[index]!;
  if (arg.type.kind === 'null') return literal(null, nullOf[takes] ?? ({ kind: takes } as Type), 'text');
  if (takes === 'any') {
    if (isConvertible(arg.type.kind, (row.gives as Type).kind)) return arg;
  } else if (takes === 'number') {
    if (['integer', 'decimal', 'double'].includes(arg.type.kind)) return arg;
  } else {
    const found = fitted(arg, { kind: takes } as Type, at, context);
    if (found) return found;
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
function parsedDate(said: Name, place: Place): Typed {
  const [arg] = said.args ?? [];
  if (said.args?.length !== 1 || arg?.kind !== 'literal' || arg.literal !== 'text')
    return applied(functionsNamed('Convert', 'ToDateTime'), [], said, place);
  const found = momentOf(arg.text, place.context);
  if (found) return found;
  throw refuse(place.context, arg, noDate(arg.text));
}
