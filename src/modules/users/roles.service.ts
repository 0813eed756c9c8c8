/** Rules of roles: a new one may do everything, and its rights are deleted with it. */
import { Injectable } from '@nestjs/common';
import type { Change, Removal, Work } from '../../command/change.js';
import { takeAlong } from '../../command/take-along.js';
import { ResourceService } from '../../http/resource.service.js';
import { refuseUsed } from '../process/in-use-rules.js';

@Injectable()
export class RolesService extends ResourceService {
  override async afterSave(changes: readonly Change[], work: Work): Promise<void> {
    const created = changes.filter(({ isNew, resource }) => isNew && resource.name === 'Role');
    if (created.length > 0) await grantAll(created, work);
  }

  override async beforeDelete(removals: readonly Removal[], work: Work): Promise<void> {
    if (removals[0]!.resource.name !== 'Role') return;
    await refuseUsed(removals, work);
    await takeAlong(
      this.model.resource('RoleEntityType'),
      'role',
      removals.map(({ id }) => id),
      work,
    );
  }
}

/** Rights that are sent with a role are stored as items of its collection. */
async function grantAll(roles: readonly Change[], { rows }: Work): Promise<void> {
  const sent = roles.flatMap((role) => sentTypes(role).map((type) => [role.id, type]));
  await rows(
    `insert into role_entity_type (role_id, entity_type_id)
       select r.id, t.id from unnest($1::bigint[]) as r(id) cross join entity_type t
       where (r.id, t.id) not in (select * from unnest($2::bigint[], $3::bigint[])) order by r.id, t.id`,
    [roles.map(({ id }) => id), sent.map(([role]) => role), sent.map(([, type]) => type)],
  );
}

const sentTypes = ({ command }: Change): number[] =>
  command.collections
    .filter(({ field }) => field.name === 'RoleEntityTypes')
    .flatMap(({ items }) => items)
    .flatMap(({ references }) => references)
    .flatMap(({ field, to }) => (field.name === 'EntityType' && to.kind === 'id' ? [to.id] : []));
