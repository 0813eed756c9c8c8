/** The body of a request as payloads: one entity, many, or the ids of many. */
import { charsetNamed } from '../command/charset.js';
import { parseBody } from '../command/parse-body.js';
import type { RootNames } from '../command/parse-xml.js';
import { type Body, givenTwice, idOf, type Payload, type PayloadMember } from '../command/payload.js';
import type { Target } from '../command/remove.js';
import { badMember, badRequest, tooMany, unsupportedMedia } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import { inSlices } from '../turns/slices.js';
import { formFields, isForm } from './form.js';
import { charsetIn, mediaFormat } from './format.js';
import { isBytes } from './read-body.js';
import type { ApiRequest } from './request.js';
import { routeFacts } from './route-facts.js';

export async function one(resource: ResourceType, request: ApiRequest): Promise<Payload> {
  const body = await bodyOf(resource, request);
  if (body.kind === 'many') {
    throw badRequest(
      `The body is a list; one entity is expected here. Lists go to /${resource.collection}/bulk.`,
      'InvalidBody',
    );
  }
  return body.entity;
}

export async function many(resource: ResourceType, request: ApiRequest, limit: number): Promise<Payload[]> {
  return listed(await bodyOf(resource, request), limit);
}

/** The entities of a list: some, but not too many. */
export function listed(body: Body, limit: number): Payload[] {
  const entities = body.kind === 'many' ? body.entities : itemsOf(body.entity);
  if (entities.length === 0) throw badRequest('The body lists no entity.', 'InvalidBody');
  if (entities.length > limit) throw tooMany(entities.length, limit);
  return entities;
}

/** `{Items: []}` has no member but its items; any other object is one entity. */
function itemsOf({ members }: Payload): Payload[] {
  const [only] = members;
  const isEmptyList = members.length === 1 && only!.name.toLowerCase() === 'items' && only!.value.kind === 'text';
  if (isEmptyList) return [];
  throw badRequest('The body is no list; a list of entities is expected here.', 'InvalidBody');
}

/** `[{"Id": 1}, {"Id": 2}]`. */
export async function targetsOf(resource: ResourceType, request: ApiRequest, limit: number): Promise<Target[]> {
  const payloads = await many(resource, request, limit);
  return payloads.map(({ members }, index) => {
    const id = idOf(members.find(({ name }) => name.toLowerCase() === 'id')?.value);
    if (id === undefined)
      throw badMember(`[${index}].Id`, 'the Id of what is to be deleted is needed, a whole number.');
    return { id, path: `[${index}].` };
  });
}

function bodyOf(resource: ResourceType, request: ApiRequest): Promise<Body> {
  const { name, collection, itemNames } = resource;
  return bodyBy({ entity: name, collection, others: itemNames }, request);
}

/** The same for what is no resource; the names are those that XML may have. */
export async function bodyBy(names: RootNames, request: ApiRequest): Promise<Body> {
  const type = request.headers['content-type'];
  const format = mediaFormat(type ?? '');
  if (!isBytes(request.body) || !format) {
    throw type === undefined || format
      ? badRequest('The body is empty.', 'InvalidBody')
      : unsupportedMedia(routeFacts(request).bodies);
  }
  return inSlices(parseBody(format.name, request.body, names, charsetNamed(charsetIn(type) ?? '')));
}

/**
 * A body that is no entity: short texts by name, in JSON an object, in XML the attributes or children of an element of
 * that name, or a form. Errors: 400 for what is not known, missing or no text.
 */
export async function textsOf<T extends string>(
  root: string,
  names: readonly T[],
  request: ApiRequest,
): Promise<Record<T, string>> {
  const texts: Partial<Record<T, string>> = {};
  for (const { name, value } of await membersOf(root, request)) {
    const canonical = names.find((one) => one.toLowerCase() === name.toLowerCase());
    if (!canonical) throw badMember(name, `is not known here. Known: ${names.join(', ')}.`);
    if (value.kind !== 'text') throw badMember(canonical, 'a text is needed.');
    if (texts[canonical] !== undefined) throw givenTwice(canonical);
    texts[canonical] = value.text;
  }
  const missing = names.find((name) => texts[name] === undefined);
  if (missing) throw badMember(missing, 'a value is required.');
  return texts as Record<T, string>;
}

async function membersOf(root: string, request: ApiRequest): Promise<readonly PayloadMember[]> {
  if (isForm(request)) {
    if (!request.body) throw badRequest('The body is empty.', 'InvalidBody');
    return [...formFields(request)].map(([name, text]) => ({ name, value: { kind: 'text', text } }));
  }
  const body = await bodyBy({ entity: root }, request);
  if (body.kind === 'many') throw badRequest('The body is a list; one object is expected here.', 'InvalidBody');
  return body.entity.members;
}
