/** Members write in their own projects: what lies there, and what hangs on what lies there. Asked once the rules have said where that is. */
import { badMember, forbidden } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import { type Change, current, type Removal, referenced, type Work } from './change.js';
import { ownerReferences } from './owners.js';

/** What anybody may say about, note for or follow whatever he sees. */
const open = new Set(['Comment', 'Time', 'GeneralFollower']);

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
  throw forbidden(`Only members of its project may change this ${resource.name}.`);
}

interface Hanging {
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

async function permitOwners(hanging: readonly Hanging[], work: Work): Promise<void> {
  const asked = hanging.filter(({ resource }) => !open.has(resource.name) && ownerReferences(resource).length > 0);
  const owners = asked.flatMap(({ resource, row, change }) =>
    ownerReferences(resource).flatMap(({ property, column }) => {
      const id = change ? current(change, property) : (row[column] as number | null);
      return typeof id === 'number' ? [id] : [];
    }),
  );
  if (owners.length === 0) return;
  const found = await work.rows<{ id: number; project_id: number | null }>(
    'select id, project_id from general where id = any($1::int[]) and entity_type_id <> 1',
    [[...new Set(owners)]],
  );
  const foreign = found.find(({ project_id: project }) => project !== null && !work.actor.projectIds.includes(project));
  // One end of a relation may lie elsewhere, as long as the other one does not.
  const isRelation = asked.every(({ resource }) => resource.name === 'Relation');
  if (
    foreign &&
    !(
      isRelation && found.some(({ project_id: project }) => project !== null && work.actor.projectIds.includes(project))
    )
  ) {
    throw forbidden('Only members of its project may change what belongs to an item.');
  }
}
