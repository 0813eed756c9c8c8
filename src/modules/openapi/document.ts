/** The OpenAPI 3.1 document of the service, made of the model and of the rows of operations that are no resource's. */
import type { Model, ResourceType } from '../../model/model.js';
import { version } from '../../runtime/version.js';
import { fixedPaths, fixedSchemas } from './fixed-operations.js';
import { type Examples, type Paths, type Response, refTo, type Schema } from './openapi-types.js';
import { parameters } from './parameters.js';
import { errorDetailSchema, errorSchema, refusalResponses } from './refusals.js';
import { resourcePaths } from './resource-operations.js';
import { innerListName, itemName, listName, pageName, resourceSchemas } from './resource-schemas.js';
import { answerV2, pageV2, pathsOfVersion2, queryForm, queryOneForm } from './v2-operations.js';
import { valueSchemas } from './value-schemas.js';

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { url: string }[];
  readonly tags: readonly { name: string; description: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Paths;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface ServiceSettings {
  /** The path that the service stands at, without a slash at the end. */
  readonly root: string;
  /** How many entities one request may write. */
  readonly bulkLimit: number;
}

export function openApiDocument(
  model: Model,
  { root, bulkLimit }: ServiceSettings,
  examples: Examples,
): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Worktrack',
      version,
      description:
        'A REST service for work-tracking data. Without `format` and `Accept` answers are JSON where the request has ' +
        'a `Content-Type` of JSON, else XML, of the type `text/xml` where only that is accepted. `resultInclude`, `resultExclude`, `resultAppend` and ' +
        '`resultFormat` are other names of `include`, `exclude`, `append` and `format`, for older clients. Where ' +
        'replicas are read, the parameter `consistency` (`eventual` or `own-writes`) and the header `X-Read-After` say ' +
        'how new an answer has to be.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: root || '/' }],
    tags: [...model.resources.map(tagOf), ...fixedTags],
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    paths: withExamples(
      Object.assign(
        fixedPaths(bulkLimit),
        ...model.resources.map((resource) => resourcePaths(resource, bulkLimit)),
        pathsOfVersion2(model),
      ),
      examples,
    ),
    components: {
      schemas: schemasOf(model),
      parameters,
      responses: responsesOf(model, examples),
      requestBodies: { QueryForm: queryForm, QueryOneForm: queryOneForm },
      headers,
      examples: examplesOf(model, examples),
      securitySchemes,
    },
  };
}

const tagOf = ({ collection, settings }: ResourceType) => ({ name: collection, description: settings.description });

const fixedTags = [
  { name: 'Callers', description: 'Credentials.' },
  { name: 'Context', description: 'What the caller works in.' },
  { name: 'Metadata', description: 'What resources and operations there are.' },
  { name: 'Search', description: 'Items by words.' },
  { name: 'Restoring', description: 'What is deleted, and how it comes back.' },
  { name: 'Agents', description: 'Tools for programs that work with items on behalf of people.' },
  { name: 'Health', description: 'Whether the service is well.' },
];

const securitySchemes = {
  basic: { type: 'http', scheme: 'basic', description: 'Login and password of a user.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An access token.' },
  accessTokenHeader: { type: 'apiKey', in: 'header', name: 'X-Access-Token', description: 'An access token.' },
  accessToken: { type: 'apiKey', in: 'query', name: 'access_token', description: 'An access token.' },
  serviceToken: { type: 'apiKey', in: 'query', name: 'token', description: 'The service token of a user.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'worktrack_session',
    description: 'The session of a browser. Writes with it come from pages of the service, or send X-Requested-With.',
  },
} as const;

const schemasOf = (model: Model): Record<string, Schema> => ({
  ...Object.assign({}, ...model.resources.map(resourceSchemas)),
  ...valueSchemas,
  ...fixedSchemas,
  Error: errorSchema,
  ErrorDetail: errorDetailSchema,
  PageV2: pageV2,
  AnswerV2: answerV2,
});

const headers = {
  ETag: { description: 'The version of the entity and of this answer.', schema: { type: 'string' } },
  Warning: {
    description:
      'What was written is stored, but cannot be shown: the answer is its kind and Id alone. Or a parameter of version 2 was ignored.',
    schema: { type: 'string' },
  },
  SearchWarning: {
    description:
      'There may be items besides those that are ranked, or looked at for a phrase: more words, types or projects narrow the search.',
    schema: { type: 'string' },
  },
  ContentRange: { description: 'Which bytes of how many.', schema: { type: 'string' } },
  Link: { description: 'In CSV: the pages before and behind.', schema: { type: 'string' } },
  Allow: { description: 'The methods that the address takes.', schema: { type: 'string' } },
  Challenge: { description: 'How to say who is calling.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds until it may be tried again.', schema: { type: 'integer' } },
};

