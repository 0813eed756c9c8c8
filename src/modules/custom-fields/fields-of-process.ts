/** The definitions of custom fields that hold for a kind in a process. */
import type { ResourceType } from '../../model/model.js';
import type { CustomFieldDefinition, CustomFieldGroup } from '../../query/meaning.js';

/** Fields of the process, and fields of all processes. */
export const fieldsOf = (
  groups: readonly CustomFieldGroup[],
  { entityTypeIds }: Pick<ResourceType, 'entityTypeIds'>,
  process: number | undefined,
): CustomFieldDefinition[] =>
  groups
    .filter(({ entityTypeId }) => entityTypeIds.includes(entityTypeId))
    .filter(({ processId }) => processId === null || processId === process)
    .flatMap(({ fields }) => fields);

export function named(fields: readonly CustomFieldDefinition[], input: string): CustomFieldDefinition | undefined {
  const name = input.toLowerCase();
  return fields.find((field) => field.name.toLowerCase() === name);
}
