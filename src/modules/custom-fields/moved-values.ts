/**
 * What comes to another process keeps the values of fields that are there as well, of the same type and name, in
 * whatever case; of what was chosen, in the spelling of the options there. All others go, so that a value is always one
 * of its field: what it is, and whether it points at something, depends on that alone.
 */
import { type Change, current, type Work } from '../../command/change.js';
import type { CustomFieldDefinition } from '../../query/meaning.js';
import { processOf } from '../process/workflow-rules.js';
import { named } from './fields-of-process.js';

type Fields = readonly CustomFieldDefinition[];

interface Kept {
  from: string;
  to: CustomFieldDefinition;
}

export const keptFields = (from: Fields, to: Fields): Kept[] =>
  from.flatMap(({ name, type }) => {
    const field = named(to, name);
    return field?.type === type ? [{ from: name, to: field }] : [];
  });

export function movedValues(values: Readonly<Record<string, unknown>>, from: Fields, to: Fields) {
  const kept = keptFields(from, to).filter((one) => Object.hasOwn(values, one.from));
  return Object.fromEntries(kept.map((one) => [one.to.name, spelled(values[one.from], one.to)]));
}

function spelled(value: unknown, { type, options }: CustomFieldDefinition): unknown {
  if (type !== 'DropDown' || typeof value !== 'string' || options.includes(value)) return value;
  const word = value.toLowerCase();
  return options.find((option) => option.toLowerCase() === word) ?? value;
}

export interface Move {
  change: Change;
  /** Processes; undefined: in none. */
  from: number | undefined;
  to: number | undefined;
}

/** A project gets another process; what lies in projects may come to one of another. */
const getsProcess = ({ before, resource, values }: Change): boolean =>
  before !== undefined && resource.settings.customFields === 'own' && 'process' in values;
const getsProject = ({ before, resource, values }: Change): boolean =>
  before !== undefined && resource.settings.customFields === 'project' && 'project' in values;

/** Who asks this first does not wait for what is no move, so that statements travel together. */
export const mayMove = (change: Change): boolean => getsProcess(change) || getsProject(change);

/** Those of the changes that come to another process: by another one of a project, or by another project. */
export async function movesAmong(changes: readonly Change[], work: Work): Promise<Move[]> {
  const own = changes.filter(getsProcess);
  const lying = changes.filter(getsProject);
  const projectOf = ({ before }: Change) => before!.project_id as number | null;
  const processes = await processesOf(
    lying.map(projectOf).filter((id) => id !== null),
    work,
  );
  return [
    ...own.map((change) => ({ change, from: change.before!.process_id, to: current(change, 'process') })),
    ...lying.map((change) => ({ change, from: processes.get(projectOf(change)!), to: processOf(change, work) })),
  ]
    .map(({ change, from, to }) => ({ change, from: (from as number | null) ?? undefined, to }))
    .filter(({ from, to }) => from !== to);
}

async function processesOf(projects: readonly number[], { rows }: Work): Promise<Map<number, number | null>> {
  if (projects.length === 0) return new Map();
  const text = 'select id, process_id as process from general where id = any($1::bigint[])';
  const all = await rows<{ id: number; process: number | null }>(text, [[...new Set(projects)]]);
  return new Map(all.map(({ id, process }) => [id, process]));
}
