/** Makes values of the row at hand. Version 2 counts what it makes (`made`); the limits of version 1 are those of its text. */
import type { CollectionField, ReferenceField, ResourceType, ScalarField } from '../model/model.js';
import { dayFromToday, today } from './functions/date.js';
import type { Written } from './literals.js';
import type { Chain, Common, Condition, CustomFieldType, Literal, Of, Operand, Value } from './meaning.js';
import type { Comparison } from './operators.js';
import { boolean, entity, integer, moment, ofScalar, type Type, text } from './types.js';

const single = { size: 1, digits: 0 };

export const rowOf = (resource: ResourceType): Of<'row'> => ({
  kind: 'row',
  type: entity(resource),
  nullable: false,
  ...single,
});

/** The id of the entity that is asked for. */
const lateId: Of<'late'> = { kind: 'late', late: 'id', type: integer, nullable: false, ...single };

export const fieldOf = (of: Value, operand: Operand): Of<'field'> => ({
  kind: 'field',
  of,
  operand,
  type: typeOf(operand),
  nullable: of.nullable || operand.kind === 'custom' || operand.field.isNullable || operand.field.isPrivate,
  ...single,
});

export const referenceOf = (of: Value, field: ReferenceField): Of<'reference'> => ({
  kind: 'reference',
  of,
  field,
  type: entity(field.target),
  nullable: true,
  ...single,
});

export const collectionOf = (owner: Value, field: CollectionField, filters: readonly Value[] = []): Chain => ({
  kind: 'chain',
  source: { kind: 'field', owner, field },
  filters,
  order: [],
  isDistinct: false,
  type: { kind: 'collection', item: entity(field.target) },
  nullable: owner.nullable,
  ...single,
});

const sure = { type: boolean, nullable: false, ...single };

/** A condition is never null where it is a value. */
export const condition = <Kind extends Value['kind']>(node: { kind: Kind } & Bare<Of<Kind>>): Of<Kind> =>
  Object.assign(node as unknown as Of<Kind>, sure);

type Bare<T> = T extends Value ? Omit<T, keyof Common> : never;

export const negation = (of: Value): Of<'not'> => condition({ kind: 'not', of });

/** The key column of a reference, as a value of the row that holds it. */
export const keyOf = (field: ReferenceField): ScalarField => ({
  kind: 'scalar',
  name: field.name,
  property: field.property,
  scalar: 'id',
  column: field.column,
  isNullable: field.isNullable,
  isRequired: false,
  isSettable: false,
  isSynthetic: false,
  isWriteOnly: false,
  isPrivate: false,
  isVersion: false,
  isDeprecated: false,
  description: '',
});

/** What was written, as a value. */
export function valueFrom(
  read: Written,
  type: Type,
  bind = (value: string | boolean): Literal['value'] => value,
): Value {
  if (!('days' in read)) {
    const { value, sqlType, isOption } = read;
    const digits = typeof value === 'string' ? writtenDigits(value) : 0;
    return { kind: 'literal', value: bind(value), sqlType, isOption, type, nullable: false, size: 1, digits };
  }
  const days: Literal = {
    kind: 'literal',
    value: String(read.days),
    sqlType: 'int',
    type: integer,
    nullable: false,
    ...single,
  };
  const [row, args] = read.days === 0 ? [today, []] : [dayFromToday, [days]];
  return { kind: 'call', function: row, args, type: moment, nullable: false, ...single };
}

/** An exponent of a number that is a double is at most 308. */
export const writtenDigits = (text: string): number => (/e/i.test(text) ? 309 : Math.min(text.length, 309));

const typeOf = (operand: Operand): Type => {
  if (operand.kind === 'field') return scalarType(operand.field);
  const { type, options = [] } = operand;
  return customTypes[type] ?? (options.length > 0 ? { kind: 'text', options } : text);
};

const scalarType = ({ scalar, choices }: ScalarField): Type =>
  scalar === 'choice' ? { kind: 'text', choices: choices ?? [] } : ({ kind: ofScalar[scalar] } as Type);

const customTypes: Partial<Record<CustomFieldType, Type>> = {
  Number: { kind: 'decimal' },
  Money: { kind: 'decimal' },
  CheckBox: { kind: 'boolean' },
  Date: { kind: 'moment' },
  Entity: { kind: 'integer' },
  URL: { kind: 'link' },
};

/** What `it` is inside the methods of a collection. */
export const itemOf = ({ projection, source, type }: Chain): Value => {
  if (projection) return projection;
  const item = { type: (type as Extract<Type, { kind: 'collection' }>).item, nullable: false, size: 1, digits: 0 };
  const isValue = source !== 'root' && source.kind === 'values';
  return isValue ? { kind: 'element', list: source.list, ...item } : { kind: 'row', ...item };
};

export const isCut = ({ take, skip }: Chain): boolean => take !== undefined || skip !== undefined;

/** The one entity that is asked for. */
export const isAskedFor = (resource: ResourceType): Condition => comparedId(resource, 'eq');

/** Those behind one, in the order of Ids. */
export const isBehind = (resource: ResourceType): Condition => comparedId(resource, 'gt');

function comparedId(resource: ResourceType, operator: Comparison): Condition {
  const left = fieldOf(rowOf(resource), { kind: 'field', field: resource.idField });
  return condition({ kind: 'compare', operator, left, right: lateId });
}
