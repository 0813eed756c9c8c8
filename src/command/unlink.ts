/** Takes items out of the collection of an entity: links are cut; items that cannot be without their owner are deleted. */
import { badMember, notFound } from '../errors.js';
import type { CollectionField, ResourceType } from '../model/model.js';
import { apply, type Circumstances } from './apply.js';
import { touch } from './apply-items.js';
import { commandFor, ownerReference } from './change.js';
import { type Locked, lock } from './lock.js';
import { permitLink } from './permit.js';
import { permitOwners } from './permit-places.js';
import { permitJoined } from './permit-rights.js';
import { remove } from './remove.js';

export async function unlink(
  owner: ResourceType,
  id: number,
  field: CollectionField,
  ids: readonly number[],
  work: Circumstances,
): Promise<void> {
  await work.look(new Map([[owner, [id]]]));
  if (!work.facts.of(owner, id)) throw notFound(owner.name, id);
  const { root } = owner;
  const [locked] = (await lock({ root, ids: [id] }, work, work.model)).values();
  if (!locked) throw notFound(owner.name, id);
  work.checkVersion?.(locked);
  permitLink({ resource: locked.resource, actor: work.actor, before: locked.row }, field);
  if (root.name !== 'General') await permitOwners([{ resource: locked.resource, row: locked.row }], work);
  await separate(locked, field, ids, { ...work, checkVersion: undefined });
  if (root.name === 'General') await touch([id], work);
}

async function separate(
  { resource, row }: Locked,
  field: CollectionField,
  ids: readonly number[],
  work: Circumstances,
): Promise<void> {
  const id = Number(row.id);
  const reference = ownerReference(field);
  if (!reference) {
    await permitJoined([{ field, owner: { resource, row }, items: ids }], work);
    return cut(id, field, ids, work);
  }
  await mustBeItems(id, field, ids, work);
  if (field.target.settings.softDelete === undefined || reference.isRequired) {
    await remove(
      field.target,
      ids.map((item) => ({ id: item, path: '' })),
      work,
    );
    return;
  }
  await apply(
    ids.map((item) => ({ ...commandFor(field.target, '', { [reference.name]: null }, item), isOwn: false })),
    work,
  );
}

async function mustBeItems(id: number, { via, target }: CollectionField, ids: readonly number[], work: Circumstances) {
  if (via.kind !== 'key') return;
  await work.look(new Map([[target, ids]]));
  const rows = await work.rows<{ id: number }>(
    `select id from "${target.table}" where id = any($1::int[]) and "${via.column}" = $2::int
     order by id for no key update`,
    [ids, id],
  );
  refuseOthers(ids, new Set(rows.map((row) => row.id).filter((item) => work.facts.of(target, item))), target);
}

async function cut(id: number, { via, target, name }: CollectionField, ids: readonly number[], work: Circumstances) {
  if (via.kind !== 'link') throw badMember(name, 'the collection has no links.');
  await work.look(new Map([[target, ids]]));
  const rows = await work.rows<{ id: number }>(
    `delete from "${via.table}" where "${via.from}" = $1::int and "${via.to}" = any($2::int[]) returning "${via.to}" as id`,
    [id, ids],
  );
  refuseOthers(ids, new Set(rows.map((row) => row.id).filter((item) => work.facts.of(target, item))), target);
  const links = ids.map((item) => ({ ids: { [via.from]: id, [via.to]: item } }));
  await work.common.links.cut(via.table, links, work);
}

/** What is not in the collection cannot be taken out of it. */
function refuseOthers(ids: readonly number[], items: ReadonlySet<number>, target: ResourceType): void {
  const other = ids.find((item) => !items.has(item));
  if (other !== undefined) throw notFound(target.name, other);
}
