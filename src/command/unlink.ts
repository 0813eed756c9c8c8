/**
 * Takes items out of the collection of an entity: links are cut; items that cannot be without their owner are deleted.
 */
import { badMember, notFound } from '../errors.js';
import { ownerReference } from '../model/collections.js';
import type { CollectionField, ReferenceField, ResourceType } from '../model/model.js';
import { isClearable } from '../model/sent-fields.js';
import { apply, lockAll } from './apply.js';
import { touch } from './apply-items.js';
import { commandFor } from './change.js';
import type { Circumstances, Locked } from './circumstances.js';
import { emptyCommand } from './command.js';
import { permitLink } from './permit.js';
import { permitHolders, permitOwners } from './permit-places.js';
import { permitJoined } from './permit-rights.js';
import { remove } from './remove.js';
import { keyOf } from './traverse.js';

export async function unlink(
  owner: ResourceType,
  id: number,
  field: CollectionField,
  ids: readonly number[],
  work: Circumstances,
): Promise<void> {
  await work.look(new Map([[owner, [id]]]));
  if (!work.facts.of(owner, id)) throw notFound(owner.name, id);
  // Links that belong to the items are theirs to cut as well.
  const holders = field.isInverse ? await thoseSeen(field.target, ids, work) : [];
  const rows = await lockAll(
    [emptyCommand(owner, '', id), ...holders.map((item) => emptyCommand(field.target, '', item))],
    work,
  );
  const locked = rows.get(keyOf(owner, id));
  if (!locked) throw notFound(owner.name, id);
  work.checkVersion?.(locked);
  const within = { ...work, checkVersion: undefined };
  const reference = ownerReference(field);
  if (reference) return leave(id, field, reference, ids, within);
  const items = holders.flatMap((item) => rows.get(keyOf(field.target, item)) ?? []);
  return separate(locked, field, ids, items, within);
}

async function separate(
  owner: Locked,
  field: CollectionField,
  ids: readonly number[],
  holders: readonly Locked[],
  work: Circumstances,
): Promise<void> {
  const { resource, row } = owner;
  const id = Number(row.id);
  const { isGeneral } = resource;
  permitLink({ resource, actor: work.actor, before: row }, field);
  if (!isGeneral) await permitOwners([owner], work);
  await permitJoined([owner], work);
  await cut(id, field, ids, work);
  // What is not in the collection for the actor has been refused as what is not there.
  await permitHolders(field, holders, work);
  await permitJoined(holders, work);
  if (isGeneral) touch([id], work);
}

/** Items that refer to their owner are written themselves: they are deleted, or refer to it no more. */
async function leave(
  id: number,
  field: CollectionField,
  reference: ReferenceField,
  ids: readonly number[],
  work: Circumstances,
): Promise<void> {
  await mustBeItems(id, field, ids, work);
  const isFixed = field.target.settings.fixed.includes(reference.property);
  if (isFixed || !isClearable(reference, field.target)) {
    const targets = ids.map((item) => ({ id: item, path: '' }));
    return remove(field.target, targets, work);
  }
  const commands = ids.map((item) => ({
    ...commandFor(field.target, '', { [reference.name]: null }, item),
    isOwn: false,
  }));
  await apply(commands, work);
}

async function mustBeItems(id: number, { via, target }: CollectionField, ids: readonly number[], work: Circumstances) {
  if (via.kind !== 'key') return;
  const rows = await work.rows<{ id: number }>(
    `select id from "${target.table}" where id = any($1::bigint[]) and "${via.column}" = $2::bigint
     order by id for no key update`,
    [await thoseSeen(target, ids, work), id],
  );
  refuseOthers(ids, rows, target);
}

async function cut(id: number, { via, target, name }: CollectionField, ids: readonly number[], work: Circumstances) {
  if (via.kind !== 'link') throw badMember(name, 'the collection has no links.');
  const rows = await work.rows<{ id: number }>(
    `delete from "${via.table}" where "${via.from}" = $1::bigint and "${via.to}" = any($2::bigint[]) returning "${via.to}" as id`,
    [id, await thoseSeen(target, ids, work)],
  );
  refuseOthers(ids, rows, target);
  const links = ids.map((item) => ({ ids: { [via.from]: id, [via.to]: item } }));
  await work.common.links.cut(via.table, links, work);
}

/** Nobody waits for others at what he does not see. */
async function thoseSeen(target: ResourceType, ids: readonly number[], work: Circumstances): Promise<number[]> {
  await work.look(new Map([[target, ids]]));
  return ids.filter((id) => work.facts.of(target, id));
}

/** What is not in the collection cannot be taken out of it. */
function refuseOthers(ids: readonly number[], rows: readonly { id: number }[], target: ResourceType): void {
  const items = new Set(rows.map(({ id }) => id));
  const other = ids.find((item) => !items.has(item));
  if (other !== undefined) throw notFound(target.name, other);
}
