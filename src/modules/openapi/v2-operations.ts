/**
 * The operations of version 2: a list and an entity of each resource, and the histories that have addresses of their
 * own.
 */
import type { Model, ResourceType } from '../../model/model.js';
import { type Operation, type Paths, type RequestBody, refTo, type Schema } from './openapi-types.js';
import { groups, list2, named, one2, type ParameterName, parameters } from './parameters.js';
import { readRefusals, writeRefusals } from './refusals.js';

export function pathsOfVersion2(model: Model): Paths {
  return Object.assign(
    {},
    ...model.resources.map((resource) => pathsOf(resource)),
    ...model.resources.map(pastPathsOf),
  );
}

const pathsOf = (resource: ResourceType): Paths => readPaths(resource, `/api/v2/${resource.name}`, '');

/** `UserStoryHistory` stands at `/api/history/v2/UserStory`, too. */
function pastPathsOf(resource: ResourceType): Paths {
  const present = /^(.+)(?<!Simple)History$/.exec(resource.name)?.[1];
  const isOfKind = resource.base?.name === 'FullHistory';
  return present && isOfKind ? readPaths(resource, `/api/history/v2/${present}`, 'Past') : {};
}

function readPaths(resource: ResourceType, path: string, prefix: string): Paths {
  const { name, collection } = resource;
  const list = (id: string): Operation => ({ ...listOperation(resource), operationId: `${id}${prefix}${collection}` });
  const one = (id: string): Operation => ({ ...oneOperation(resource), operationId: `${id}${prefix}${name}` });
  return {
    [path]: { get: list('query'), post: byForm(list('queryByForm'), 'QueryForm') },
    [`${path}/{id}`]: {
      parameters: named('id'),
      get: one('queryOne'),
      post: byForm(one('queryOneByForm'), 'QueryOneForm'),
    },
  };
}

const listOperation = ({ collection }: ResourceType): Omit<Operation, 'operationId'> => ({
  tags: [collection],
  summary: `${collection} by expressions of version 2: items, groups of them, or one value over all.`,
  parameters: groups.list2,
  responses: { 200: refTo('responses', 'PageV2'), ...readRefusals },
});

const oneOperation = ({ name, collection }: ResourceType): Omit<Operation, 'operationId'> => ({
  tags: [collection],
  summary: `One ${name} by version 2.`,
  parameters: groups.one2,
  responses: { 200: refTo('responses', 'OneV2'), ...readRefusals },
});

/** The same parameters, as a form of at most 64 KiB. */
const byForm = (operation: Operation, form: string): Operation => ({
  ...operation,
  summary: `${operation.summary} The parameters are sent as a form.`,
  parameters: [],
  requestBody: refTo('requestBodies', form),
  responses: { ...operation.responses, ...writeRefusals },
});

const formOf = (names: readonly ParameterName[]): RequestBody => ({
  required: true,
  content: {
    'application/x-www-form-urlencoded': {
      schema: {
        type: 'object',
        properties: Object.fromEntries(
          names
            .map((name) => parameters[name])
            .map(({ name, description, schema }) => [name, { ...schema, description }]),
        ),
      },
    },
  },
});

export const queryForm = formOf(list2);
export const queryOneForm = formOf(one2);

/** What is shown of an item is for `select` to say. */
export const pageV2: Schema = {
  type: 'object',
  properties: {
    next: { type: 'string', format: 'uri' },
    prev: { type: 'string', format: 'uri' },
    items: { type: 'array', items: {} },
  },
  required: ['items'],
};

export const answerV2: Schema = {
  description: 'A page of items, or, with `result`, one value.',
  anyOf: [refTo('schemas', 'PageV2'), { description: 'The value of `result`.' }],
};
