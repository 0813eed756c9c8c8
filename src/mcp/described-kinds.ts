/** What kinds there are, and the fields, custom fields and states of one, in few words. */
import type { Field, ResourceType } from '../model/model.js';
import type { ToolContext } from './tool.js';

export function describeKinds({ model }: ToolContext) {
  const kinds = model.resources.filter(({ settings }) => settings.description);
  return Object.fromEntries(kinds.map(({ name, settings }) => [name, settings.description]));
}

export async function describeKind(resource: ResourceType, context: ToolContext) {
  const { name, settings, fields } = resource;
  const { create, update } = settings.operations;
  const [states, customFields] = await Promise.all([statesOf(name, context), customFieldsOf(name, context)]);
  return {
    kind: name,
    description: settings.description,
    canCreate: create && !settings.answeredOnCreate,
    canUpdate: update,
    fields: Object.fromEntries(fields.map((field) => [field.name, wordsOf(field)])),
    ...(customFields.length > 0 && { customFields }),
    ...(Object.keys(states).length > 0 && { states }),
  };
}

function wordsOf(field: Field): string {
  if (field.kind === 'collection') return `list of ${field.target.name}`;
  const type = field.kind === 'reference' ? `one ${field.target.name}` : (field.choices?.join(' | ') ?? field.scalar);
  const notes = [field.isRequired && field.isSettable && 'required', !field.isSettable && 'read only'];
  return [type, ...notes.filter(Boolean), field.description.replace(/\.$/, '')].filter(Boolean).join(', ');
}

interface State {
  readonly name: string;
  readonly isInitial: boolean;
  readonly isFinal: boolean;
  readonly process: string;
}

/** By process; of each the states from the first to the last. */
async function statesOf(kind: string, { api }: ToolContext): Promise<Record<string, string[]>> {
  const { items } = await api.call<{ items: State[] }>({
    method: 'GET',
    path: '/api/v2/EntityState',
    query: {
      where: `entityType.name=='${kind}'`,
      select: '{name,isInitial,isFinal,process:process.name}',
      orderBy: 'process.name,numericPriority',
      take: '200',
    },
  });
  const states: Record<string, string[]> = {};
  for (const { name, isInitial, isFinal, process } of items) {
    states[process] ??= [];
    states[process].push(name + (isInitial ? ' (first)' : '') + (isFinal ? ' (final)' : ''));
  }
  return states;
}

interface CustomField {
  readonly name: string;
  readonly type: string;
  readonly options?: string;
  readonly process?: string;
}

async function customFieldsOf(kind: string, { api }: ToolContext): Promise<object[]> {
  const { items } = await api.call<{ items: CustomField[] }>({
    method: 'GET',
    path: '/api/v2/CustomField',
    query: {
      where: `entityType.name=='${kind}'`,
      select: '{name,type:fieldType,options:value.substring(0,1000),process:process.name}',
      orderBy: 'name,id',
      take: '200',
    },
  });
  return items.map(({ options, ...field }) => ({ ...field, ...(options && { options: options.split(/\r?\n/) }) }));
}
