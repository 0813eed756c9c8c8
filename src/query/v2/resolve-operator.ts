/**
 * Operators and functions: what they mean for the types of their sides or arguments, and which types they
 * refuse.
 */
import type { ResourceType } from '../../model/model.js';
import { numberText } from '../../texts/numbers.js';
import {
  bitsOf,
  conversion,
  exact,
  flagIn,
  isConversion,
  isConvertible,
  isList,
  isWholeNumber,
  ofValue,
} from '../functions/conversion.js';
import { addDays, addSpan, betweenMoments, subtractSpan } from '../functions/date.js';
import { datePattern, dateText } from '../functions/date-text.js';
import type { FunctionRow, Takes, WrittenValue } from '../functions/function-row.js';
import { functionsNamed, ofNumbers } from '../functions/functions.js';
import { arithmetic, negative } from '../functions/number.js';
import { concatenation, joinedAtOnce } from '../functions/text.js';
import type { Chain, Literal, Value } from '../meaning.js';
import { type Comparison, comparisonSigns, type PartRow, partOperators } from '../operators.js';
import { boolean, decimal, double, integer, isNumber, isScalar, type Type, text, typeName, wider } from '../types.js';
import { call, chainOf, compare, condition, isNull, itemOf, literal, negation, type Sides, series } from '../values.js';
import { asAnyText, asFraction, asText, fitted, idOf, momentOf, personOf, rowId, some } from './coerce.js';
import type { Expression, Name, Operator } from './expression.js';
import { type Context, doesNotFit, incompatible, noDate, type Place, refuse } from './resolving.js';

type At = Pick<Expression, 'at'>;

export function operation({ operator, at }: At & { operator: Operator }, sides: Sides, context: Context): Value {
  const comparison = comparisonSigns.get(operator);
  const result = comparison ? compared(comparison, sides, { at }, context) : reckoned(operator, sides, { at }, context);
  if (result) return result;
  const [left, right] = sides;
  throw refuse(context, { at }, incompatible(operator, typeName(left.type), typeName(right.type)) + hintFor(...sides));
}

/** What to compare instead, in a sentence behind others. */
export const hintFor = (...sides: readonly Value[]): string =>
  sides.some(isDescribed) ? " Compare its value, as in CustomValues.Get('Risk').value." : '';

/** What is shown of a custom field, of an entity that may be missing. */
const isDescribed = (of: Value): boolean => {
  const shown = of.kind === 'conditional' ? of.yes : of;
  return shown.kind === 'object' && shown.members.some(({ name }) => name === 'entityKind');
};

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
  const pair = comparable(asOrdered(operator, left), asOrdered(operator, right), at, context);
  if (pair) return compare(operator, pair);
  checkDates(left, right, at, context);
  checkDates(right, left, at, context);
  return undefined;
}

/** Choices of an enumeration are less and greater as texts are: any text may stand beside them. */
const asOrdered = (operator: Comparison, of: Value): Value =>
  operator !== 'eq' && operator !== 'ne' && of.type.kind === 'text' ? asAnyText(of) : of;

/** A text may stand beside a date, if it is one. */
function checkDates(of: Value, other: Value, at: At, context: Context): void {
  if (of.type.kind !== 'moment' || other.kind !== 'literal' || other.type.kind !== 'text') return;
  throw refuse(context, at, noDate(String(other.value)));
}

const ordered = new Set(['integer', 'decimal', 'double', 'text', 'moment', 'span', 'boolean']);

/** Both sides as one type; a literal becomes what the other side is. */
function comparable(one: Value, other: Value, at: At, context: Context): Sides | undefined {
  const [left, right] = [asFraction(one, other.type, context), asFraction(other, one.type, context)];
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

/** What a join that goes on has joined so far. */
const joinedBefore = (of: Value, { weights }: Context): readonly Value[] =>
  of.kind === 'call' && of.function === concatenation && of.args.length < joinedAtOnce && !weights.has(of)
    ? of.args
    : [of];

function reckoned(operator: Operator, [left, right]: Sides, at: At, context: Context): Value | undefined {
  const kinds = [left.type.kind, right.type.kind];
  if (operator === '&' || (operator === '+' && kinds.includes('text') && !isDated(left, right))) {
    return call(concatenation, [...joinedBefore(asText(left, at, context), context), asText(right, at, context)]);
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
    if (one.kind !== 'pointed' && other.kind !== 'pointed') return compare(operator, [rowId(one), rowId(other)]);
    const same = pointsAtSame([one, other], context);
    return operator === 'eq' ? same : negation(same);
  }
  const [of, number] = left.type.kind === 'entity' ? [left, right] : [right, left];
  const id = of.kind === 'pointed' ? fitted(number, { kind: 'integer' }, at, context) : undefined;
  return id && compare(operator, [idOf(of), id]);
}

/** What is there and no row of this kind is not the same as what is missing. */
function pointsAtSame([one, other]: Sides, context: Context): Value {
  const same = [sameRow(one, other)];
  if (one.kind === 'pointed' && other.kind === 'pointed')
    same.push(sameRow(personOf(one, context), personOf(other, context)));
  return series('or', [...same, series('and', [isNull(one), isNull(other)])]);
}

function sameRow(one: Value, other: Value): Value {
  const [left, right] = [rowId(one), rowId(other)];
  return series('and', [negation(isNull(left)), compare('eq', [left, right])]);
}

const rootOf = ({ type }: Value): ResourceType | undefined => (type.kind === 'entity' ? type.resource.root : undefined);

/** The entity of a custom field is an item or a person, whichever it is compared with. */
const asThat = (of: Value, other: Value, context: Context): Value =>
  of.kind === 'pointed' && rootOf(of) !== rootOf(other) ? personOf(of, context) : of;

// --- functions, and methods of single values -------------------------------------------------------------------------

export function functionCall(owner: string, node: Name, place: Place): Value | undefined {
  if (owner.toLowerCase() === 'datetime' && node.name.toLowerCase() === 'parse') return parsedDate(node, place);
  const rows = functionsNamed(owner, node.name);
  return rows.length === 0 ? undefined : applied(rows, [], node, place);
}

/** The row that takes as many arguments as are given; `self` are those that stand before the dot. */
function applied(rows: readonly FunctionRow[], self: readonly Value[], node: Name, place: Place): Value {
  const given = node.args ?? [];
  const row = rows.find(({ takes }) => takes.length === given.length);
  if (!row) {
    const counts = rows.map(({ takes }) => String(takes.length)).join(' or ');
    throw refuse(place, node, `${node.name} takes ${counts} arguments, found ${given.length}`);
  }
  const args = given.map((arg, index) => argument(place.resolve(arg, place), row, index, arg, place));
  checkFit(row, [...self, ...args], node, place);
  if (isList(row)) return listOf(row, args[0]!);
  if (isConversion(row)) return converted(row, args[0]!, given[0]!, place);
  return call(ofNumbers(row, args), [...self, ...asOneType(row, args, node, place)]);
}

/** Numbers that a function compares are of the widest type among them: the database might fail to make them so. */
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
    if (isNumber(arg.type)) return arg;
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
  const moment = momentOf(arg.text, place);
  if (moment) return moment;
  throw refuse(place, arg, noDate(arg.text));
}

