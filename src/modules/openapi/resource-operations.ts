/** The operations of version 1 on a resource: on its list, its entities, many of them, and their collections. */
import { takesItems } from '../../model/collections.js';
import type { CollectionField, ResourceType } from '../../model/model.js';
import { alternativesOnCreate, neededOnCreate } from '../../model/sent-fields.js';
import { filesForm } from './file-operations.js';
import {
  type Content,
  type MediaType,
  type Operation,
  type Paths,
  type Reference,
  type RequestBody,
  type Response,
  refTo,
  type Schema,
} from './openapi-types.js';
import { groups, named } from './parameters.js';
import { readRefusals, writeRefusals } from './refusals.js';
import { innerListName, inputName, isWritten, itemName, listName, pageName } from './resource-schemas.js';
import { wrapped } from './value-schemas.js';

/** `bulkLimit`: how many entities one request may write. */
export function resourcePaths(resource: ResourceType, bulkLimit: number): Paths {
  const { collection } = resource;
  const path = `/api/v1/${collection}`;
  return {
    [path]: { get: list(resource), ...(isWritten(resource) && { post: create(resource) }) },
    ...bulkPath(resource, path, bulkLimit),
    [`${path}/meta`]: { get: describe(resource) },
    [`${path}/{id}`]: {
      parameters: named('id'),
      get: one(resource),
      ...(resource.settings.operations.update && { post: update(resource) }),
      ...(resource.settings.operations.delete && { delete: remove(resource) }),
    },
    ...Object.assign({}, ...collectionsOf(resource).map((field) => collectionPaths(resource, field, path))),
  };
}

const collectionsOf = ({ fields }: ResourceType): CollectionField[] =>
  fields.filter((field) => field.kind === 'collection');

const tagged = ({ collection }: ResourceType): Pick<Operation, 'tags'> => ({ tags: [collection] });

/** Lists of others have no order of Ids, in which they could be answered line by line. */
const isWhole = ({ settings }: ResourceType): boolean => settings.rowKey === 'id';

const list = (resource: ResourceType): Operation => ({
  operationId: `list${resource.collection}`,
  ...tagged(resource),
  summary: `One page of ${resource.collection}.`,
  parameters: isWhole(resource) ? groups.list : groups.innerList,
  responses: {
    200: refTo('responses', isWhole(resource) ? listName(resource) : innerListName(resource)),
    ...readRefusals,
  },
});

const one = (resource: ResourceType): Operation => ({
  operationId: `get${resource.name}`,
  ...tagged(resource),
  summary: `One ${resource.name}.`,
  parameters: groups.one,
  responses: { 200: refTo('responses', itemName(resource)), 304: refTo('responses', 'NotModified'), ...readRefusals },
});

function create(resource: ResourceType): Operation {
  const { settings, name } = resource;
  const isCreated = settings.operations.create;
  return {
    operationId: isCreated ? `create${name}` : `save${name}`,
    ...tagged(resource),
    summary: summaryOf(resource),
    parameters: groups.save,
    requestBody: withFiles(resource, isCreated ? newBodyOf(resource) : bodyOf(resource, ['Id'])),
    responses: {
      200: refTo('responses', itemName(resource)),
      ...(isCreated && { 201: createdBy(resource) }),
      ...writeRefusals,
      // With an Id it would change one.
      ...(!settings.operations.update && { 405: refTo('responses', '405') }),
    },
  };
}

function summaryOf({ name, collection, settings: { operations } }: ResourceType): string {
  if (!operations.create) return `Changes one of ${collection}.`;
  return operations.update ? `Creates a ${name}, or changes the one whose Id is sent.` : `Creates a ${name}.`;
}

/** Attachments come as forms, too. */
const takesFiles = ({ name }: ResourceType): boolean => name === 'Attachment';

const withFiles = (resource: ResourceType, body: RequestBody): RequestBody =>
  takesFiles(resource) ? { ...body, content: { ...body.content, ...filesForm } } : body;

/** A form with several files is answered with a list. */
function createdBy(resource: ResourceType): Response | Reference {
  if (!takesFiles(resource)) return refTo('responses', itemName(resource));
  const [item, list] = [itemName(resource), pageName(resource)].map((name) => refTo('schemas', name));
  return {
    description: 'The attachment; of a form with several files a list.',
    content: media({ schema: { anyOf: [item, list] } }),
  };
}

const update = (resource: ResourceType): Operation => ({
  operationId: `update${resource.name}`,
  ...tagged(resource),
  summary: `Changes a ${resource.name}: what is sent, and nothing else.`,
  parameters: groups.save,
  requestBody: bodyOf(resource, []),
  responses: { 200: refTo('responses', itemName(resource)), ...writeRefusals },
});

const remove = (resource: ResourceType): Operation => ({
  operationId: `delete${resource.name}`,
  ...tagged(resource),
  summary: `Deletes a ${resource.name}.`,
  parameters: groups.remove,
  responses: { 200: refTo('responses', 'Deleted'), ...writeRefusals },
});

function bulkPath(resource: ResourceType, path: string, bulkLimit: number): Paths {
  const { operations } = resource.settings;
  if (!operations.update && !operations.delete) return {};
  return {
    [`${path}/bulk`]: {
      ...(operations.update && { post: saveMany(resource, bulkLimit) }),
      ...(operations.delete && { delete: removeMany(resource, bulkLimit) }),
    },
  };
}

