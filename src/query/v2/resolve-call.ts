/** Calls of functions and methods: which row is meant, and what its arguments are turned into. */
import type { Value } from '../meaning.js';
import { fitted, momentOf } from './coerce.js';
import type { Expression, Name } from './expression.js';
import type { FunctionRow, Takes } from './function-row.js';
import { functionsNamed } from './functions.js';
import { exact, isConversion, isConvertible } from './functions-conversion.js';
import { isList } from './functions-list.js';
import { doesNotFit, noDate } from './messages.js';
import { call } from './nodes.js';
import { converted } from './resolve-conversion.js';
import { listOf } from './resolve-list.js';
import { type Context, literal, type Place, refuse } from './resolving.js';
import { decimal, type Type, text, typeName, wider } from './types.js';

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
