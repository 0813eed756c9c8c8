/**
 * Restores deleted entities within a transaction, all of them or none, with what had gone along with them. What lies in
 * something that is deleted itself is refused; the rules of the families refuse what has lost its place meanwhile.
 */
import { badMember, notDeleted, ownerIsDeleted } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import type { Restoral, Row } from './change.js';
import type { Circumstances } from './circumstances.js';
import { type Hierarchy, hierarchyOf } from './hierarchy.js';
import { kindOf, lock } from './lock.js';
import { groupedBy } from './store.js';
import { keyOf } from './traverse.js';

export interface RestoreTarget {
  resource: ResourceType;
  id: number;
  /** The way to it in the body; empty where the address names it. */
  path: string;
}

/** Returns the restorals in the order of the targets, without what came along. */
export async function restore(targets: readonly RestoreTarget[], work: Circumstances): Promise<Restoral[]> {
  refuseSame(targets);
  const general = work.model.general;
  // Generals first, as everybody does it.
  const generals = targets.filter(({ resource }) => resource.root === general);
  const others = targets.filter(({ resource }) => resource.root !== general);
  const restored = new Map<string, Restoral>();
  for (const group of [generals, ...groupedBy(others, ({ resource }) => resource.root.name)]) {
    if (group.length === 0) continue;
    for (const restoral of await restoreRoot(group, work))
      restored.set(keyOf(restoral.resource, restoral.id), restoral);
  }
  return targets.map(({ resource, id }) => restored.get(keyOf(resource, id))!);
}

function refuseSame(targets: readonly RestoreTarget[]): void {
  const seen = new Set<string>();
  for (const { resource, id, path } of targets) {
    const key = keyOf(resource, id);
    if (seen.has(key)) throw badMember(`${path}Id`, `${id} is in the body twice.`);
    seen.add(key);
  }
}

async function restoreRoot(targets: readonly RestoreTarget[], work: Circumstances): Promise<Restoral[]> {
  const { root } = targets[0]!.resource;
  const ids = targets.map(({ id }) => id);
  const { isGeneral } = root;
  if (isGeneral) await work.rows(lockFamily(hierarchyOf(work.model)), [ids]);
  const rows = await lock({ root, ids, isDeleted: true }, work);
  const restorals = targets.map(({ resource, id, path }): Restoral => {
    const lockedEntity = rows.get(id);
    if (!lockedEntity?.resource.isA(resource)) throw notDeleted(resource.name, id, path);
    work.checkVersion?.(lockedEntity);
    return { resource: lockedEntity.resource, id, path, before: lockedEntity.row };
  });
  if (isGeneral) await refuseDeletedOwners(restorals, work);
  for (const group of families(restorals)) await work.rulesOf(group[0]!.resource).beforeRestore(group, work);
  const along = isGeneral ? await restoreGenerals(ids, work) : await restoreRows(root, ids, work);
  for (const group of families([...restorals, ...along])) {
    await work.rulesOf(group[0]!.resource).afterRestore(group, work);
  }
  return restorals;
}

const families = (restorals: readonly Restoral[]) => groupedBy(restorals, ({ resource }) => resource.name);

/**
 * Locked at once, in the order of everybody: the rows themselves, what comes along, and those above, which must not go
 * meanwhile.
 */
const lockFamily = ({ level, owners }: Hierarchy): string => `with wanted as (
    select g.id from general g where g.id = any($1::bigint[]) or g.deleted_with_id = any($1::bigint[])
    union select o.id from general g cross join lateral ${owners('g')} o(n, id) where g.id = any($1::bigint[])
    union select g.deleted_with_id from general g where g.id = any($1::bigint[]))
  select count(*) from (select id from general where id in (select id from wanted)
    order by ${level}, id for no key update) locked`;

// To be looked at, never to be searched by: a plan that was made while little was deleted would go through all that is,
// for each row.
const isDeleted = 'num_nulls(o.delete_date) = 0';

/** `o` is deleted and stays so. */
const staysDeleted = `${isDeleted} and o.id <> all($1::bigint[])
  and (o.deleted_with_id is null or o.deleted_with_id <> all($1::bigint[]))`;

async function refuseDeletedOwners(restorals: readonly Restoral[], work: Circumstances): Promise<void> {
  const [deletedOwner] = await work.rows<Row & { target: number; id: number; name: string | null }>(
    `select g.id as target, o.id, o.name, o.entity_type_id
     from unnest($1::bigint[]) with ordinality as u(id, at) join general g on g.id = u.id
       cross join lateral (select * from ${hierarchyOf(work.model).owners('g')} v(n, id) union all select 4, g.deleted_with_id) v
       join general o on o.id = v.id
     where ${staysDeleted} order by u.at, v.n limit 1`,
    [restorals.map(({ id }) => id)],
  );
  if (!deletedOwner) return;
  const { resource, id, path } = restorals.find((restoral) => restoral.id === deletedOwner.target)!;
  const { name: type } = kindOf(resource.root, deletedOwner, work.model);
  throw ownerIsDeleted(resource.name, id, { type, id: deletedOwner.id, name: deletedOwner.name }, path);
}

/** `g` would lie in something that stays deleted. */
const blockers = ({ owners }: Hierarchy): string =>
  `from general o join ${owners('g')} v(n, id) on v.id = o.id where ${staysDeleted}`;

/** One statement, so that a project and what it holds are there at the same moment. Returns what came along. */
async function restoreGenerals(ids: readonly number[], work: Circumstances): Promise<Restoral[]> {
  const rows = await work.rows<Row & { id: number; entity_type_id: number }>(
    `update general g set delete_date = null, deleted_with_id = null, modify_date = $2, last_editor_id = $3
     where g.delete_date is not null
       and (g.id = any($1::bigint[]) or g.deleted_with_id = any($1::bigint[]) and not exists (select 1 ${blockers(hierarchyOf(work.model))}))
     returning g.id, g.entity_type_id`,
    [ids, work.now(), work.actor.userId],
  );
  // What belongs to two and misses one of them waits for that one.
  await work.rows(
    `update general g set deleted_with_id = (select coalesce(o.deleted_with_id, o.id) ${blockers(hierarchyOf(work.model))} order by v.n desc limit 1)
     where g.deleted_with_id = any($1::bigint[]) and g.delete_date is not null`,
    [ids],
  );
  const own = new Set(ids);
  const general = work.model.general;
  const kinds = new Map<number, ResourceType>();
  return rows.flatMap((row) => {
    if (own.has(row.id)) return [];
    const resource = kinds.get(row.entity_type_id) ?? kindOf(general, row, work.model);
    kinds.set(row.entity_type_id, resource);
    return [{ resource, id: row.id, path: '' }];
  });
}

async function restoreRows({ table, settings }: ResourceType, ids: readonly number[], work: Circumstances) {
  const text = `update "${table}" set "${settings.softDelete}" = null, modify_date = $2 where id = any($1::bigint[])`;
  await work.rows(text, [ids, work.now()]);
  return [];
}
