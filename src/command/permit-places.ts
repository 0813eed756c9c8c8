/**
 * Members write in their own projects: what lies there, and what hangs on what lies there. Asked once the rules have
 * decided where that is.
 */
import { forbidden } from '../errors.js';
import type { CollectionField, ResourceType } from '../model/model.js';
import { byDefault, type Change, current, type Removal, referenced, refersTo } from './change.js';
import type { Circumstances, Locked } from './circumstances.js';
import { hierarchyOf } from './hierarchy.js';
import { ownerReferences, stepReferences } from './owners.js';

type Within = Pick<Circumstances, 'actor' | 'rows' | 'model'>;

export async function permitPlaces(changes: readonly Change[], work: Within): Promise<void> {
  if (work.actor.isAdministrator) return;
  for (const change of changes) if (change.resource.isGeneral) permitPlace(change);
  await permitOwners(
    changes.map((change) => ({ resource: change.resource, row: change.before ?? {}, change })),
    work,
  );
}

/**
 * Where an entity lies, and where it is to lie. A project that was sent has been looked up: one that is none of the
 * member's came with what the entity refers to, and is not named to him.
 */
function permitPlace(change: Change): void {
  const { actor, before, isNew } = change;
  const project = referenced(change, 'project');
  if (project !== undefined && !actor.projectIds.includes(project)) throw belongsToOthers();
  if (!isNew) permitRow(change.resource, before!, actor.projectIds);
}

const belongsToOthers = () =>
  forbidden('Only members of its project may change what belongs to an item.', 'NotPermitted');

/**
 * Lets an entity lie where something lies that it refers to, unless its project was sent. 403 where that is no project
 * of the member's: before a rule looks at what lies there.
 */
export function lieBeside(change: Change, project: number | null | undefined): void {
  if (change.values.project !== undefined) return;
  permitBeside(change, project);
  byDefault(change, 'project', refersTo(project));
}

export function permitBeside({ actor }: Pick<Change, 'actor'>, project: number | null | undefined): void {
  if (typeof project === 'number' && !actor.isAdministrator && !actor.projectIds.includes(project))
    throw belongsToOthers();
}

/** 403 unless a row lies in a project of the member's. */
export function permitRow(
  resource: ResourceType,
  row: Readonly<Record<string, unknown>>,
  projects: readonly number[],
): void {
  const project = resource.settings.lies === 'asProject' ? row.id : row.project_id;
  if (typeof project !== 'number' || projects.includes(project)) return;
  throw forbidden(`Only members of its project may change this ${resource.name}.`, 'NotPermitted');
}

export interface Hanging {
  resource: ResourceType;
  row: Readonly<Record<string, unknown>>;
  change?: Change;
}

export async function permitRemovals(removals: readonly Removal[], work: Within): Promise<void> {
  if (work.actor.isAdministrator) return;
  for (const { resource, before } of removals) {
    if (resource.isGeneral) permitRow(resource, before, work.actor.projectIds);
  }
  await permitOwners(
    removals.map(({ resource, before: row }) => ({ resource, row })),
    work,
  );
}

/** Links that belong to the items, written from their other side: these are to be the member's to write as well. */
export async function permitHolders({ isInverse }: CollectionField, items: readonly Locked[], work: Within) {
  if (!isInverse || work.actor.isAdministrator) return;
  for (const { resource, row } of items) if (resource.isGeneral) permitRow(resource, row, work.actor.projectIds);
  await permitOwners(
    items.filter(({ resource }) => !resource.isGeneral),
    work,
  );
}

/** 403 unless all that rows hang on, before and after, lies in projects of the member's. */
export async function permitOwners(hanging: readonly Hanging[], work: Within): Promise<void> {
  if (work.actor.isAdministrator) return;
  const inQuestion = hanging.filter((one) => !isOpen(one, work.actor.userId));
  const between = await rowsBetween(inQuestion, work);
  if (between.length > 0) await permitOwners(between, work);
  const asked = inQuestion.flatMap(ownersBeforeAndAfter);
  const ids = [...new Set(asked.flatMap(({ owners }) => owners))];
  if (ids.length === 0) return;
  const ownerRows = await work.rows<{ id: number; project_id: number | null }>(
    `select id, ${hierarchyOf(work.model).project} as project_id from general where id = any($1::bigint[])`,
    [ids],
  );
  const mine = new Set(
    ownerRows.filter(({ project_id: project }) => work.actor.projectIds.includes(project ?? 0)).map(({ id }) => id),
  );
  for (const { resource, owners } of asked) {
    // As of a relation, whose other end may lie elsewhere.
    const isPermitted =
      resource.settings.writers === 'membersOfOne'
        ? owners.some((id) => mine.has(id))
        : owners.every((id) => mine.has(id));
    if (!isPermitted) throw belongsToOthers();
  }
}

/** The rows, before and after, that stand between rows and what they hang on. */
async function rowsBetween(hanging: readonly Hanging[], { rows }: Within): Promise<Hanging[]> {
  const wanted = new Map<ResourceType, Set<number>>();
  for (const { resource, row, change } of hanging) {
    for (const { target, column, property } of stepReferences(resource)) {
      const ids = wanted.get(target) ?? new Set();
      wanted.set(target, ids);
      for (const id of [row[column], change && current(change, property)]) if (typeof id === 'number') ids.add(id);
    }
  }
  const between = [...wanted].map(async ([resource, ids]) => {
    const held = await rows(`select * from "${resource.table}" where id = any($1::bigint[])`, [[...ids]]);
    return held.map((row): Hanging => ({ resource, row }));
  });
  return (await Promise.all(between)).flat();
}

/** What anybody may say about, note for or, himself, follow: whatever he sees. */
export function isOpen({ resource, row, change }: Hanging, actor: number): boolean {
  const { writers } = resource.settings;
  if (writers !== 'oneself') return writers === 'readers' || writers === 'observers';
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