/** A written text is the literal that it says. Errors: `Convert` refuses one that says none. */
function converted(row: FunctionRow, arg: Value, at: Expression, context: Context): Value {
  const type = row.gives as Type;
  if (arg.kind === 'literal' && typeof arg.value === 'string' && arg.type.kind === 'text' && type.kind !== 'text') {
    const written = arg.value.trim();
    const read = type.kind === 'moment' ? momentOf(written, context) : literalIn(written, row);
    if (read) return read;
    if (row.on === 'Convert')
      throw refuse(
        context,
        at,
        type.kind === 'integer' && isWhole(written)
          ? doesNotFit
          : `'${written.slice(0, 80)}' cannot be converted to '${typeName(type)}'`,
      );
  }
  return call(conversion(row, arg.type), [arg]);
}

const isWhole = (text: string): boolean => /^[+-]?\d+$/.test(text);

/** Without a plus: a minus may come before it. */
function literalIn(written: string, row: FunctionRow): Literal | undefined {
  if (row.gives === boolean) {
    const flag = flagIn(written, row);
    return flag === undefined ? undefined : literal(flag, boolean, 'boolean');
  }
  if (row.gives === integer) {
    const isFitting = isWhole(written) && isWholeNumber(written, bitsOf(row.name));
    return isFitting ? literal(String(BigInt(written.replace('+', ''))), integer, 'bigint') : undefined;
  }
  const number = numberText(written)?.replace(/^\+/, '');
  if (number === undefined) return undefined;
  return row.gives === double ? literal(number, double, 'double precision') : literal(number, decimal, 'numeric');
}

export function listOf(row: FunctionRow, owner: Value): Chain {
  const texts = chainOf({ kind: 'values', owner, list: Symbol() }, text);
  const projection = call(conversion(ofValue(row), text), [itemOf(texts)]);
  return { ...texts, projection, type: { kind: 'collection', item: projection.type } };
}

export function scalarMember(of: Value, node: Name, place: Place): Value | undefined {
  const name = node.name.toLowerCase();
  const isBare = (node.args?.length ?? 0) === 0;
  if (name === 'value' && isBare && of.type.kind !== 'link') return of;
  if (name === 'hasvalue' && isBare) return negation(isNull(of));
  if (name === 'tostring' && isBare && of.type.kind !== 'link') return asText(of, node, place);
  if (name === 'tostring' && of.type.kind === 'moment') return formatted(of, node, place);
  const partial = of.type.kind === 'text' && partOperators.find(({ method }) => method.toLowerCase() === name);
  if (partial) return contains(of, node, partial, place);
  const rows = functionsNamed(of.type.kind, node.name);
  return rows.length === 0 ? undefined : applied(rows, [of], node, place);
}

/** A date as a text of the form that is written there. */
function formatted(of: Value, node: Name, context: Context): Value {
  const [form] = node.args!;
  const pattern = form?.kind === 'literal' && form.literal === 'text' ? datePattern(form.text) : undefined;
  if (pattern !== undefined && node.args!.length === 1) return call(dateText(pattern), [of]);
  throw refuse(context, form ?? node, "ToString of a date takes a form such as 'yyyy-MM-dd HH:mm' or 'o'");
}

function contains(of: Value, node: Name, { wholeStart, wholeEnd }: PartRow, place: Place): Value {
  if (node.args?.length !== 1) throw refuse(place, node, `${node.name} takes one argument: a text`);
  const pattern = place.resolve(node.args[0]!, place);
  const part = pattern.type.kind === 'null' ? asText(pattern, node, place) : pattern;
  if (part.type.kind !== 'text') {
    throw refuse(place, node.args[0]!, `${node.name} expects 'String', found '${typeName(part.type)}'`);
  }
  return condition({ kind: 'contains', of, part, wholeStart, wholeEnd });
}
