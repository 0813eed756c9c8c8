/**
 * Values are kept by the names of their definitions. So whoever writes values holds the definitions as they are until
 * the transaction ends, and whoever changes definitions waits for those who hold them, and has others wait. What a
 * process remembers of definitions may be a second old: a name that is gone by now would take values that nobody reads.
 */
import type { Work } from '../../command/change.js';
import type { Circumstances } from '../../command/circumstances.js';
import type { Command } from '../../command/command.js';
import { everyCommand, getsProcess, mayMove } from '../../command/traverse.js';
import type { Model, ResourceType } from '../../model/model.js';
import type { CustomFieldGroup } from '../../query/meaning.js';
import type { Catalogue } from './catalogue.js';

/** A lock for each kind, in ascending order. */
const locked = (take: string): string =>
  `select ${take}(hashtext('worktrack.custom-fields'), kind) from (select unnest($1::int[]) as kind order by 1) kinds`;

interface Held {
  readonly kinds: readonly number[];
  readonly groups: Promise<readonly CustomFieldGroup[]>;
}

/** By what is known within a transaction. */
const held = new WeakMap<Work['facts'], Held>();

/**
 * Ahead of all rows, since who changes definitions has that lock before he comes to rows. Travels with the beginning of
 * the transaction.
 */
export async function holdAhead(commands: readonly Command[], work: Circumstances, catalogue: Catalogue) {
  const kinds = new Set<number>();
  for (const command of everyCommand(commands))
    for (const resource of writtenBy(command, work)) for (const kind of resource.entityTypeIds) kinds.add(kind);
  if (kinds.size > 0) await begun(work, { kinds: [...kinds], rows: work.early, read: (from) => catalogue.ahead(from) });
}

/** Whose values it writes: what moves to another project may lose some, and so may its times. */
function writtenBy(command: Command, { model }: Pick<Circumstances, 'model'>): ResourceType[] {
  const { resource, id, customFields } = command;
  if (id !== undefined && getsProcess(command)) return [model.general, ...hanging(model)];
  if (id !== undefined && mayMove(command)) return [resource, ...hanging(model)];
  return customFields.length > 0 ? [resource] : [];
}

/** What has values by a project and is no General, such as times. */
const hanging = ({ resources }: Model): ResourceType[] =>
  resources.filter(({ settings, isGeneral, like }) => settings.customFields === 'project' && !isGeneral && !like);

/** Those that what was begun ahead holds; or, where a rule turns out to write values, from now on. */
export function heldDefinitions(
  resource: ResourceType,
  work: Work,
  catalogue: Catalogue,
): Promise<readonly CustomFieldGroup[]> {
  const before = held.get(work.facts);
  const kinds = resource.entityTypeIds.filter((kind) => !before?.kinds.includes(kind));
  return before && kinds.length === 0
    ? before.groups
    : begun(work, { kinds, rows: work.rows, read: (from) => catalogue.within(from) });
}

interface Beginning {
  readonly kinds: readonly number[];
  readonly rows: Work['rows'];
  readonly read: Catalogue['within'];
}

function begun(work: Work, { kinds, rows, read }: Beginning): Promise<readonly CustomFieldGroup[]> {
  const lock = rows(locked('pg_advisory_xact_lock_shared'), [kinds]);
  const groups = Promise.all([lock, read({ rows })]).then(([, definitions]) => definitions);
  held.set(work.facts, { kinds: [...(held.get(work.facts)?.kinds ?? []), ...kinds], groups });
  return groups;
}

/** For who changes those of these kinds: nobody writes values of such until he is through. */
export async function lockDefinitions(kinds: readonly number[], { rows }: Pick<Work, 'rows'>): Promise<void> {
  await rows(locked('pg_advisory_xact_lock'), [[...new Set(kinds)]]);
}
