/**
 * Of processes, of severities and of the priorities of a kind one at most is the default: what becomes it takes it from
 * the other.
 */
import { type Change, current, currentValue, refuse, type Work } from '../../command/change.js';

export async function takeDefault(changes: readonly Change[], { rows }: Work): Promise<void> {
  const chosen = changes.filter(becomesDefault);
  refuseTwo(chosen);
  if (chosen.length === 0) return;
  const { table, name } = chosen[0]!.resource;
  // Whoever comes later sees who has become it, and takes it from him.
  await rows('select pg_advisory_xact_lock(hashtext($1))', [`worktrack.defaults.${table}`]);
  const kept = chosen.flatMap(({ id }) => id ?? []);
  const others = `update "${table}" set is_default = false where is_default and id <> all($1::bigint[])`;
  if (name === 'Priority') await rows(`${others} and entity_type_id = any($2::bigint[])`, [kept, chosen.map(groupOf)]);
  else await rows(others, [kept]);
}

/** New projects need a process to lie in. */
export function keepDefaultProcess(changes: readonly Change[]): void {
  const lost = changes.find(({ before, values }) => before?.is_default === true && values.isDefault === false);
  if (!lost || changes.some(becomesDefault)) return;
  throw refuse(lost, 'IsDefault', 'one process is the default; make another one the default instead.');
}

/** A priority that moves to another kind is the default there. */
const becomesDefault = (change: Change): boolean =>
  currentValue<boolean>(change, 'isDefault') === true &&
  (change.isNew || 'isDefault' in change.values || 'entityType' in change.values);

const groupOf = (change: Change): number =>
  change.resource.name === 'Priority' ? (current(change, 'entityType') ?? 0) : 0;

function refuseTwo(chosen: readonly Change[]): void {
  const seen = new Set<number>();
  for (const change of chosen) {
    if (seen.has(groupOf(change))) throw refuse(change, 'IsDefault', 'only one can be the default.');
    seen.add(groupOf(change));
  }
}