function responsesOf(model: Model, examples: Examples): Record<string, Response> {
  return {
    ...Object.assign({}, ...model.resources.map((resource) => answersOf(resource, examples))),
    ...refusalResponses(examples),
    NotModified: { description: 'The client has this answer already.', headers: { ETag: refTo('headers', 'ETag') } },
    Deleted: { description: 'What was deleted; nothing in XML.', content: json('EntityName') },
    DeletedMany: { description: 'What was deleted; nothing in XML.', content: json('EntityNames') },
    Metadata: {
      description: 'The description of a resource.',
      content: { ...json('Metadata'), ...xml('Metadata', 'ResourceMetadataDescription') },
    },
    OneV2: { description: 'The item, alone in its page.', content: { ...json('PageV2'), ...listsV2 } },
    PageV2: {
      description: 'A page of items, or one value.',
      headers: { Link: refTo('headers', 'Link') },
      content: { ...json('AnswerV2'), ...listsV2 },
    },
  };
}

const json = (name: string) => ({ 'application/json': { schema: refTo('schemas', name) } });
const xml = (name: string, root: string) => ({
  'application/xml': { schema: { ...refTo('schemas', name), xml: { name: root } } },
});

/** An item and a page of a resource. */
function answersOf(resource: ResourceType, examples: Examples): Record<string, Response> {
  const { name, collection } = resource;
  const [item, page] = [itemName(resource), pageName(resource)];
  const real = (of: string) => (exampleName(resource) in examples ? { examples: { real: refTo('examples', of) } } : {});
  const pageContent = {
    'application/json': { ...json(page)['application/json'], ...real(page) },
    ...xml(page, collection),
  };
  const list = {
    description: `${collection} in order.`,
    headers: { Link: refTo('headers', 'Link'), Warning: refTo('headers', 'Warning') },
    content: { ...pageContent, 'text/csv': csv },
  };
  return {
    [item]: {
      description: `A ${name}, as far as it was asked for.`,
      headers: { ETag: refTo('headers', 'ETag'), Warning: refTo('headers', 'Warning') },
      content: { 'application/json': { ...json(item)['application/json'], ...real(item) }, ...xml(item, name) },
    },
    [page]: {
      description: `${collection} that were written.`,
      headers: { Warning: refTo('headers', 'Warning') },
      content: pageContent,
    },
    [listName(resource)]: { ...list, content: { ...list.content, 'application/x-ndjson': lines(item) } },
    [innerListName(resource)]: list,
  };
}

const csv = { schema: { type: 'string', description: 'A header of paths and a row for each item.' } };
const listsV2 = { 'text/csv': csv, 'application/x-ndjson': { schema: { type: 'string' } } };
const lines = (item: string) => ({
  schema: { type: 'string', contentMediaType: 'application/json', contentSchema: refTo('schemas', item) },
});

/** The operation that gave it. */
const exampleName = ({ collection }: ResourceType): string => `list${collection}`;

function examplesOf(model: Model, examples: Examples): Record<string, { value: unknown }> {
  const values = model.resources.flatMap((resource) => {
    const page = examples[exampleName(resource)] as { Items?: unknown[] } | undefined;
    if (!page?.Items?.[0]) return [];
    return [
      [pageName(resource), { value: page }],
      [itemName(resource), { value: page.Items[0] }],
    ] as const;
  });
  return Object.fromEntries(values);
}

/** Operations whose answer is described in place have their example there. */
function withExamples(paths: Paths, examples: Examples): Paths {
  const exemplified = Object.entries(paths).map(([path, item]) => {
    const { get } = item;
    const ok = get?.responses[200] as Response | undefined;
    const media = ok?.content?.['application/json'];
    if (!get || !media || !(get.operationId in examples)) return [path, item];
    const content = { ...ok.content, 'application/json': { ...media, example: examples[get.operationId] } };
    return [path, { ...item, get: { ...get, responses: { ...get.responses, 200: { ...ok, content } } } }];
  });
  return Object.fromEntries(exemplified);
}
