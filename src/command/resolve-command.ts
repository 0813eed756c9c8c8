/** Checks each name and value of a Payload against the model and makes a Command of it. Refuses in the client's words. */
import { badMember } from '../errors.js';
import type { ReferenceField, ResourceType } from '../model/model.js';
import { nearest } from '../query/near.js';
import type { Command, ReferenceTarget } from './command.js';
import type { Payload, PayloadValue } from './payload.js';
import { typedScalar } from './typed-scalar.js';

export interface Place {
  /** Names an item of a bulk body, such as `[3].`; empty for a single entity. */
  path: string;
  timeZone: string;
}

export function resolveCommand(
  payload: Payload,
  resource: ResourceType,
  pathId: number | undefined,
  place: Place,
): Command {
  const command: Command = { resource, id: pathId, scalars: [], references: [] };
  for (const { name, value } of payload.members) {
    const lower = name.toLowerCase();
    const path = `${place.path}${name}`;
    if (lower === 'resourcetype') continue;
    if (lower === 'id') command.id = agreedId(idValue(value, path), pathId, path);
    else addMember(command, name, value, { ...place, path });
  }
  return command;
}

function addMember(command: Command, name: string, value: PayloadValue, place: Place): void {
  const field = command.resource.field(name);
  if (!field) throw unknownMember(command.resource, name, place.path);
  if (field.kind === 'collection')
    throw badMember(place.path, 'a collection cannot be written together with its owner yet.');
  if (field.kind === 'scalar' && field.name === 'Tags') throw badMember(place.path, 'tags cannot be written yet.');
  if (!field.isSettable) return;
  if (field.kind === 'scalar') command.scalars.push({ field, value: typedScalar(value, field, place) });
  else command.references.push({ field, to: referenceTarget(value, field, place.path) });
}

function unknownMember(resource: ResourceType, name: string, path: string) {
  if (name.toLowerCase() === 'customfields' && resource.settings.customFields) {
    return badMember(path, 'custom fields cannot be written yet.');
  }
  const near = nearest(
    name,
    resource.fields.map((field) => field.name),
  );
  return badMember(path, `'${resource.name}' has no such field.${near ? ` Did you mean '${near}'?` : ''}`);
}

function agreedId(id: number | undefined, pathId: number | undefined, path: string): number | undefined {
  if (id !== undefined && pathId !== undefined && id !== pathId) {
    throw badMember(path, `the body says ${id}, the address says ${pathId}.`);
  }
  return id ?? pathId;
}

function idValue(value: PayloadValue, path: string): number | undefined {
  if (value.kind === 'null') return undefined;
  const text = value.kind === 'number' || value.kind === 'text' ? value.text.trim() : '';
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2_147_483_647) throw badMember(path, 'an Id is a whole number.');
  return Number(text);
}

/** Types whose rows may be named instead of numbered. */
const nameable = new Set(['EntityState', 'Role', 'Priority', 'Severity']);

/** `{Id}` counts, other members beside it are ignored; null, and nothing in XML, clears. */
function referenceTarget(value: PayloadValue, field: ReferenceField, path: string): ReferenceTarget {
  const isNothing = value.kind === 'null' || (value.kind === 'text' && value.text.trim() === '');
  if (isNothing) {
    if (field.isRequired) throw badMember(path, 'a value is required.');
    return { kind: 'none' };
  }
  if (value.kind !== 'object') throw badMember(path, 'a reference is an object with an Id, such as {"Id": 5}.');
  const member = (name: string) => value.object.members.find((found) => found.name.toLowerCase() === name)?.value;
  const said = member('id');
  if (said) {
    const id = idValue(said, `${path}.Id`);
    if (id !== undefined) return { kind: 'id', id };
    if (field.isRequired) throw badMember(path, 'a value is required.');
    return { kind: 'none' };
  }
  const name = member('name');
  if (name?.kind === 'text' && nameable.has(field.target.name)) return { kind: 'name', name: name.text };
  throw badMember(path, 'a reference needs the Id of an existing entity.');
}
