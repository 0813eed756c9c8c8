/**
 * Checks each name and value of a Payload against the model and makes a Command of it. Refuses in the client's words.
 */
import { badMember, unknownMember } from '../errors.js';
import { isAppended } from '../model/appended.js';
import { ownerReference } from '../model/collections.js';
import type { CollectionField, JoinedBy, ReferenceField, ResourceType, ScalarField } from '../model/model.js';
import { nearest } from '../texts/near.js';
import type { Sliced } from '../turns/slices.js';
import { isBare } from './bare-value.js';
import { collectionItems } from './collection-items.js';
import { type Command, emptyCommand, otherMeaning, type ReferenceTarget, type SentScalar } from './command.js';
import { customFieldsOf } from './custom-fields.js';
import { parseTags, tagsTwice } from './parse-tags.js';
import {
  bodyLimits,
  givenTwice,
  idOf,
  type Payload,
  type PayloadMember,
  type PayloadValue,
  repeatedName,
  tooManyEntities,
  tooManyTags,
} from './payload.js';
import { laterOccurrences, typedScalar } from './typed-scalar.js';

export interface BodyContext {
  /** Names an item of a bulk body, such as `[3].`; empty for a single entity. */
  path: string;
  timeZone: string;
  /** Whether some process defines a custom field of this name, which may then stand among the members itself. */
  isCustomField?: (resource: ResourceType, name: string) => boolean;
  /** How many entities the body has had so far, items of collections included, and tags. */
  counted?: { entities: number; tags: number };
}

/** The entities of a bulk body. */
export function* resolveCommands(
  payloads: readonly Payload[],
  resource: ResourceType,
  place: Omit<BodyContext, 'path'>,
): Sliced<Command[]> {
  const counted = { entities: 0, tags: 0 };
  const commands: Command[] = [];
  for (const [index, payload] of payloads.entries())
    commands.push(yield* resolveCommand(payload, resource, undefined, { ...place, counted, path: `[${index}].` }));
  return commands;
}

export function* resolveCommand(
  payload: Payload,
  resource: ResourceType,
  pathId: number | undefined,
  place: BodyContext,
): Sliced<Command> {
  const { counted = { entities: 0, tags: 0 } } = place;
  counted.entities += 1;
  if (counted.entities > bodyLimits.entities) throw tooManyEntities();
  yield;
  const command = emptyCommand(resource, place.path, pathId);
  if (payload.element !== undefined) command.element = payload.element;
  for (const member of payload.members) {
    const { name, value } = member;
    const lower = name.toLowerCase();
    // The type is given by the address.
    if (lower === 'resourcetype') continue;
    const path = `${place.path}${name}`;
    const field = resource.field(name);
    if (lower === 'id') command.id = agreedId(idValue(value, path) || undefined, pathId, path);
    else if (field?.kind === 'collection') yield* addItems(command, field, value, { ...place, counted, path });
    else addMember(command, member, field, { ...place, path });
  }
  refuseTwice(command);
  counted.tags += command.tags?.length ?? 0;
  if (counted.tags > bodyLimits.tags) throw tooManyTags();
  return command;
}

function* addItems(command: Command, field: CollectionField, value: PayloadValue, place: BodyContext): Sliced<void> {
  if (field.joinedBy) return addLinks(command, field.joinedBy, collectionItems(value, field, place.path), place);
  if (!field.canAdd) return refuseNewItems(field, collectionItems(value, field, place.path), place);
  const items: Command[] = [];
  for (const [index, item] of collectionItems(value, field, place.path).entries()) {
    const path = `${place.path}[${index}].`;
    items.push(yield* resolveItem(item, field, { ...place, path }));
  }
  command.collections.push({ field, items });
}

/** An item of a collection: its owner is known once that is stored, what it will write of the item is known before. */
export function* resolveItem(payload: Payload, field: CollectionField, place: BodyContext): Sliced<Command> {
  const item = yield* resolveCommand(payload, field.target, undefined, place);
  item.ownedBy = ownerReference(field)?.property;
  return item;
}

/** What cannot be added to is a view of something else: what was read of it may be sent back, and changes nothing. */
function refuseNewItems({ target }: CollectionField, items: readonly Payload[], { path }: BodyContext): void {
  const at = items.findIndex((item, index) => {
    const id = memberOf(item, 'id');
    return !id || !idValue(id, `${path}[${index}].Id`);
  });
  if (at < 0) return;
  const { create, update } = target.settings.operations;
  const rest = create ? `; send it to ${target.collection}` : update ? '' : `: ${target.collection} are read only`;
  throw badMember(`${path}[${at}]`, `no ${target.name} can be created here${rest}.`);
}

/** Items of a view are sent as links to them. */
function addLinks(command: Command, { links, item }: JoinedBy, sent: readonly Payload[], place: BodyContext): void {
  const field = command.resource.collectionOf(links);
  const to = field.target.referenceOf(item);
  const items = sent.flatMap((object, index): Command[] => {
    const path = `${place.path}[${index}]`;
    const target = referenceTarget({ kind: 'object', object }, to, path);
    // A link whose target is null links nothing.
    if (target.kind === 'none') return [];
    const references = [{ field: to, to: target }];
    return [{ ...emptyCommand(field.target, `${path}.`), references, joinsOnly: true }];
  });
  command.collections.push({ field, items });
}

