/** What a client may leave out or clear of a resource, and what not: beyond the fields, as its declaration says. */
import type { ReferenceField, ResourceType } from './model.js';

/** Whether a change may leave the reference without a value. */
export const isClearable = (
  { isNullable, isRequired, property }: ReferenceField,
  { settings }: ResourceType,
): boolean => isNullable && !isRequired && !settings.stays.includes(property);

/** The members that a creation is refused without. */
export function neededOnCreate(resource: ResourceType): string[] {
  const { fields, settings } = resource;
  const needed = fields.flatMap((field) =>
    field.kind !== 'collection' && field.isRequired && field.isSettable ? field.property : [],
  );
  const left = new Set([...settings.filled, ...settings.alternatives.flat()]);
  const only = settings.alternatives.filter(({ length }) => length === 1).flat();
  return [...needed.filter((property) => !left.has(property)), ...only].map((property) => wire(resource, property));
}

/** Of each list a creation has one member at least. */
export const alternativesOnCreate = (resource: ResourceType): string[][] =>
  resource.settings.alternatives
    .filter(({ length }) => length > 1)
    .map((properties) => properties.map((property) => wire(resource, property)));

/** The model is wrong where a declaration names what is not there. */
function wire(resource: ResourceType, property: string): string {
  const field = resource.ofProperty(property);
  if (!field) throw new Error(`${resource.name} has no property ${property}.`);
  return field.name;
}
