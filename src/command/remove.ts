/**
 * Deletes entities within a transaction, all of them or none: Generals and users are marked and can be restored, links
 * and what hangs on one entity are gone for good. The rules of the families refuse what is in use and add what goes
 * along.
 */
import { badMember, badRequest, forbidden, notFound } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import type { Removal } from './change.js';
import type { Circumstances } from './circumstances.js';
import { hierarchyOf } from './hierarchy.js';
import { holdContents } from './hold-contents.js';
import { kindOf, lock } from './lock.js';
import { storedOwners } from './owners.js';
import { permitRemoval } from './permit.js';
import { permitRemovals } from './permit-places.js';
import { permitRemoved } from './permit-rights.js';
import { groupedBy } from './store.js';

export interface Target {
  id: number;
  /** The way to it in the body; empty where the address names it. */
  path: string;
}

/** What a deletion of the last day took along is gone, as was asked for. */
export async function remove(resource: ResourceType, asked: readonly Target[], work: Circumstances): Promise<void> {
  // Addresses of what cannot be deleted take no DELETE; those of collections that hold it do.
  if (!resource.settings.operations.delete) throw badRequest(`${resource.collection} cannot be deleted.`);
  refuseSame(asked);
  const targets = await thoseLeft(resource, asked, work);
  if (targets.length === 0) return;
  const ids = targets.map(({ id }) => id);
  const { root } = resource;
  const general = work.model.general;
  await holdProjects(resource, ids, work);
  // Before the rows that hang on others come those others; with what goes comes what goes along.
  const owners = await storedOwners(resource, ids, work);
  if (owners.length > 0) await lock({ root: general, ids: owners }, work);
  const along = root === general ? await parts(ids, work) : [];
  const rows = await lock({ root, ids: [...ids, ...along], isToGo: true }, work);
  const removals = targets.map(({ id, path }): Removal => {
    const locked = rows.get(id);
    // Deleted between look-up and lock.
    if (!locked) throw notFound(resource.name, id, path);
    work.checkVersion?.(locked);
    return { resource: locked.resource, id, path, before: locked.row };
  });
  await removeAll(removals, work);
}

async function thoseLeft(
  resource: ResourceType,
  targets: readonly Target[],
  work: Circumstances,
): Promise<readonly Target[]> {
  await work.look(new Map([[resource, targets.map(({ id }) => id)]]));
  const missing = targets.filter(({ id }) => !work.facts.of(resource, id));
  if (missing.length === 0) return targets;
  const ids = missing.map(({ id }) => id);
  // What is gone has no version, so that a precondition says nothing about it.
  const gone = new Set(await work.takenAlong(resource, ids));
  // Who could not have deleted it is refused as if it were there.
  if (gone.size > 0) permitRemoval({ resource }, work.actor);
  const lost = missing.find(({ id }) => !gone.has(id));
  if (lost) throw notFound(resource.name, lost.id, lost.path);
  return targets.filter(({ id }) => !gone.has(id));
}

async function holdProjects(address: ResourceType, ids: readonly number[], work: Circumstances): Promise<void> {
  const { projects: kinds } = hierarchyOf(work.model);
  const kindFor = (id: number): number => work.facts.of(address, id)?.kind ?? 0;
  const projects = ids.filter((id) => kinds.includes(kindFor(id)));
  const removals = projects.map((id): Removal => {
    const before = { id, entity_type_id: kindFor(id) };
    return { resource: kindOf(address.root, before, work.model), id, path: '', before };
  });
  // Who may not delete them keeps nobody from what lies in them.
  for (const removal of removals) permitRemoval(removal, work.actor);
  await permitRemovals(removals, work);
  await holdContents(projects, work);
}

/** Those that are deleted along with what they are parts of. */
async function parts(ids: readonly number[], { model, rows }: Circumstances): Promise<number[]> {
  const below = await rows<{ id: number }>(hierarchyOf(model).parts, [ids]);
  return below.map(({ id }) => id);
}

async function removeAll(removals: readonly Removal[], work: Circumstances): Promise<void> {
  for (const removal of removals) permitRemoval(removal, work.actor);
  await permitRemovals(removals, work);
  await permitRemoved(removals, work);
  const families = groupedBy(removals, ({ resource }) => resource.name);
  for (const rules of work.common.behind) await rules.beforeDelete(removals, work);
  for (const group of families) await work.rulesOf(group[0]!.resource).beforeDelete(group, work);
  for (const group of groupedBy(removals, ({ resource }) => resource.table)) await erase(group, work);
  for (const group of families) await work.rulesOf(group[0]!.resource).afterDelete(group, work);
}

async function erase(removals: readonly Removal[], work: Circumstances): Promise<void> {
  const { resource } = removals[0]!;
  const ids = removals.map(({ id }) => id);
  const { table, settings, isGeneral } = resource;
  if (settings.softDelete) {
    const editor = isGeneral ? ', modify_date = $2, last_editor_id = $3' : ', modify_date = $2';
    const values = isGeneral ? [ids, work.now(), work.actor.userId] : [ids, work.now()];
    work.send(`update "${table}" set "${settings.softDelete}" = $2${editor} where id = any($1::bigint[])`, values);
  } else {
    await work.rows(`delete from "${table}" where id = any($1::bigint[])`, [ids]).catch((error: unknown) => {
      throw isReferredTo(error) ? inUse(resource) : error;
    });
  }
}

const isReferredTo = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '23503';

const inUse = ({ name }: ResourceType) =>
  forbidden(`Could not delete ${name.replace(/\B[A-Z]/g, ' $&').toLowerCase()} which is in use.`, 'InUse');

function refuseSame(targets: readonly Target[]): void {
  const seen = new Set<number>();
  for (const { id, path } of targets) {
    if (seen.has(id)) throw badMember(`${path}Id`, `${id} is in the body twice.`);
    seen.add(id);
  }
}
