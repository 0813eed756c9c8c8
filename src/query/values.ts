/** Makes values of the row at hand. Version 2 counts what it makes (`made`); the limits of version 1 are those of its text. */
import type { ReferenceField, ResourceType, ScalarField } from '../model/model.js';
import type { CustomFieldType, Of, Operand, Value } from './meaning.js';
import { entity, ofScalar, type Type, text } from './v2/types.js';

const single = { size: 1, digits: 0 };

export const rowOf = (resource: ResourceType): Of<'row'> => ({
  kind: 'row',
  type: entity(resource),
  nullable: false,
  ...single,
});

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

const typeOf = (operand: Operand): Type =>
  operand.kind === 'field' ? scalarType(operand.field) : (customTypes[operand.type] ?? text);

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
