/** Schemas of values: how each kind of scalar, a custom field and a date look in answers and in bodies. */
import { greatestId } from '../../model/ids.js';
import type { ScalarField } from '../../model/model.js';
import type { ScalarKind } from '../../model/scalars.js';
import { fieldTypes } from '../custom-fields/custom-field.entity.js';
import { refTo, type Schema } from './openapi-types.js';

const id: Schema = { type: 'integer', format: 'int64', minimum: 0, maximum: greatestId };

const scalarSchemas: Record<ScalarKind, Schema> = {
  text: { type: 'string' },
  richText: { type: 'string' },
  choice: { type: 'string' },
  id,
  integer: { type: 'integer', format: 'int32' },
  long: { type: 'integer', format: 'int64' },
  decimal: { type: 'number' },
  double: { type: 'number', format: 'double' },
  flag: { type: 'boolean' },
  moment: refTo('schemas', 'Date'),
};

const bounds: Partial<Record<ScalarKind, Schema>> = {
  integer: { minimum: -2147483648, maximum: 2147483647 },
  decimal: { exclusiveMinimum: -1e14, exclusiveMaximum: 1e14 },
  moment: refTo('schemas', 'DateInput'),
};

/** A list that is an element of its own in XML, with an element of that name for each of them. */
export const wrapped = (items: Schema, name: string): Schema => ({
  type: 'array',
  items: { ...items, xml: { name } },
  xml: { wrapped: true },
});

/** As it is answered. */
export function answeredScalar(field: ScalarField): Schema {
  const isNullable = field.isNullable || field.isPrivate;
  return { ...withNull(kindSchema(field), isNullable), ...remarks(field) };
}

/** As it may be sent. */
export function sentScalar(field: ScalarField): Schema {
  const { scalar, maxLength } = field;
  const length = maxLength === undefined ? {} : { maxLength };
  const schema = { ...kindSchema(field), ...length, ...bounds[scalar] };
  // Null of what has a value from the start means that.
  return { ...withNull(schema, !field.isRequired), ...remarks(field) };
}

const kindSchema = ({ scalar, choices }: ScalarField): Schema => ({
  ...scalarSchemas[scalar],
  ...(choices && { enum: choices }),
});

/** The same, or null. */
export function withNull(schema: Schema, isNullable = true): Schema {
  if (!isNullable) return schema;
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const choices = schema.enum as readonly unknown[] | undefined;
  return { ...schema, type: [schema.type, 'null'], ...(choices && { enum: [...choices, null] }) };
}

/** What the declaration of a field adds to its schema. */
export const remarks = ({ description, isDeprecated }: Pick<ScalarField, 'description' | 'isDeprecated'>): Schema => ({
  ...(description && { description }),
  ...(isDeprecated && { deprecated: true }),
});

const text: Schema = { type: ['string', 'null'] };

const customValues: Record<(typeof fieldTypes)[number], Schema> = {
  Text: text,
  DropDown: text,
  CheckBox: { type: ['boolean', 'null'] },
  URL: {
    type: ['object', 'null'],
    properties: { Url: { type: 'string' }, Label: { type: ['string', 'null'] } },
    required: ['Url'],
  },
  Date: withNull(refTo('schemas', 'Date')),
  RichText: text,
  Number: { type: ['number', 'null'] },
  Entity: {
    type: ['object', 'null'],
    properties: { Id: id, Kind: { type: 'string' }, Name: text },
    required: ['Id', 'Kind'],
  },
  MultipleSelectionList: text,
  TemplatedURL: text,
  MultipleEntities: text,
  Money: { type: ['number', 'null'] },
};

const customField = (type: string, value: Schema): Schema => ({
  type: 'object',
  properties: {
    Name: { type: 'string' },
    Type: { type: 'string', const: type, xml: { attribute: true } },
    Value: value,
  },
  required: ['Name', 'Type', 'Value'],
});

export const valueSchemas: Readonly<Record<string, Schema>> = {
  Date: {
    type: 'string',
    description:
      'An instant. As `/Date(milliseconds+offset)/`; with `dateformat=iso` as ISO 8601 with the offset, with `isodate=1` as local time of the service.',
    pattern: '^(/Date\\(-?\\d+[+-]\\d{4}\\)/|\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([+-]\\d{2}:\\d{2})?)$',
    examples: ['/Date(1714644672000+0200)/', '2024-05-02T12:11:12+02:00', '2024-05-02T12:11:12'],
  },
  DateInput: {
    type: 'string',
    description:
      'A day or an instant: ISO 8601, `24-Oct-2015`, or `/Date(milliseconds)/`. Without a zone it is meant in that of the service.',
    pattern:
      '^(\\d{4}-\\d{2}-\\d{2}([Tt ]\\d{2}:\\d{2}(:\\d{2}([.,]\\d{1,9})?)?\\s*([Zz]|[+-]\\d{2}(:?\\d{2})?)?)?|\\d{1,2}-[A-Za-z]{3}-\\d{4}|/Date\\(-?\\d{1,15}([+-]\\d{4})?\\)/)$',
    examples: ['2026-01-31', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00', '/Date(1714644672000)/'],
  },
  CustomValue: {
    description: 'A custom field of an item. Every field that its process and kind have is there; unset ones are null.',
    oneOf: Object.entries(customValues).map(([type, value]) => customField(type, value)),
  },
  CustomValueInput: {
    type: 'object',
    description: 'A custom field by its name. Null clears it.',
    properties: {
      Name: { type: 'string' },
      Value: {
        anyOf: [
          { type: ['string', 'number', 'boolean', 'null'] },
          { type: 'object' },
          { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'object' }] } },
        ],
      },
    },
    required: ['Name', 'Value'],
  },
  ReferenceInput: {
    type: 'object',
    description: 'Names an existing entity by its Id.',
    properties: { Id: id },
    required: ['Id'],
  },
  NameableReferenceInput: {
    type: 'object',
    description: 'Names an existing entity by its Id or by its Name.',
    properties: { Id: id, Name: { type: 'string' } },
    anyOf: [{ required: ['Id'] }, { required: ['Name'] }],
  },
  EntityName: {
    type: 'object',
    description: 'The kind and id of an entity.',
    properties: { ResourceType: { type: 'string' }, Id: id },
    required: ['ResourceType', 'Id'],
  },
  EntityNames: {
    type: 'object',
    properties: { Items: { type: 'array', items: refTo('schemas', 'EntityName') } },
    required: ['Items'],
  },
};

export const idSchema = id;
