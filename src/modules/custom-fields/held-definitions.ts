/**
 * Values are kept by the names of their definitions. So whoever writes values holds the definitions as they are until
 * the transaction ends, and whoever changes definitions waits for those who hold them, and has others wait. What a
 * process remembers of definitions may be a second old: a name that is gone by now would take values that nobody reads.
 */
import type { Work } from '../../command/change.js';
import type { Circumstances } from '../../command/circumstances.js';
import type { Command } from '../../command/command.js';
import { everyCommand } from '../../command/traverse.js';
import type { CustomFieldGroup } from '../../query/meaning.js';
import type { Catalogue } from './catalogue.js';

const lock = `hashtext('worktrack.custom-fields')`;
const hold = `select pg_advisory_xact_lock_shared(${lock})`;

const held = new WeakMap<Work, Promise<readonly CustomFieldGroup[]>>();

/**
 * Ahead of all rows, since who changes definitions has that lock before he comes to rows. Travels with the beginning of
 * the transaction.
 */
export async function holdAhead(commands: readonly Command[], work: Circumstances, catalogue: Catalogue) {
  for (const command of everyCommand(commands)) {
    if (mayWriteValues(command)) return void (await begun(work, work.early, catalogue));
  }
}

/** What moves to another project may lose values. */
const mayWriteValues = ({ id, customFields, references }: Command): boolean =>
  customFields.length > 0 || (id !== undefined && references.some(({ field }) => field.name === 'Project'));

/** Those that what was begun ahead holds; or, where a rule turns out to write values, from now on. */
export const heldDefinitions = (work: Work, catalogue: Catalogue): Promise<readonly CustomFieldGroup[]> =>
  held.get(work) ?? begun(work, work.rows, catalogue);

function begun(work: Work, rows: Work['rows'], catalogue: Catalogue): Promise<readonly CustomFieldGroup[]> {
  const groups = Promise.all([rows(hold), catalogue.within({ rows })]).then(([, found]) => found);
  held.set(work, groups);
  return groups;
}

/** For who changes them: nobody writes values until he is through. */
export async function lockDefinitions({ rows }: Pick<Work, 'rows'>): Promise<void> {
  await rows(`select pg_advisory_xact_lock(${lock})`);
}
