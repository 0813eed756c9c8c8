/**
 * What resolving an expression needs to know, how large a value may become, and the refusal of what cannot be
 * understood.
 */
import type { CodeOf } from '../../error-codes.js';
import { type ApiError, badRequest, tooMuch } from '../../errors.js';
import type { Model } from '../../model/model.js';
import { cut } from '../../texts/quoted-text.js';
import { isKeyOf, longTextsOf, longTextsOfKey, tooManyLongTexts } from '../costly-values.js';
import { mostCompiledIn } from '../custom-operand.js';
import { timesOf } from '../functions/functions.js';
import { limits } from '../limits.js';
import type { CustomFieldCatalogue, Value } from '../meaning.js';
import type { Source } from '../parameters.js';
import { partsOf } from '../values.js';
import type { Expression } from './expression.js';

export interface Context {
  model: Model;
  catalogue: CustomFieldCatalogue;
  source: Pick<Source, 'parameter' | 'place'>;
  /** Of what was put in the place of others before. */
  weights: Map<Value, Weight>;
}

/** Where an expression stands: what `it` is, and how many collections lead here. */
export interface Place extends Context {
  it: Value;
  depth: number;
  /** What an expression means there. */
  resolve(expression: Expression, place: Place): Value;
}

interface Weight {
  /** How many parts it has, counted as often as they will be spelled. */
  parts: number;
  /** How many digits before the point its numbers have at most. */
  digits: number;
  /** How many texts without a limit of length it reads besides those that are shown as they are. */
  longTexts: number;
}

/** The value itself. Errors: 400 where it is too large, which is found out before all of it is looked at. */
export function weighed<T extends Value>(node: T, context: Context): T {
  weightOf(node, context);
  return node;
}

/** The same of what is put in the place of each `it` that follows. */
export function weighedOnce<T extends Value>(node: T, context: Context): T {
  context.weights.set(node, weightOf(node, context));
  return node;
}

function weightOf(node: Value, context: Context): Weight {
  if (node.kind === 'row') return ofRow;
  const weight = context.weights.size > 0 ? context.weights.get(node) : undefined;
  if (weight) return weight;
  const { parameter } = context.source;
  const weights: Weight[] = [];
  let parts = 1 + fieldsIn(node);
  const longTextsOfParts: number[] = [];
  for (const part of partsOf(node)) {
    const weight = weightOf(part, context);
    const times = timesSpelled(node, weights.length);
    parts += weight.parts * times;
    const longTexts = isKeyOf(node, part) ? longTextsOfKey(part, weight.longTexts) : weight.longTexts;
    longTextsOfParts.push(longTexts * times);
    if (parts > limits.meaning && node.kind !== 'call') throw tooManyParts(parameter);
    weights.push(weight);
  }
  const digits = digitsOf(node, weights);
  if (digits > limits.digits) throw tooMuch(parameter, 'numbers of too many digits', limits.digits);
  if (parts > limits.meaning) throw tooManyParts(parameter);
  const longTexts = longTextsOf(node, longTextsOfParts);
  if (longTexts > limits.longTexts) throw tooMuch(parameter, tooManyLongTexts, limits.longTexts);
  return { parts, digits, longTexts };
}

const tooManyParts = (parameter: string) =>
  tooMuch(parameter, 'too many parts once everything is put in its place', limits.meaning);

const ofRow: Weight = { parts: 1, digits: 0, longTexts: 0 };

/** What rows are sorted or grouped by, all together. Errors: 400 where too much of it is long. */
export function checkKeys(keys: readonly Value[], context: Context): void {
  const longTexts = keys.reduce((sum, key) => sum + longTextsOfKey(key, weightOf(key, context).longTexts), 0);
  if (longTexts > limits.longTexts) throw tooMuch(context.source.parameter, tooManyLongTexts, limits.longTexts);
}

export const digitsIn = (node: Value, context: Context): number => weightOf(node, context).digits;

/** What is spelled twice inside of what is spelled twice is spelled four times. */
function timesSpelled(node: Value, part: number): number {
  if (node.kind === 'call') return timesOf(node.function, node.args.length)[part]!;
  return node.kind === 'contains' && part === 1 ? 2 : 1;
}

/** What shows many fields at once is spelled as if each had been named; of many custom fields, as if each type had. */
function fieldsIn(node: Value): number {
  if (node.kind === 'customFields') {
    const types = node.groups.flatMap(({ fields }) => fields.map(({ type }) => type));
    return types.length <= mostCompiledIn ? types.length : new Set(types).size;
  }
  return node.kind === 'item' ? node.plan.members.length : 0;
}

/** Fields hold at most 19 digits; what is summed up is of at most 10^20 items. */
function digitsOf(node: Value, parts: readonly Weight[]): number {
  if (node.kind === 'literal') return typeof node.value === 'string' ? writtenDigits(node.value) : 0;
  if (node.kind === 'key') return node.digits;
  if (node.kind === 'call' && node.function.digits) return node.function.digits(...parts.map(({ digits }) => digits));
  const most = parts.reduce((sum, { digits }) => Math.max(sum, digits), 19);
  return node.kind === 'aggregate' ? most + 20 : most;
}

/** An exponent of a number that is a double is at most 308. */
const writtenDigits = (text: string): number => (/e/i.test(text) ? 309 : Math.min(text.length, 309));

/** The place counts characters from 0 in the parameter's decoded value. */
export function refuse(
  { source }: Context,
  { at }: Pick<Expression, 'at'>,
  message: string,
  code: CodeOf<'BadRequest'> = 'InvalidExpression',
): ApiError {
  const end = /[.?]$/.test(message) ? '' : '.';
  return badRequest(`${message}${end} (${source.parameter}, at ${source.place(at)})`, code);
}

// --- messages --------------------------------------------------------------------------------------------------------

export const missing = (what: 'Property' | 'Method', type: string, name: string, near?: string): string =>
  `${what} '${cut(name)}' does not exist in '${type}'.${near ? ` Did you mean '${near}'?` : ''}`;

export const noDate = (text: string): string =>
  `'${cut(text)}' is no date; expected one such as '2026-01-31' or '2026-01-31T12:00:00'`;

export const doesNotFit =
  'A value does not fit its place in an expression: a text that is no number, date or identifier, a number or date out of range, or a text too long';

export const incompatible = (operator: string, left: string, right: string): string =>
  `Operator '${operator}' incompatible with operand types '${left}' and '${right}'.`;
