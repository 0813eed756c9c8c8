/** Checks each name and value of a Payload against the model and makes a Command of it. Refuses in the client's words. */
import { badMember } from '../errors.js';
import type { ReferenceField, ResourceType } from '../model/model.js';
import { nearest } from '../query/near.js';
import { collectionItems } from './collection-items.js';
import { type Command, emptyCommand, type ReferenceTarget } from './command.js';
import { customFieldsOf } from './custom-fields.js';
import { parseTags, tagsTwice } from './parse-tags.js';
import type { Payload, PayloadValue } from './payload.js';
import { typedScalar } from './typed-scalar.js';

export interface Place {
  /** Names an item of a bulk body, such as `[3].`; empty for a single entity. */
  path: string;
  timeZone: string;
  /** Whether some process defines a custom field of this name, which may then stand among the members itself. */
  isCustomField?: (resource: ResourceType, name: string) => boolean;
}

export function resolveCommand(
  payload: Payload,
  resource: ResourceType,
  pathId: number | undefined,
  place: Place,
): Command {
  const command = emptyCommand(resource, place.path, pathId);
  for (const { name, value } of payload.members) {
    const lower = name.toLowerCase();
    const path = `${place.path}${name}`;
    // The type is told by the address.
    if (lower === 'resourcetype') continue;
    if (lower === 'id') command.id = agreedId(idValue(value, path), pathId, path);
    else addMember(command, name, value, { ...place, path });
  }
  refuseTwice(command);
  return command;
}

function addMember(command: Command, name: string, value: PayloadValue, place: Place): void {
  const { resource } = command;
  if (name.toLowerCase() === 'customfields' && resource.settings.customFields) {
    command.customFields.push(...customFieldsOf(value, place.path));
    return;
  }
  const field = resource.field(name);
  if (!field) {
    addUnknown(command, name, value, place);
    return;
  }
  if (field.kind === 'collection') {
    // What cannot be added to is a view of something else, as read-only as a computed value.
    if (!field.canAdd) return;
    const items = collectionItems(value, field, place.path);
    command.collections.push({
      field,
      items: items.map((item, index) =>
        resolveCommand(item, field.target, undefined, { ...place, path: `${place.path}[${index}].` }),
      ),
    });
    return;
  }
  if (field.kind === 'scalar' && field.name === 'Tags' && field.expression) command.tags = parseTags(value, place.path);
  else if (!field.isSettable) return;
  else if (field.kind === 'scalar') command.scalars.push({ field, value: typedScalar(value, field, place) });
  else command.references.push({ field, to: referenceTarget(value, field, place.path) });
}

/** A custom field may stand among the members by its own name, as long as no field of the type has that name. */
function addUnknown(command: Command, name: string, value: PayloadValue, place: Place): void {
  const { resource } = command;
  if (place.isCustomField?.(resource, name)) {
    command.customFields.push({ name, value, path: place.path });
    return;
  }
  const near = nearest(
    name,
    resource.fields.map((field) => field.name),
  );
  throw badMember(place.path, `'${resource.name}' has no such field.${near ? ` Did you mean '${near}'?` : ''}`);
}

/** Two members that mean the same thing must not disagree, and neither may win in silence. */
function refuseTwice(command: Command): void {
  const { path, tags, collections, references } = command;
  const tagObjects = collections.find(({ field }) => field.name === 'TagObjects')?.items ?? [];
  if (tags && tagObjects.some(({ id }) => id === undefined)) throw tagsTwice(path);
  const known = new Map<string, ReferenceTarget>();
  for (const { field, to } of references) {
    const first = known.get(field.writesTo);
    if (first && JSON.stringify(first) !== JSON.stringify(to)) {
      throw badMember(`${path}${field.name}`, 'another member means the same field and says something else.');
    }
    known.set(field.writesTo, to);
  }
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