const saveMany = (resource: ResourceType, bulkLimit: number): Operation => ({
  operationId: `saveMany${resource.collection}`,
  ...tagged(resource),
  summary: `Creates and changes many ${resource.collection}, all or nothing.`,
  parameters: groups.save,
  requestBody: {
    required: true,
    content: media({ schema: listOf(resource, inputName(resource), bulkLimit) }),
  },
  responses: { 200: refTo('responses', pageName(resource)), ...writeRefusals },
});

const removeMany = (resource: ResourceType, bulkLimit: number): Operation => ({
  operationId: `deleteMany${resource.collection}`,
  ...tagged(resource),
  summary: `Deletes many ${resource.collection}, all or nothing.`,
  parameters: groups.remove,
  requestBody: { required: true, content: media({ schema: listOf(resource, 'ReferenceInput', bulkLimit) }) },
  responses: { 200: refTo('responses', 'DeletedMany'), ...writeRefusals },
});

/** In XML named after the collection, with elements named after the kind. */
const listOf = ({ name, collection }: ResourceType, item: string, bulkLimit: number): Schema => ({
  ...wrapped(refTo('schemas', item), name),
  minItems: 1,
  maxItems: bulkLimit,
  xml: { name: collection, wrapped: true },
});

const describe = (resource: ResourceType): Operation => ({
  operationId: `describe${resource.collection}`,
  ...tagged(resource),
  summary: `What fields ${resource.collection} have, and what can be done with them.`,
  parameters: groups.style,
  responses: { 200: refTo('responses', 'Metadata'), ...readRefusals },
});

/** With the members that a creation needs, and one of each list of those that stand for one another. */
const newBodyOf = (resource: ResourceType): RequestBody =>
  bodyOf(
    resource,
    neededOnCreate(resource),
    alternativesOnCreate(resource).map((names) => ({ anyOf: names.map((name) => ({ required: [name] })) })),
  );

function bodyOf(resource: ResourceType, required: readonly string[], others: readonly Schema[] = []): RequestBody {
  const schema = refTo('schemas', inputName(resource));
  const isPlain = required.length === 0 && others.length === 0;
  const narrowed = {
    allOf: [schema, ...others],
    ...(required.length > 0 && { required }),
    xml: { name: resource.name },
  };
  return { required: true, content: media({ schema: isPlain ? schema : narrowed }) };
}

const media = (body: MediaType): Content => ({ 'application/json': body, 'application/xml': body });

// --- collections of an entity ----------------------------------------------------------------------------------------

function collectionPaths(owner: ResourceType, field: CollectionField, path: string): Paths {
  const at = `${path}/{id}/${field.name}`;
  const { target, canRemove } = field;
  const what: InnerCollection = { owner, field, name: `${field.name}Of${owner.name}` };
  return {
    [at]: {
      parameters: named('id'),
      get: innerList(what),
      ...(takesItems(owner, field) && isWritten(target) && { post: add(what) }),
      ...(canRemove && { delete: takeOut(what) }),
    },
    ...(canRemove && { [`${at}/{childId}`]: { parameters: named('id', 'childId'), delete: takeOneOut(what) } }),
  };
}

interface InnerCollection {
  readonly owner: ResourceType;
  readonly field: CollectionField;
  /** The end of the ids of its operations. */
  readonly name: string;
}

const shared = ({ owner, field }: InnerCollection) => ({
  ...tagged(owner),
  ...(field.isDeprecated && { deprecated: true }),
});

const innerList = (what: InnerCollection): Operation => ({
  operationId: `list${what.name}`,
  ...shared(what),
  summary: `One page of ${what.field.name} of a ${what.owner.name}.`,
  parameters: groups.innerList,
  responses: { 200: refTo('responses', innerListName(what.field.target)), ...readRefusals },
});

const add = (what: InnerCollection): Operation => ({
  operationId: `addTo${what.name}`,
  ...shared(what),
  summary: `Creates an item of ${what.field.name} of a ${what.owner.name}, or links the one whose Id is sent.`,
  parameters: groups.save,
  requestBody: bodyOf(what.field.target, what.field.target.settings.operations.create ? [] : ['Id']),
  responses: {
    200: refTo('responses', itemName(what.field.target)),
    201: refTo('responses', itemName(what.field.target)),
    ...writeRefusals,
  },
});

const takeOut = (what: InnerCollection): Operation => ({
  operationId: `removeFrom${what.name}`,
  ...shared(what),
  summary: `Takes items out of ${what.field.name} of a ${what.owner.name}.`,
  parameters: [...named('childrenIds'), ...groups.remove],
  responses: { 200: refTo('responses', 'DeletedMany'), ...writeRefusals },
});

const takeOneOut = (what: InnerCollection): Operation => ({
  operationId: `removeOneFrom${what.name}`,
  ...shared(what),
  summary: `Takes one item out of ${what.field.name} of a ${what.owner.name}.`,
  parameters: groups.remove,
  responses: { 200: refTo('responses', 'Deleted'), ...writeRefusals },
});
