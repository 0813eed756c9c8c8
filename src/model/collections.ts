/** How the items of a collection come to lie in it. */
import type { CollectionField, ReferenceField, ResourceType } from './model.js';

/** The reference by which the items of a collection know their owner; undefined where a table of links joins them. */
export function ownerReference({ target, via, name }: CollectionField): ReferenceField | undefined {
  if (via.kind !== 'key') return undefined;
  const reference = target.fields.find(
    (field) =>
      field.kind === 'reference' &&
      field.column === via.column &&
      field.writesTo === field.property &&
      !field.isNarrowed,
  );
  if (reference?.kind !== 'reference') throw new Error(`the items of ${name} have no reference to their owner`);
  return reference;
}

/**
 * Whether an item may be sent to the address of the collection: it takes items in bodies of its owner as well, or what
 * is sent is an entity of its own that refers to the owner.
 */
export const takesItems = ({ settings }: ResourceType, field: CollectionField): boolean =>
  field.canAdd || (settings.operations.update && isCreated(field) && ownerReference(field)?.isSettable === true);

const isCreated = ({ target, via }: CollectionField): boolean =>
  target.settings.operations.create && via.kind === 'key';
