/** Looks a custom field up by the name a client said. */
import { unknownField } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import { nearest } from './near.js';
import type { CustomFieldCatalogue, CustomFieldType, Operand } from './plan.js';

export type CustomOperand = Extract<Operand, { kind: 'custom' }> & { options: readonly string[] };

/** Definitions of one name may differ between processes; where their types do, values are compared as text. */
export function customOperand(said: string, resource: ResourceType, catalogue: CustomFieldCatalogue): CustomOperand {
  const all = catalogue.groups(resource.entityTypeIds).flatMap((group) => group.fields);
  const found = all.filter((field) => field.name.toLowerCase() === said.toLowerCase());
  const first = found[0];
  if (!first)
    throw unknownField(
      resource.name,
      `CustomFields.${said}`,
      suggestion(
        said,
        all.map((field) => field.name),
      ),
    );
  const types = new Set(found.map((field) => field.type));
  const type: CustomFieldType = types.size === 1 ? first.type : 'Text';
  const target = found.find((field) => field.target)?.target;
  const options = found.flatMap((field) => field.options);
  return { kind: 'custom', name: first.name, type, column: 'custom_values', options, ...(target && { target }) };
}

function suggestion(said: string, names: readonly string[]): string | undefined {
  const near = nearest(said, names);
  return near && `CustomFields.${near}`;
}
