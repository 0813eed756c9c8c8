/**
 * What moves to another process keeps the values of fields that are defined there with the same name and type; the
 * record of changes keeps the others. An item that does not show a value is not found by it. Where a name is spelled
 * otherwise there, so is that of the value.
 */
import type { Change, Work } from '../../command/change.js';
import type { ResourceType } from '../../model/model.js';
import type { CustomFieldDefinition, CustomFieldGroup } from '../../query/meaning.js';
import { processOf } from '../process/workflow-rules.js';
import { fieldsOf, named } from './fields-of-process.js';

/** The values of one entity that may come to another process. */
export interface MovedValues {
  /** The fields of the process that it comes to. */
  readonly fields: readonly CustomFieldDefinition[];
  /** Whether a value that it has by this name can be one of the field. */
  fits(field: CustomFieldDefinition, name?: string): boolean;
  /** Names of the fields whose values are sent along. */
  readonly sent: Set<string>;
}

type Definitions = (resource: ResourceType) => Promise<readonly CustomFieldGroup[]>;

export async function movesOf(changes: readonly Change[], work: Work, definitions: Definitions) {
  const moves = new Map<Change, MovedValues>();
  const moved = changes.filter((change) => changesProcess(change) && valuesBefore(change).length > 0);
  if (moved.length === 0) return moves;
  const processes = await processesBefore(moved, work);
  for (const change of moved) {
    const groups = await definitions(change.resource);
    const fields = fieldsOf(groups, change.resource, processOf(change, work));
    const fieldsBefore = fieldsOf(groups, change.resource, processes.get(change));
    const types = new Map(fieldsBefore.map(({ name, type }) => [name, type]));
    const fits = (field: CustomFieldDefinition, name = field.name): boolean => types.get(name) === field.type;
    moves.set(change, { fields, fits, sent: new Set() });
  }
  return moves;
}

/** A project gets another one; what lies in projects may come to one of another. */
const changesProcess = ({ resource: { settings }, values }: Change): boolean =>
  (settings.customFields === 'own' && 'process' in values) ||
  (settings.customFields === 'project' && 'project' in values);

const valuesBefore = ({ before }: Change): [name: string, value: unknown][] =>
  Object.entries((before?.custom_values as object | undefined) ?? {});

/** The processes that entities are of before they move. */
async function processesBefore(changes: readonly Change[], work: Work): Promise<Map<Change, number | undefined>> {
  const processes = new Map<Change, number | undefined>();
  const places = new Map<Change, unknown>();
  for (const change of changes) {
    const { resource, before, id } = change;
    const process =
      resource.settings.customFields === 'own'
        ? (before!.process_id as number | null)
        : work.facts.any(id!, resource.name, ...resource.bases.map(({ name }) => name))?.process;
    if (typeof process === 'number') processes.set(change, process);
    else places.set(change, before!.project_id ?? before!.assignable_id);
  }
  if (places.size === 0) return processes;
  const rows = await work.rows<{ id: number; process: number | null }>(processOfPlace, [[...places.values()]]);
  const byPlace = new Map<unknown, number | null>(rows.map(({ id, process }) => [id, process]));
  for (const [change, place] of places) processes.set(change, byPlace.get(place) ?? undefined);
  return processes;
}

/** Of a project, or of an item in it. */
const processOfPlace = `select g.id, coalesce(p.process_id, g.process_id) as process
  from general g left join general p on p.id = g.project_id where g.id = any($1::bigint[])`;

export function dropMisfits(change: Change, { fields, fits, sent }: MovedValues): void {
  const before = valuesBefore(change);
  const misfits = before.filter(
    ([name]) => !sent.has(name) && !fields.some((field) => field.name === name && fits(field)),
  );
  if (misfits.length === 0) return;
  const respelled = misfits.flatMap(([name, value]) => {
    const field = named(fields, name);
    return field && fits(field, name) && !before.some(([other]) => other === field.name) ? [[field.name, value]] : [];
  });
  const gone = Object.fromEntries(misfits.map(([name]) => [name, null]));
  const written = change.values.customValues as object | undefined;
  change.values.customValues = { ...Object.fromEntries(respelled), ...written, ...gone };
}
