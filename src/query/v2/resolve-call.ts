/** Calls of functions, and of methods of single values: which row is meant, and what its arguments are turned into. */

import {
  bitsOf,
  conversion,
  exact,
  isConversion,
  isConvertible,
  isList,
  isWholeNumber,
  ofValue,
} from '../functions/conversion.js';
import type { FunctionRow, Takes, WrittenValue } from '../functions/function-row.js';
import { functionsNamed } from '../functions/functions.js';
import type { Chain, Value } from '../meaning.js';
import { type PartRow, partOperators } from '../operators.js';
import { decimal, type Type, text, typeName, wider } from '../types.js';
import { call, chainOf, condition, isNull, itemOf, literal, negation } from '../values.js';
import { asText, fitted, momentOf } from './coerce.js';
import type { Expression, Name } from './expression.js';
import { doesNotFit, noDate } from './messages.js';
import { type Context, type Place, refuse } from './resolving.js';

export function functionCall(owner: string, node: Name, place: Place): Value | undefined {
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
  const args = given.map((arg, index) => argument(place.resolve(arg, place), row, index, arg, context));
  checkFit(row, [...self, ...args], node, context);
  if (isList(row)) return listOf(row, args[0]!);
  if (isConversion(row)) return converted(row, args[0]!, given[0]!, context);
  return call(row, [...self, ...asOneType(row, args, node, context)]);
}

/**
 * Numbers that a function compares are of the widest type among them, or the database would make them so and might
 * fail.
 */
function asOneType({ takes }: FunctionRow, args: readonly Value[], node: Name, context: Context): readonly Value[] {
  if (takes.length < 2 || takes.some((one) => one !== 'number')) return args;
  const type = args.map((arg) => arg.type).reduce(wider);
  return args.map((arg) => fitted(arg, type, node, context) ?? arg);
}

/** What is written down and fits nowhere is refused at once. */
function checkFit(row: FunctionRow, args: readonly Value[], node: Name, context: Context): void {
  const written = args.map((arg) => (arg.kind === 'literal' ? (arg.value as WrittenValue) : undefined));
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
    if (takes === 'decimal' && arg.type.kind === 'double') return call(exact, [arg]);
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

function converted(row: FunctionRow, arg: Value, at: Expression, context: Context): Value {
  if (row.on === 'Convert' && arg.kind === 'literal' && arg.type.kind === 'text') {
    const written = String(arg.value).trim();
    const type = row.gives as Type;
    if (type.kind === 'moment') {
      const moment = momentOf(written, context);
      if (moment) return moment;
    }
    if (!forms[type.kind]?.test(written))
      throw refuse(context, at, `'${written.slice(0, 80)}' cannot be converted to '${typeName(type)}'`);
    if (type.kind === 'integer' && !isWholeNumber(written, bitsOf(row.name))) throw refuse(context, at, doesNotFit);
  }
  return call(conversion(row, arg.type), [arg]);
}

const number = /^[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,2})?$/i;

/** No text is a date that `momentOf` does not read. */
const forms: Partial<Record<Type['kind'], RegExp>> = {
  integer: /^[+-]?\d+$/,
  decimal: number,
  double: number,
  boolean: /^(true|false|t|f|yes|no|y|n|on|off|1|0)$/i,
  text: /^/,
};

export function listOf(row: FunctionRow, owner: Value): Chain {
  const texts = chainOf({ kind: 'values', owner, list: Symbol() }, text);
  const projection = call(conversion(ofValue(row), text), [itemOf(texts)]);
  return { ...texts, projection, type: { kind: 'collection', item: projection.type } };
}

export function scalarMember(of: Value, node: Name, place: Place): Value | undefined {
  const { context } = place;
  const name = node.name.toLowerCase();
  const isBare = (node.args?.length ?? 0) === 0;
  if (name === 'value' && isBare && of.type.kind !== 'link') return of;
  if (name === 'hasvalue' && isBare) return negation(isNull(of));
  if (name === 'tostring' && isBare && of.type.kind !== 'link') return asText(of, node, context);
  const partial = of.type.kind === 'text' && partOperators.find(({ method }) => method.toLowerCase() === name);
  if (partial) return contains(of, node, partial, place);
  const rows = functionsNamed(of.type.kind, node.name);
  return rows.length === 0 ? undefined : applied(rows, [of], node, place);
}

function contains(of: Value, node: Name, { wholeStart, wholeEnd }: PartRow, place: Place): Value {
  const { context } = place;
  if (node.args?.length !== 1) throw refuse(context, node, `${node.name} takes one argument: a text`);
  const pattern = place.resolve(node.args[0]!, place);
  const part = pattern.type.kind === 'null' ? asText(pattern, node, context) : pattern;
  if (part.type.kind !== 'text') {
    throw refuse(context, node.args[0]!, `${node.name} expects 'String', found '${typeName(part.type)}'`);
  }
  return condition({ kind: 'contains', of, part, wholeStart, wholeEnd });
}
