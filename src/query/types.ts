/** The types of expressions, what clients of this API call them, and which written texts are values of them. */
import type { ResourceType } from '../model/model.js';
import { type ScalarKind, scalars } from '../model/scalars.js';
import type { SqlType } from '../sql.js';
import { withOffset } from '../texts/local-times.js';
import { parseMoment } from '../texts/moments.js';
import { numberText } from '../texts/numbers.js';
import { wholeNumber } from '../texts/whole-numbers.js';

export type Type =
  /** Of an enumeration the choices are known; of a drop-down list what may be chosen now, among other texts. */
  | { kind: 'text'; choices?: readonly string[]; options?: readonly string[] }
  | { kind: SimpleKind }
  | { kind: 'entity'; resource: ResourceType }
  | { kind: 'collection'; item: Type }
  /** The values of custom fields of an item, by name. */
  | { kind: 'customValues'; resource: ResourceType };

/** A link is a custom field that holds an address: it is shown and can be tested for null. */
type SimpleKind = 'integer' | 'decimal' | 'double' | 'boolean' | 'moment' | 'span' | 'link' | 'null' | 'object';
export type Kind = Type['kind'];
export type OfKind<K extends Kind> = Extract<Type, { kind: K }>;

export const text: Type = { kind: 'text' };
export const integer: Type = { kind: 'integer' };
export const decimal: Type = { kind: 'decimal' };
export const double: Type = { kind: 'double' };
export const boolean: Type = { kind: 'boolean' };
export const moment: Type = { kind: 'moment' };
export const span: Type = { kind: 'span' };
export const entity = (resource: ResourceType): OfKind<'entity'> => ({ kind: 'entity', resource });

const names: Record<Exclude<Kind, 'entity' | 'collection'>, string> = {
  text: 'String',
  integer: 'Int32',
  decimal: 'Decimal',
  double: 'Double',
  boolean: 'Boolean',
  moment: 'DateTime',
  span: 'TimeSpan',
  link: 'Link',
  null: 'null',
  object: 'Object',
  customValues: 'CustomValues',
};

export function typeName(type: Type): string {
  if (type.kind === 'entity') return type.resource.name;
  return type.kind === 'collection' ? `IEnumerable<${typeName(type.item)}>` : names[type.kind];
}

/** From the narrowest to the widest. */
export const numbers: readonly Kind[] = ['integer', 'decimal', 'double'];

export const isNumber = ({ kind }: Type): boolean => numbers.includes(kind);

export const wider = (one: Type, other: Type): Type =>
  numbers.indexOf(one.kind) >= numbers.indexOf(other.kind) ? one : other;

/** Types of single values: what can be compared, sorted by and converted. */
export const isScalar = ({ kind }: Type): boolean =>
  !['entity', 'collection', 'customValues', 'object', 'link'].includes(kind);

export const ofScalar: Record<ScalarKind, SimpleKind | 'text'> = {
  text: 'text',
  richText: 'text',
  choice: 'text',
  id: 'integer',
  integer: 'integer',
  long: 'integer',
  decimal: 'decimal',
  double: 'double',
  flag: 'boolean',
  moment: 'moment',
};

/** How single values are shown. */
export const shownAs: Partial<Record<Kind, ScalarKind>> = {
  text: 'text',
  integer: 'long',
  decimal: 'decimal',
  double: 'double',
  boolean: 'flag',
  moment: 'moment',
  null: 'text',
};

/** Text that compares without regard to case; names of an enumeration have one spelling. */
export const isFreeText = (type: Type): boolean => type.kind === 'text' && !type.choices;

/** Two of them are the same or not, however they are shown. */
export const isComparable = (type: Type): boolean => isScalar(type) || type.kind === 'entity';

// --- written values --------------------------------------------------------------------------------------------------

/** A day is so many days from today. */
export type Written = { value: string | boolean; sqlType: SqlType; isOption?: boolean } | { days: number };

/** Undefined: the text is no value of the type. */
export function written(text: string, type: Type, timeZone: string): Written | undefined {
  switch (type.kind) {
    case 'text':
      return type.choices ? chosen(text, type.choices) : optional(text, type.options);
    case 'link':
      return { value: text, sqlType: 'text' };
    case 'integer': {
      const digits = wholeNumber(text);
      return digits === undefined ? undefined : { value: withinBigint(digits), sqlType: 'bigint' };
    }
    case 'decimal':
      return number(text, 'numeric');
    case 'double':
      return number(text, 'double precision');
    case 'boolean': {
      const value = flags.get(text.trim().toLowerCase());
      return value === undefined ? undefined : { value, sqlType: 'boolean' };
    }
    case 'moment': {
      const moment = parseMoment(text);
      if (moment?.kind !== 'moment') return moment;
      return { value: withOffset(moment.text, timeZone), sqlType: scalars.moment.sqlType };
    }
    case 'span':
    case 'null':
    case 'object':
    case 'entity':
    case 'collection':
    case 'customValues':
      return undefined;
  }
}

/** In any letter case. */
export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** As it is stored, in whatever letter case it was written. */
function chosen(text: string, choices: readonly string[]): Written | undefined {
  const value = choices.find((one) => isSame(one, text));
  return value === undefined ? undefined : { value, sqlType: 'text' };
}

/** An option that processes spell in different cases is compared as other texts are. */
function optional(text: string, options: readonly string[] = []): Written {
  const [option, ...others] = options.filter((one) => isSame(one, text));
  const isOption = option !== undefined && others.every((one) => one === option);
  return isOption ? { value: option, sqlType: 'text', isOption } : { value: text, sqlType: 'text' };
}

/** No row holds the ends of the range, so what lies beyond compares as they do. */
function withinBigint(digits: string): string {
  if (digits.length <= 18) return digits;
  const number = BigInt(digits);
  return String(BigInt.asIntN(64, number) === number ? number : number < 0n ? -(2n ** 63n) : 2n ** 63n - 1n);
}

function number(text: string, sqlType: SqlType): Written | undefined {
  const value = numberText(text);
  return value === undefined ? undefined : { value, sqlType };
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);
