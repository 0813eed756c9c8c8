/** Custom fields of a thing: what is stored, less the pointers at what the caller may not see. */
import type { ResourceType } from '../../../src/model/model.js';
import type { Definition, Dump } from './dump.js';
import type { Thing, Value } from './world.js';

/** The definitions that a kind has in any process. */
export const definitionsOf = ({ entityTypeIds }: ResourceType, dump: Dump): readonly Definition[] =>
  dump.definitions.filter((one) => entityTypeIds.includes(one.entityTypeId));

/** A name that means different types in different processes is compared as a text. */
export function customType(resource: ResourceType, name: string, dump: Dump): string {
  const types = new Set(definitionsOf(resource, dump).flatMap((one) => (one.name === name ? one.type : [])));
  return types.size === 1 ? [...types][0]! : 'Text';
}

/** What a filter or an order takes the value for. */
export function customValue(thing: Thing, name: string): Value {
  const { resource, world } = thing;
  const stored = storedValue(thing, name);
  switch (customType(resource, name, world.dump)) {
    case 'Number':
    case 'Money':
      return typeof stored === 'number' ? stored : null;
    case 'CheckBox':
      return typeof stored === 'boolean' ? stored : null;
    case 'Date':
      return stored === null ? null : Date.parse(String(stored));
    case 'Entity':
      return (stored as Pointer | null)?.Id ?? null;
    case 'URL':
      return (stored as { Url: string } | null)?.Url ?? null;
    default:
      return stored === null || typeof stored === 'object' ? null : String(stored);
  }
}

export const hasCustomValue = (thing: Thing, name: string): boolean => storedValue(thing, name) !== null;

interface Pointer {
  Id: number;
  Kind: string;
}

function storedValue({ resource, row, world }: Thing, name: string): unknown {
  const stored = (row.custom_values as Record<string, unknown> | null)?.[name] ?? null;
  const types = definitionsOf(resource, world.dump).flatMap((one) => (one.name === name ? one.type : []));
  if (!types.includes('Entity') && !types.includes('MultipleEntities')) return stored;
  if (typeof stored === 'string') return severalSeen(stored, world);
  const pointer = stored as Pointer | null;
  return pointer && isSeen(pointer, world) ? pointer : null;
}

function severalSeen(stored: string, world: Thing['world']): string | null {
  const seen = stored.split(',').filter((one) => {
    const [id, kind] = one.split(' ');
    return isSeen({ Id: Number(id), Kind: String(kind) }, world);
  });
  return seen.length === 0 ? null : seen.join(',');
}

const isPerson = ({ Kind }: Pointer): boolean => ['user', 'requester'].includes(Kind.toLowerCase());

const isSeen = (pointer: Pointer, world: Thing['world']): boolean =>
  isPerson(pointer) || world.thing(world.model.resource('General'), pointer.Id) !== undefined;

/** The list that an answer shows: every field of the process and kind, unset ones null. */
export function shownCustomFields(thing: Thing): Record<string, unknown>[] {
  const { resource, row, world } = thing;
  const kind = kindsOf(resource).find(({ settings }) => settings.entityTypeId === kindOf(thing));
  if (!kind) return [];
  const own = world.dump.definitions.filter((one) => one.entityTypeId === kind.settings.entityTypeId);
  const process = processOf(kind, row, world);
  return own
    .filter(({ processId }) => processId === null || processId === process)
    .map(({ name, type }) => ({
      Name: name,
      Type: type,
      Value: shownValue(ofItsType(thing, name, type), type, world),
    }));
}

/** Something of another type is its text to a text field and nothing to the others. */
function ofItsType(thing: Thing, name: string, type: string): unknown {
  const stored = storedValue(thing, name);
  const wanted = shownAs[type];
  if (stored === null || wanted === undefined) return stored;
  if (typeof stored === wanted) return stored;
  if (wanted !== 'string') return null;
  return typeof stored === 'object' ? ((stored as { Url?: string }).Url ?? null) : String(stored);
}

const shownAs: Record<string, string | undefined> = {
  Text: 'string',
  RichText: 'string',
  TemplatedURL: 'string',
  DropDown: 'string',
  MultipleSelectionList: 'string',
  MultipleEntities: 'string',
  Number: 'number',
  Money: 'number',
  CheckBox: 'boolean',
};

const kindsOf = (resource: ResourceType): ResourceType[] => [
  resource,
  ...[...(resource.like ? [resource.like] : []), ...resource.derived].flatMap(kindsOf),
];

/** The entity type of a row: its own column, or that of its kind. */
function kindOf({ resource, row }: Thing): unknown {
  if ((resource.like ?? resource).root.name === 'General') return row.entity_type_id;
  if (resource.root.name !== 'GeneralUser') return resource.settings.entityTypeId;
  return { User: 6, Requester: 18 }[String(row.kind)];
}

function processOf({ settings }: ResourceType, row: Thing['row'], { dump }: Thing['world']): unknown {
  if (settings.customFields === 'own') return row.process_id;
  return settings.customFields === 'project' ? dump.row('general', row.project_id)?.process_id : undefined;
}

function shownValue(stored: unknown, type: string, { dump }: Thing['world']): unknown {
  if (stored === null) return null;
  if (type === 'Date') return Date.parse(String(stored));
  if (type !== 'Entity') return stored;
  const pointer = stored as Pointer;
  const row = dump.row(isPerson(pointer) ? 'general_user' : 'general', pointer.Id);
  const person = [row?.first_name, row?.last_name].filter((one) => typeof one === 'string').join(' ');
  return { Id: pointer.Id, Kind: pointer.Kind, Name: isPerson(pointer) ? person : (row?.name ?? null) };
}
