/** One of the final states of a workflow is the default one, as long as there is any. */
import { type Change, current, refuse, type Work } from '../../command/change.js';

export interface StoredState {
  id: number;
  workflow_id: number;
  is_initial: boolean;
  is_final: boolean;
  is_default_final: boolean;
}

/** The stored states that become the default without being written themselves: one or none. */
export function keepDefaultFinal(group: readonly Change[], stored: readonly StoredState[]): number[] {
  refuseDefaults(group);
  for (const change of group) {
    if (change.before?.is_default_final && !isFinal(change)) change.values.isDefaultFinal = false;
  }
  const written = new Map(group.map((change) => [change.id, change]));
  const staysFinal = ({ id, is_final }: StoredState): boolean => written.get(id)?.values.isFinal !== false && is_final;
  if (group.some(becomesDefault) || stored.some((state) => state.is_default_final && staysFinal(state))) return [];
  const first = stored.find((state) => !written.has(state.id) && state.is_final);
  const change = group.find(isFinal);
  if (!first && change) change.values.isDefaultFinal = true;
  return first ? [first.id] : [];
}

function refuseDefaults(group: readonly Change[]): void {
  const [first, second] = group.filter(becomesDefault);
  if (second) throw refuse(second, 'IsDefaultFinal', 'only one final state of a workflow can be the default one.');
  if (first && !isFinal(first)) throw refuse(first, 'IsDefaultFinal', 'only a final state can be the default one.');
  if (first) return;
  const lost = group.find(
    (change) => change.before?.is_default_final && change.values.isDefaultFinal === false && isFinal(change),
  );
  if (lost)
    throw refuse(lost, 'IsDefaultFinal', 'one final state is the default one; make another one the default instead.');
}

const becomesDefault = ({ values }: Change): boolean => values.isDefaultFinal === true;

const isFinal = ({ values, before }: Change): boolean => (values.isFinal ?? before?.is_final) === true;

/** What becomes the default takes it from the other. `others` are stored already. */
export async function takeDefaultFinal(
  changes: readonly Change[],
  others: readonly number[],
  rows: Work['rows'],
): Promise<void> {
  const chosen = changes.filter(becomesDefault);
  const given = changes.filter(({ values }) => values.isDefaultFinal === false);
  if (chosen.length + given.length + others.length === 0) return;
  await rows(
    `update entity_state set is_default_final = false where is_default_final
       and (workflow_id = any($1::bigint[]) and id <> all($2::bigint[]) or id = any($3::bigint[]))`,
    [
      chosen.map((change) => current(change, 'workflow')),
      chosen.flatMap(({ id }) => id ?? []),
      given.flatMap(({ id }) => id ?? []),
    ],
  );
  if (others.length > 0)
    await rows('update entity_state set is_default_final = true where id = any($1::bigint[])', [others]);
}
