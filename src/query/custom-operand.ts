/** A custom field by the name that a client wrote, as it is defined. */
import { unknownField } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import { nearest } from '../texts/near.js';
import type { CustomFieldCatalogue, CustomFieldDefinition, CustomFieldType, Operand } from './meaning.js';
import { isSame } from './types.js';

type CustomOperand = Extract<Operand, { kind: 'custom' }> & { options: readonly string[] };

/**
 * Definitions of one name may differ between processes; where their types do, values are compared as text, unless all
 * are numbers.
 */
export function customOperand(name: string, resource: ResourceType, catalogue: CustomFieldCatalogue): CustomOperand {
  const all = definitionsOf(resource, catalogue);
  const definitions = all.filter((field) => isSame(field.name, name));
  const first = definitions[0];
  if (!first) {
    const names = all.map((field) => field.name);
    const near = nearest(name, names);
    throw unknownField(resource.name, `CustomFields.${name}`, near && `CustomFields.${near}`);
  }
  // Both are numbers.
  const types = new Set(definitions.map((field) => (field.type === 'Money' ? 'Number' : field.type)));
  const type: CustomFieldType = types.size === 1 ? first.type : 'Text';
  const target = definitions.find((field) => field.target)?.target;
  const isMixed = types.size > 1;
  const options = definitions.flatMap((field) => field.options);
  const spellings = [...new Set(definitions.map((field) => field.name))].filter((one) => one !== first.name);
  return {
    ...{ kind: 'custom', name: first.name, type, column: 'custom_values', options },
    ...(isMixed && { isMixed }),
    ...(spellings.length > 0 && { spellings }),
    ...(target && { target }),
    ...(target && isMixed && { several: whereSeveral(first.name, resource, catalogue) }),
  };
}

/** Of all processes. */
export const definitionsOf = (resource: ResourceType, catalogue: CustomFieldCatalogue): CustomFieldDefinition[] =>
  catalogue.groups(resource.entityTypeIds).flatMap(({ fields }) => fields);

/** How version 1 names the custom field of this name; undefined where no process defines one. Everyone may see all. */
export function customPath(name: string, resource: ResourceType, catalogue: CustomFieldCatalogue): string | undefined {
  if (!resource.settings.customFields) return undefined;
  const definition = definitionsOf(resource, catalogue).find((field) => isSame(field.name, name));
  return definition && `CustomFields.${definition.name}`;
}

/** Where this name is a field that points at several. */
const whereSeveral = (name: string, resource: ResourceType, catalogue: CustomFieldCatalogue): Place[] =>
  kindsOf(resource).flatMap((kind) =>
    catalogue
      .groups([kind.settings.entityTypeId!])
      .filter(({ fields }) => fields.some((field) => isSame(field.name, name) && field.type === 'MultipleEntities'))
      .map(({ processId }) => ({ kind, processId })),
  );

type Place = NonNullable<CustomOperand['several']>[number];

/** So many custom fields are spelled one by one in a statement; of more, what they are is read in it. */
export const mostCompiledIn = 60;

/** The kinds of its rows. */
export const kindsOf = (resource: ResourceType): ResourceType[] => [
  ...(resource.settings.entityTypeId === undefined ? [] : [resource]),
  ...(resource.like?.derived ?? resource.derived).flatMap(kindsOf),
];