function addMember(
  command: Command,
  { name, value }: PayloadMember,
  field: ScalarField | ReferenceField | undefined,
  place: BodyContext,
): void {
  if (name.toLowerCase() === 'customfields' && command.resource.settings.customFields)
    command.customFields.push(...customFieldsOf(value, place.path));
  else if (!field) addUnknown(command, name, value, place);
  else if (field.kind === 'scalar' && field.expression && command.resource.spelledIn(field.property))
    command.tags = parseTags(value, place.path);
  else if (!field.isSettable) return;
  else if (field.kind === 'scalar') command.scalars.push(sentScalar(value, field, place));
  else command.references.push({ field, to: referenceTarget(value, field, place.path) });
}

function sentScalar(value: PayloadValue, field: ScalarField, place: BodyContext): SentScalar {
  const also = laterOccurrences(value, field, place);
  return { field, value: typedScalar(value, field, place), ...(also.length > 0 && { also }) };
}

/** A custom field may stand among the members by its own name, as long as no field of the type has that name. */
function addUnknown(command: Command, name: string, value: PayloadValue, place: BodyContext): void {
  const { resource } = command;
  if (place.isCustomField?.(resource, name)) {
    command.customFields.push({ name, value, path: place.path });
    return;
  }
  const [ofKinds, ...others] = resource.kindFields(name);
  // Nor can it be read by the base type where kinds mean different things by it.
  if (ofKinds && others.length === 0) {
    addOfKinds(command, { name, value }, ofKinds.kinds, place);
    return;
  }
  // A total that was read.
  if (isAppended(name, resource)) return;
  const near = nearest(
    name,
    resource.fields.map((field) => field.name),
  );
  throw unknownMember(place.path, resource.name, near);
}

/** A field that only these kinds of the type have. */
function addOfKinds(
  { scalars, references }: Command,
  { name, value }: PayloadMember,
  kinds: readonly ResourceType[],
  place: BodyContext,
): void {
  const field = kinds[0]!.field(name)!;
  if (field.kind === 'collection') {
    if (field.target.settings.operations.create)
      refuseNewItems(field, collectionItems(value, field, place.path), place);
  } else if (!field.isSettable) return;
  else if (field.kind === 'reference') references.push({ field, to: referenceTarget(value, field, place.path), kinds });
  else scalars.push({ ...sentScalar(value, { ...field, isRequired: false }, place), kinds });
}

/**
 * Two members that mean the same thing must not disagree, and neither may win in silence. Of what is there already, the
 * one that was only read gives way (see named-twice.ts).
 */
function refuseTwice({ id, path, tags, collections, references }: Command): void {
  if (id !== undefined) return;
  const tagObjects = collections.find(({ field }) => field.spelledBy !== undefined)?.items ?? [];
  if (tags && tagObjects.some((tag) => tag.id === undefined)) throw tagsTwice(path);
  const targets = new Map<string, ReferenceTarget>();
  for (const { field, to } of references) {
    const first = targets.get(field.writesTo);
    if (first && JSON.stringify(first) !== JSON.stringify(to)) throw otherMeaning(path, field.name);
    targets.set(field.writesTo, to);
  }
}

function agreedId(id: number | undefined, pathId: number | undefined, path: string): number | undefined {
  if (id !== undefined && pathId !== undefined && id !== pathId) {
    throw badMember(path, `the body says ${id}, the address says ${pathId}.`);
  }
  return id ?? pathId;
}

/** 0 is that of nothing, as null is, and an empty text: classes whose Id is a number have it where they have none. */
function idValue(value: PayloadValue, path: string): number | undefined {
  if (isNothing(value)) return undefined;
  const id = idOf(value);
  if (id === undefined) throw badMember(path, 'an Id is a whole number from 0 to 9007199254740991.');
  return id;
}

const isNothing = (value: PayloadValue): boolean =>
  value.kind === 'null' || (value.kind === 'text' && value.text.trim() === '');

const memberOf = ({ members }: Payload, name: string): PayloadValue | undefined =>
  members.find((one) => one.name.toLowerCase() === name)?.value;

/** `{Id}` counts, other members beside it are ignored; null, and nothing in XML, clears, where that is possible. */
function referenceTarget(value: PayloadValue, field: ReferenceField, path: string): ReferenceTarget {
  if (isNothing(value)) return { kind: 'none' };
  const twice = repeatedName(value);
  if (twice !== undefined) throw givenTwice(`${path}.${twice}`);
  if (value.kind !== 'object')
    throw badMember(
      path,
      `a reference is an object with an Id, such as {"Id": 5}, in XML an element such as <${field.name} Id="5" />.`,
    );
  const idMember = memberOf(value.object, 'id');
  const id = idMember && idValue(idMember, `${path}.Id`);
  if (id) return { kind: 'id', id };
  if (idMember && id === undefined) return { kind: 'none' };
  const name = memberOf(value.object, 'name');
  const isNamed = name?.kind === 'text' && field.target.settings.isNameable;
  if (isNamed && (!idMember || name.text.trim() !== '')) return { kind: 'name', name: name.text };
  if (idMember && isBare(value)) return { kind: 'none' };
  // There is none.
  if (id === 0) return { kind: 'id', id };
  throw badMember(path, 'a reference needs the Id of an existing entity.');
}
