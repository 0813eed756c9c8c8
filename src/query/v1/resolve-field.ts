/** Looks a name up as a field of a resource or, where that is a base type, of some of its kinds. */
import { badRequest } from '../../errors.js';
import type { Field, ResourceType } from '../../model/model.js';

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
