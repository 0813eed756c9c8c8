/** The body of an undelete: `{"EntityType": "Project", "Id": 2}`, or a list of these. */
import { idOf, type Payload, type PayloadValue } from '../../command/payload.js';
import type { RestoreTarget } from '../../command/restore.js';
import { badMember, badRequest, notRestorable, unknownEntityType } from '../../errors.js';
import { bodyBy, listed } from '../../http/bodies.js';
import type { ApiRequest } from '../../http/request.js';
import type { Model, ResourceType } from '../../model/model.js';
import { nearest } from '../../texts/near.js';
import { wholeNumber } from '../../texts/whole-numbers.js';

const names = { entity: 'Undelete', collection: 'Undeletes', others: ['Entity'] };

export async function oneTarget(request: ApiRequest, model: Model): Promise<RestoreTarget> {
  const body = await bodyBy(names, request);
  if (body.kind === 'many') {
    throw badRequest('The body is a list; one entity is expected here. Lists go to /undelete/bulk.', 'InvalidBody');
  }
  return targetOf(body.entity, '', model);
}

export async function manyTargets(request: ApiRequest, model: Model, limit: number): Promise<RestoreTarget[]> {
  const entities = listed(await bodyBy(names, request), limit);
  return entities.map((entity, index) => targetOf(entity, `[${index}].`, model));
}

function targetOf({ members }: Payload, path: string, model: Model): RestoreTarget {
  const valuesByName = new Map(members.map(({ name, value }) => [name.toLowerCase(), value]));
  const stray = members.find(({ name }) => !allowed.has(name.toLowerCase()));
  if (stray) throw badMember(`${path}${stray.name}`, 'an undelete has no such member. Give EntityType and Id.');
  const resource = typeOf(valuesByName.get('entitytype'), `${path}EntityType`, model);
  return { resource, id: idIn(valuesByName.get('id'), `${path}Id`), path };
}

/** Clients send entities as they were read with what kind of resource they are. */
const allowed = new Set(['id', 'entitytype', 'resourcetype']);

function idIn(value: PayloadValue | undefined, path: string): number {
  const id = idOf(value);
  if (!id) throw badMember(path, 'the Id of what is to be restored is needed, a whole number.');
  return id;
}

/** Sent by its name, by its id, or as an object with either of them. */
function typeOf(value: PayloadValue | undefined, path: string, model: Model): ResourceType {
  const type = value?.kind === 'object' ? typeIn(value.object, path, model) : typeNamed(textOf(value), path, model);
  if (type.settings.softDelete === undefined) throw notRestorable(path, type.collection);
  return type;
}

function typeIn({ members }: Payload, path: string, model: Model): ResourceType {
  const names = members
    .filter(({ name, value }) => /^(id|name)$/i.test(name) && value.kind !== 'null')
    .map(({ name, value }) => typeNamed(textOf(value), `${path}.${name}`, model));
  const [first, second] = names;
  if (!first) throw needed(path);
  if (second && second !== first) throw badMember(path, 'Id and Name are of different types.');
  return first;
}

function typeNamed(text: string | undefined, path: string, model: Model): ResourceType {
  if (!text) throw needed(path);
  const id = wholeNumber(text);
  const type = id
    ? model.resources.find(({ settings }) => settings.entityTypeId === Number(id))
    : model.collection(text.replace(/\s+/g, ''));
  if (type) return type;
  const types = model.resources.filter(({ settings }) => settings.softDelete !== undefined);
  throw unknownEntityType(
    path,
    text,
    id
      ? undefined
      : nearest(
          text,
          types.map(({ name }) => name),
        ),
  );
}

const needed = (path: string) => badMember(path, "the type of what is to be restored is needed, such as 'Project'.");

const textOf = (value: PayloadValue | undefined): string | undefined =>
  value?.kind === 'number' || value?.kind === 'text' ? value.text.trim() : undefined;
