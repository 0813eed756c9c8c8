/** Looks a name up as a field of a resource or, where that is a base type, of some of its kinds. */
import { badRequest } from '../../errors.js';
import type { CollectionField, Field, ReferenceField, ResourceType } from '../../model/model.js';
import { customOperand } from '../custom-operand.js';
import type { CustomFieldCatalogue, Of, Value } from '../meaning.js';
import { fieldOf } from '../values.js';
import { isCustomFields } from './scanner.js';

/** Errors: 400 where kinds mean different things by the name. */
export function fieldNamed(resource: ResourceType, name: string): Field | undefined {
  const own = resource.field(name);
  if (own) return own;
  const [first, ...others] = resource.kindFields(name).map(({ field }) => field);
  if (first && others.length > 0) {
    throw badRequest(
      `'${first.name}' is something else for each kind of '${resource.name}' that has it; ask for it of one kind.`,
      'UnusableField',
    );
  }
  return first;
}

/** All that can be named, the resource's own first. */
export const namedFields = (resource: ResourceType): Field[] => [...resource.fields, ...resource.commonKindFields];

/**
 * What the first name of a path leads to: a value, which ends it, or a field that leads further. Undefined: it is none.
 */
export function step(
  names: readonly string[],
  of: Value,
  resource: ResourceType,
  catalogue: CustomFieldCatalogue,
): Of<'field'> | ReferenceField | CollectionField | undefined {
  const [name, ...rest] = names as [string, ...string[]];
  const field = fieldNamed(resource, name);
  if (!field && isCustomFields(name) && rest.length > 0 && resource.settings.customFields)
    return fieldOf(of, customOperand(rest.join('.'), resource, catalogue));
  if (field?.kind !== 'scalar') return field;
  return field.isWriteOnly || rest.length > 0 ? undefined : fieldOf(of, { kind: 'field', field });
}
