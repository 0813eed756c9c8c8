/** Whether the actor may make this change. Seeing an entity was asked before; this is about writing. */
import type { Actor } from '../actor.js';
import { forbidden, onlyAdministrators } from '../errors.js';
import type { CollectionField, ResourceType } from '../model/model.js';
import type { Change, Removal } from './change.js';
import { permitRow } from './permit-places.js';

export function permit(change: Change): void {
  const { actor, resource } = change;
  if (actor.isAdministrator) return;
  permitKind(actor, resource);
  if (isApart(resource)) throw onlyAdministratorsChange(resource);
}

export function permitRemoval({ resource }: Pick<Removal, 'resource'>, actor: Actor): void {
  if (actor.isAdministrator) return;
  permitKind(actor, resource);
  if (isApart(resource)) throw onlyAdministratorsChange(resource);
}

/** Joining two entities changes the one that the collection belongs to. */
export function permitLink(
  { resource, actor, before }: Pick<Change, 'resource' | 'actor' | 'before'>,
  { target, spelledBy }: CollectionField,
): void {
  if (actor.isAdministrator) return;
  permitKind(actor, resource);
  if (resource.isGeneral && before && target.settings.writers !== 'observers')
    permitRow(resource, before, actor.projectIds);
  // Which projects they are shared by is for those to say who may write them.
  for (const kind of [resource, target]) if (isAboveProjects(kind)) throw onlyAdministratorsChange(kind);
  if (spelledBy !== undefined && isApart(resource)) throw onlyAdministratorsChange(resource);
}

const onlyAdministratorsChange = ({ collection }: ResourceType) => onlyAdministrators(`change ${collection}`);

/** Kinds that some never write, whatever is changed. */
export function permitKind(actor: Actor, resource: ResourceType): void {
  // What is one's own says nothing about work.
  if (actor.isAdministrator || resource.settings.visible.kind === 'owned') return;
  if (actor.isObserver && resource.settings.writers !== 'observers')
    throw forbidden('Observers may read and comment only.', 'NotPermitted');
  if (resource.settings.isConfiguration || resource.settings.isAdministered) {
    throw onlyAdministratorsChange(resource);
  }
}

/** Whether only administrators edit it: it lies in no project, so that membership of one gives no right to it. */
export const isApart = ({ settings }: ResourceType): boolean => settings.lies !== 'inProject';

const isAboveProjects = ({ settings: { lies } }: ResourceType): boolean =>
  lies === 'aboveProjects' || lies === 'inOrAboveProjects';
