/** The types of expressions, and what clients of this API call them. */
import type { ResourceType } from '../model/model.js';
import type { ScalarKind } from '../model/scalars.js';

export type Type =
  /** Of an enumeration the choices are known; of a drop-down list what may be chosen now, among other texts. */
  | { kind: 'text'; choices?: readonly string[]; options?: readonly string[] }
  | { kind: SimpleKind }
  | { kind: 'entity'; resource: ResourceType }
  | { kind: 'collection'; item: Type }
  /** The values of custom fields of an item, by name. */
  | { kind: 'customValues'; resource: ResourceType };

/** A link is a custom field that holds an address: it is shown and can be tested for null. */
export type SimpleKind = 'integer' | 'decimal' | 'double' | 'boolean' | 'moment' | 'span' | 'link' | 'null' | 'object';
export type Kind = Type['kind'];

export const text: Type = { kind: 'text' };
export const integer: Type = { kind: 'integer' };
export const decimal: Type = { kind: 'decimal' };
export const double: Type = { kind: 'double' };
export const boolean: Type = { kind: 'boolean' };
export const moment: Type = { kind: 'moment' };
export const span: Type = { kind: 'span' };
export const entity = (resource: ResourceType): Type => ({ kind: 'entity', resource });

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
