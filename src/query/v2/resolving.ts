/** What resolving an expression needs to know, and how typed expressions are made: each counted, none too large. */
import { tooMuch } from '../../errors.js';
import type { Model } from '../../model/model.js';
import { timesOf } from '../functions/functions.js';
import { limits } from '../limits.js';
import type { CustomFieldCatalogue } from '../meaning.js';
import { type Chain, type Literal, type Of, type Value } from '../meaning.js';
import { partsOf } from '../parts.js';
import type { Type } from '../types.js';
import { writtenDigits } from '../values.js';
import type { Expression } from './expression.js';
import { expressionError } from './messages.js';
import { Source } from './scan-expression.js';

export interface Context {
  model: Model;
  catalogue: CustomFieldCatalogue;
  source: Pick<Source, 'parameter' | 'place'>;
}

/** Where an expression stands: what `it` is, and how many collections lead here. */
export interface Place {
  context: Context;
  it: Value;
  depth: number;
  /** What an expression means there. */
  resolve(expression: Expression, place: Place): Value;
}

/** What is spelled twice inside of what is spelled twice is spelled four times. */
function timesSpelled(node: Value, part: number): number {
  if (node.kind === 'call') return timesOf(node.function, node.args.length)[part]!;
  return node.kind === 'contains' && part === 1 ? 2 : 1;
}

type Unsized<T> = T extends Value ? Omit<T, 'size' | 'digits'> : never;

/** Counts a value that was just put together. */
export function made<Kind extends Value['kind']>(
  node: { kind: Kind } & Unsized<Of<Kind>>,
  { source }: Context,
): Of<Kind> {
  const sized = node as unknown as Of<Kind>;
  const parts = partsOf(sized);
  sized.size = parts.reduce((sum, part, at) => sum + part.size * timesSpelled(sized, at), 1 + fieldsIn(sized));
  sized.digits = digitsOf(sized, parts);
  if (sized.digits > limits.digits) throw tooMuch(source.parameter, 'numbers of too many digits', limits.digits);
  if (sized.size > limits.meaning) {
    throw tooMuch(source.parameter, 'too many parts once everything is put in its place', limits.meaning);
  }
  return sized;
}

/** What shows many fields at once is spelled as if each had been named. */
function fieldsIn(node: Value): number {
  if (node.kind === 'customFields') return node.groups.reduce((sum, { fields }) => sum + fields.length, 0);
  return node.kind === 'item' ? node.plan.members.length : 0;
}

/** Fields hold at most 19 digits; what is summed up is of at most 10^20 items. */
function digitsOf(node: Value, parts: readonly Value[]): number {
  const digits = parts.map((part) => part.digits);
  if (node.kind === 'call' && node.function.digits) return node.function.digits(...digits);
  return Math.max(19, ...digits) + (node.kind === 'aggregate' ? 20 : 0);
}

export const refuse = ({ source }: Context, { at }: Pick<Expression, 'at'>, message: string) =>
  expressionError(message, source.parameter, source.place(at));

export const rootChain = (row: Of<'row'>): Chain => ({
  kind: 'chain',
  source: 'root',
  filters: [],
  order: [],
  isDistinct: false,
  type: { kind: 'collection', item: row.type },
  nullable: false,
  size: 1,
  digits: 0,
});

export const literal = (value: Literal['value'], type: Type, sqlType: Literal['sqlType']): Literal => ({
  kind: 'literal',
  value,
  type,
  sqlType,
  nullable: value === null,
  size: 1,
  digits: typeof value === 'string' ? writtenDigits(value) : 0,
});

export const nothing = (): Literal => literal(null, { kind: 'null' }, 'text');
