/** Somebody must be able to administer the service: the last active administrator stays one. */
import { type Change, currentValue, type Removal, type Row, type Work } from '../../command/change.js';
import { conflict, forbidden } from '../../errors.js';

export async function keepAdministrator(changes: readonly Change[], work: Work): Promise<void> {
  const losing = changes.filter((change) => isAdministrator(change.before) && !staysAdministrator(change));
  if (losing.length === 0 || changes.some((change) => staysAdministrator(change))) return;
  await refuseLast(
    losing.map(({ id, command }) => ({ id: id!, path: command.path })),
    work,
  );
}

/** Nobody takes himself away: who would undo it? */
export async function removeUsers(removals: readonly Removal[], work: Work): Promise<void> {
  const self = removals.find(({ id }) => id === work.actor.userId);
  if (self) throw forbidden(`${self.path === '' ? '' : `${self.path}Id: `}Users cannot delete themselves.`);
  const losing = removals.filter(({ before }) => isAdministrator(before));
  if (losing.length > 0) await refuseLast(losing, work);
}

export function refuseOwnDeactivation(changes: readonly Change[], { actor }: Work): void {
  const self = changes.find(({ id, values }) => id === actor.userId && values.isActive === false);
  if (self) throw forbidden(`${self.command.path}IsActive: Users cannot deactivate themselves.`);
}

const isAdministrator = (row: Row | undefined): boolean =>
  row?.kind === 'User' && row.is_administrator === true && row.is_active === true;

const staysAdministrator = (change: Change): boolean =>
  change.resource.name === 'User' &&
  currentValue<boolean>(change, 'isAdministrator') === true &&
  currentValue<boolean>(change, 'isActive') !== false;

/** One after another: two who demote each other at the same moment would each still see the other. */
async function refuseLast(losing: readonly { id: number; path: string }[], { rows }: Work): Promise<void> {
  await rows(`select pg_advisory_xact_lock(hashtext('worktrack.administrators'))`);
  const others = await rows(
    `select 1 from general_user where kind = 'User' and is_administrator and is_active and delete_date is null
       and id <> all($1::bigint[]) limit 1`,
    [losing.map(({ id }) => id)],
  );
  if (others.length > 0) return;
  throw conflict(`${losing[0]!.path}IsAdministrator: the last active administrator must remain one.`);
}
