/** What kinds there are, and the fields, custom fields and states of one, in few words. */
import type { Field, ResourceType } from '../model/model.js';
import { projectIn } from './field-values.js';
import type { ToolContext } from './tool.js';

export function describeKinds({ model }: ToolContext) {
  const kinds = model.resources.filter(({ settings }) => settings.description);
  return Object.fromEntries(kinds.map(({ name, settings }) => [name, settings.description]));
}

/** `project`: states and custom fields are those of its process. */
export async function describeKind(resource: ResourceType, context: ToolContext, project?: number | string) {
  const { name, settings, fields } = resource;
  const { create, update } = settings.operations;
  const ofKind = `entityType.name=='${name}'`;
  const within: Within =
    project === undefined
      ? { where: ofKind, others: 'Give project for those of one process, or call list' }
      : { where: `${ofKind}${await ofProcess(project, context)}`, others: 'Call list' };
  const [states, customFields] = await Promise.all([statesOf(within, context), customFieldsOf(within, context)]);
  return {
    kind: name,
    description: settings.description,
    canCreate: create && !settings.answeredOnCreate,
    canUpdate: update,
    fields: Object.fromEntries(fields.map((field) => [field.name, wordsOf(field)])),
    ...customFields,
    ...states,
  };
}

/** Users and teams are of no process. Errors: 404. */
async function ofProcess(project: number | string, context: ToolContext): Promise<string> {
  const id = await projectIn(context, project);
  const { items } = await context.api.call<{ items: { process: number }[] }>({
    method: 'GET',
    path: `/api/v2/Project/${id}`,
    query: { select: '{process:process.id}' },
  });
  return ` and (process is null or process.id==${items[0]!.process})`;
}

function wordsOf(field: Field): string {
  if (field.kind === 'collection') return `list of ${field.target.name}`;
  const type = field.kind === 'reference' ? `one ${field.target.name}` : (field.choices?.join(' | ') ?? field.scalar);
  const notes = [field.isRequired && field.isSettable && 'required', !field.isSettable && 'read only'];
  return [type, ...notes.filter(Boolean), field.description.replace(/\.$/, '')].filter(Boolean).join(', ');
}

interface Within {
  readonly where: string;
  /** How those that have no room follow; the call stands behind it. */
  readonly others: string;
}

interface Definitions<Row> {
  readonly kind: 'EntityState' | 'CustomField';
  readonly select: readonly string[];
  /** What a tool selects for the same. */
  readonly listed: readonly string[];
  readonly orderBy: string;
  /** Characters. */
  readonly room: number;
  /** Gives what was added to the answer. */
  add(row: Row): unknown;
}

/** As many as there is room for. Gives the call for the others. */
async function fill<Row>(
  { kind, select, listed, orderBy, room, add }: Definitions<Row>,
  { where, others }: Within,
  { api }: ToolContext,
): Promise<string | undefined> {
  const { items, next } = await api.call<{ items: Row[]; next?: string }>({
    method: 'GET',
    path: `/api/v2/${kind}`,
    query: { where, select: `{${select.join()}}`, orderBy, take: '1000' },
  });
  let [length, shown] = [0, 0];
  for (; shown < items.length && length < room; shown += 1) length += JSON.stringify(add(items[shown]!)).length;
  if (shown === items.length && next === undefined) return undefined;
  return `${others} ${JSON.stringify({ kind, where, select: listed, orderBy, skip: shown })}`;
}

interface State {
  readonly name: string;
  readonly isInitial: boolean;
  readonly isFinal: boolean;
  readonly process: string;
}

/** By process; of each the states from the first to the last. */
async function statesOf(within: Within, context: ToolContext): Promise<object> {
  const states = new Map<string, string[]>();
  const moreStates = await fill<State>(
    {
      kind: 'EntityState',
      select: ['name', 'isInitial', 'isFinal', 'process:process.name'],
      listed: ['name', 'isInitial', 'isFinal', 'process.name'],
      orderBy: 'process.name,numericPriority,id',
      room: 8000,
      add: ({ name, isInitial, isFinal, process }) => {
        const state = name + (isInitial ? ' (first)' : '') + (isFinal ? ' (final)' : '');
        states.set(process, [...(states.get(process) ?? []), state]);
        return state;
      },
    },
    within,
    context,
  );
  return { ...(states.size > 0 && { states: Object.fromEntries(states) }), ...(moreStates && { moreStates }) };
}

interface CustomField {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly options?: string;
  readonly length?: number;
  readonly process?: string;
}

const optionsLength = 1000;

/** Those that several processes define alike are one. */
async function customFieldsOf(within: Within, context: ToolContext): Promise<object> {
  const shown = new Map<string, { processes?: string[] }>();
  const moreCustomFields = await fill<CustomField>(
    {
      kind: 'CustomField',
      select: [
        ...['id', 'name', 'type:fieldType', 'process:process.name'],
        ...[`options:value.substring(0,${optionsLength})`, 'length:value.length()'],
      ],
      listed: ['name', 'fieldType', 'value', 'process.name'],
      orderBy: 'name,id',
      room: 12_000,
      add: (field) => {
        const { name, type, process } = field;
        const options = optionsOf(field);
        const same = JSON.stringify([name, type, options]);
        const equal = shown.get(same);
        if (equal && process !== undefined) {
          equal.processes?.push(process);
          return process;
        }
        const one = { name, type, ...(options && { options }), ...(process !== undefined && { processes: [process] }) };
        shown.set(same, one);
        return one;
      },
    },
    within,
    context,
  );
  return {
    ...(shown.size > 0 && { customFields: [...shown.values()] }),
    ...(moreCustomFields && { moreCustomFields }),
  };
}

/** Whole ones, and the call for those that have no room. */
function optionsOf({ id, options, length = 0 }: CustomField): string[] | undefined {
  if (!options) return undefined;
  const characters = [...options];
  if (length <= characters.length) return options.split(/\r?\n/);
  const from = characters.lastIndexOf('\n') + 1;
  const rest = JSON.stringify({ kind: 'CustomField', id, text: 'value', from });
  const whole = characters.slice(0, from).join('').split(/\r?\n/).slice(0, -1);
  return [...whole, `… [more options: get ${rest}]`];
}
