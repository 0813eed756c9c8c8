/**
 * Schemas of a resource, made from its fields: an item as it is answered, a page of items, and an item as it may be
 * sent.
 */
import type { CollectionField, Field, ReferenceField, ResourceType } from '../../model/model.js';
import { isClearable } from '../../model/sent-fields.js';
import { refTo, type Schema } from './openapi-types.js';
import { answeredScalar, idSchema, remarks, sentScalar, withNull, wrapped } from './value-schemas.js';

export const itemName = ({ name }: ResourceType): string => name;
/** The same of a collection of an entity, which is not answered line by line. */
export const innerListName = ({ name }: ResourceType): string => `${name}InnerList`;
export const pageName = ({ name }: ResourceType): string => `${name}Page`;
/** A page in any of its formats. */
export const listName = ({ name }: ResourceType): string => `${name}List`;
export const inputName = ({ name }: ResourceType): string => `${name}Input`;

export const isWritten = ({ settings: { operations } }: ResourceType): boolean =>
  operations.create || operations.update;

/** By name in the components of the document. */
export function resourceSchemas(resource: ResourceType): Record<string, Schema> {
  return {
    [itemName(resource)]: answeredItem(resource),
    [pageName(resource)]: answeredPage(resource),
    ...(isWritten(resource) && { [inputName(resource)]: sentItem(resource) }),
  };
}

/** What is selected is there; nothing but the type and the Id always is. */
function answeredItem(resource: ResourceType): Schema {
  const fields = [...resource.fields, ...resource.commonKindFields.map(asKindField)];
  const shown = fields.filter((field) => field.kind !== 'scalar' || !field.isWriteOnly);
  const { answeredOnCreate: once } = resource.settings;
  return {
    type: 'object',
    description: resource.settings.description,
    properties: {
      ResourceType: { type: 'string', const: resource.name, xml: { attribute: true } },
      ...Object.fromEntries(shown.map((field) => [field.name, answeredField(field)])),
      ...(resource.settings.customFields && {
        CustomFields: wrapped(refTo('schemas', 'CustomValue'), 'Field'),
      }),
      ...(once && { [once.name]: { type: 'string', description: once.description } }),
    },
    // Numbers over collections, which are appended by request.
    patternProperties: { [appended]: { anyOf: [{ type: ['number', 'null'] }, refTo('schemas', 'Date')] } },
    required: ['ResourceType', 'Id'],
  };
}

const appended = '^[A-Za-z]+(-[A-Za-z]+)?-(Count|Sum|Avg|Min|Max)$';

/** Items of the other kinds do not have it. */
const asKindField = (field: Field): Field => (field.kind === 'collection' ? field : { ...field, isNullable: true });

function answeredField(field: Field): Schema {
  if (field.kind === 'collection') return { ...refTo('schemas', pageName(field.target)), ...remarks(field) };
  if (field.kind === 'reference') {
    return { ...withNull({ ...refTo('schemas', itemName(field.target)) }), ...remarks(field) };
  }
  const isAttribute = field.name === 'Id' || field.name === 'Name';
  return { ...answeredScalar(field), ...(isAttribute && { xml: { attribute: true } }) };
}

const link: Schema = { type: 'string', format: 'uri', xml: { attribute: true } };

const answeredPage = (resource: ResourceType): Schema =>
  pageOf({ ...refTo('schemas', itemName(resource)), xml: { name: resource.name } });

export const pageOf = (items: Schema): Schema => ({
  type: 'object',
  properties: {
    Prev: { ...link, description: 'The page before this one, where there is one.' },
    Next: { ...link, description: 'The page behind this one, where there is one.' },
    Items: { type: 'array', items },
  },
  required: ['Items'],
});

function sentItem(resource: ResourceType): Schema {
  const { fields, settings } = resource;
  const sent = fields.flatMap((field) => {
    const schema = sentField(field, resource);
    return schema ? [[field.name, schema] as const] : [];
  });
  return {
    type: 'object',
    description: `What may be sent of ${resource.name}. Only what is sent changes.`,
    xml: { name: resource.name },
    properties: {
      Id: { ...idSchema, description: 'Of an entity that is there already.', xml: { attribute: true } },
      ...Object.fromEntries(sent),
      ...(settings.customFields && {
        CustomFields: wrapped(refTo('schemas', 'CustomValueInput'), 'Field'),
      }),
    },
  };
}

function sentField(field: Field, resource: ResourceType): Schema | undefined {
  if (field.kind === 'collection') return sentCollection(field);
  if (!field.isSettable) return undefined;
  return field.kind === 'scalar' ? sentScalar(field) : sentReference(field, resource);
}

function sentReference(field: ReferenceField, resource: ResourceType): Schema {
  const name = field.target.settings.isNameable ? 'NameableReferenceInput' : 'ReferenceInput';
  return { ...withNull({ ...refTo('schemas', name) }, isClearable(field, resource)), ...remarks(field) };
}

function sentCollection(field: CollectionField): Schema | undefined {
  if (!field.canAdd && !field.joinedBy) return undefined;
  const isByItem = field.canAdd && isWritten(field.target);
  const item = refTo('schemas', isByItem ? inputName(field.target) : 'ReferenceInput');
  const list = wrapped(item, field.target.name);
  const { xml: _, ...items } = list;
  return {
    anyOf: [{ type: 'object', properties: { Items: items }, required: ['Items'] }, list],
    ...remarks(field),
  };
}
