/** Members write in their own projects: what lies there, and what hangs on what lies there. Asked once the rules have said where that is. */
import { badMember, forbidden } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import { type Change, current, type Removal, referenced, type Work } from './change.js';
import { ownerReferences } from './owners.js';

/** Whose they are is for their own rules to say. */
const open = new Set(['Comment', 'Time']);

export async function permitPlaces(changes: readonly Change[], work: Work): Promise<void> {
  if (work.actor.isAdministrator) return;
  for (const change of changes) if (change.resource.root.name === 'General') permitPlace(change);
  await permitOwners(
    changes.map((change) => ({ resource: change.resource, row: change.before ?? {}, change })),
    work,
  );
}

/** Where an entity lies, and where it is to lie. */
function permitPlace(change: Change): void {
  const { actor, before, command, isNew } = change;
  const project = referenced(change, 'project');
  if (project !== undefined && !actor.projectIds.includes(project)) {
    const why = `there is no Project with Id ${project}, or access to it is forbidden.`;
    throw badMember(`${command.path}Project.Id`, why);
  }
  if (!isNew) permitRow(change.resource, before!, actor.projectIds);
}

/** 403 unless a row lies in a project of the member's. */
export function permitRow(
  resource: ResourceType,
  row: Readonly<Record<string, unknown>>,
  projects: readonly number[],
): void {
  const project = resource.name === 'Project' ? row.id : row.project_id;
  if (typeof project !== 'number' || projects.includes(project)) return;
  throw forbidden(`Only members of its project may change this ${resource.name}.`, 'NotPermitted');
}

export interface Hanging {
  resource: ResourceType;
  row: Readonly<Record<string, unknown>>;
  change?: Change;
}

export async function permitRemovals(removals: readonly Removal[], work: Work): Promise<void> {
  if (work.actor.isAdministrator) return;
  for (const { resource, before } of removals) {
    if (resource.root.name === 'General') permitRow(resource, before, work.actor.projectIds);
  }
  await permitOwners(
    removals.map(({ resource, before: row }) => ({ resource, row })),
    work,
  );
}

/** 403 unless all that rows hang on, before and after, lies in projects of the member's. */
export async function permitOwners(hanging: readonly Hanging[], work: Work): Promise<void> {
  if (work.actor.isAdministrator) return;
  const asked = hanging.filter((one) => !isOpen(one, work.actor.userId)).flatMap(ownersBeforeAndAfter);
  const ids = [...new Set(asked.flatMap(({ owners }) => owners))];
  if (ids.length === 0) return;
  const ownerRows = await work.rows<{ id: number; project_id: number | null }>(
    'select id, case when entity_type_id = 1 then id else project_id end as project_id from general where id = any($1::bigint[])',
    [ids],
  );
  const mine = new Set(
    ownerRows.filter(({ project_id: project }) => work.actor.projectIds.includes(project ?? 0)).map(({ id }) => id),
  );
  for (const { resource, owners } of asked) {
    // One end of a relation may lie elsewhere, as long as the other one does not.
    const isPermitted =
      resource.name === 'Relation' ? owners.some((id) => mine.has(id)) : owners.every((id) => mine.has(id));
    if (!isPermitted)
      throw forbidden('Only members of its project may change what belongs to an item.', 'NotPermitted');
  }
}

/** What anybody may say about, note for or, himself, follow: whatever he sees. */
export function isOpen({ resource, row, change }: Hanging, actor: number): boolean {
  if (resource.name !== 'GeneralFollower') return open.has(resource.name);
  const people = [row.user_id, change && current(change, 'user')];
  return people.every((id) => id === undefined || id === actor);
}

function ownersBeforeAndAfter({ resource, row, change }: Hanging): { resource: ResourceType; owners: number[] }[] {
  const references = ownerReferences(resource);
  const ids = (of: (field: (typeof references)[number]) => unknown): number[] =>
    references.map(of).filter((id): id is number => typeof id === 'number');
  const before = ids(({ column }) => row[column]);
  const after = change ? ids(({ property }) => current(change, property)) : [];
  return [before, after].filter(({ length }) => length > 0).map((owners) => ({ resource, owners }));
}
