/** Who is sent as AssignedUser is assigned, unless he is already, in whatever role. */
import type { Change, Work } from '../../command/change.js';
import type { Command } from '../../command/command.js';

interface Assigned {
  item: number;
  person: number;
}

export async function keepAssigned(changes: readonly Change[], { rows }: Work): Promise<void> {
  const sent = changes.filter(({ command }) => linksOf(command).some(({ joinsOnly }) => joinsOnly));
  if (sent.length === 0) return;
  const ids = sent.flatMap(({ id }) => id ?? []);
  const stored = await rows<Assigned>(
    'select assignable_id as item, general_user_id as person from assignment where assignable_id = any($1::bigint[])',
    [ids],
  );
  for (const change of sent) {
    const people = new Set(stored.filter(({ item }) => item === change.id).map(({ person }) => person));
    for (const link of linksOf(change.command)) if (!link.joinsOnly) people.add(personOf(link));
    for (const { items } of change.command.collections) leaveOut(items, people);
  }
}

const linksOf = ({ collections }: Command): Command[] =>
  collections.filter(({ field }) => field.name === 'Assignments').flatMap(({ items }) => items);

function personOf({ references }: Command): number {
  const to = references.find(({ field }) => field.name === 'GeneralUser')?.to;
  return to?.kind === 'id' ? to.id : 0;
}

function leaveOut(items: Command[], people: ReadonlySet<number>): void {
  const left = items.filter((item) => !(item.joinsOnly && people.has(personOf(item))));
  items.splice(0, items.length, ...left);
}
