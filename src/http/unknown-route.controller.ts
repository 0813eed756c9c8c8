/**
 * Answers what no route does: 405 with `Allow` where only the method is wrong, else 404. It is a route itself so that
 * the guard stands before it: without credentials nobody learns which routes exist.
 */
import { All, Controller, Inject, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { methodNotAllowed, unknownCollection, unknownRoute } from '../errors.js';
import type { Model, ResourceType } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { nearest } from '../texts/near.js';
import type { ApiRequest } from './request.js';
import { withoutBody } from './route-facts.js';

@Controller()
export class UnknownRouteController {
  constructor(@Inject(MODEL) private readonly model: Model) {}

  @All(['api', 'api/*'])
  @RouteConfig(withoutBody)
  refuse(@Req() request: ApiRequest): never {
    const path = request.url.split('?', 1)[0]!;
    const [, version, collection, ...rest] = path.split('/').filter((segment) => segment !== '');
    const route = fixed.find(({ at }) => at.test(path));
    if (route) throw methodNotAllowed(request.method, route.methods);
    if (version !== 'v1' || collection === undefined) throw unknownRoute(path);
    const resource = this.model.collection(collection);
    if (!resource) throw unknownCollection(collection, nearest(collection, this.model.collectionNames));
    const allowed = methodsAt(resource, rest);
    const isNowhere = allowed.length === 0 || allowed.includes(request.method);
    throw isNowhere ? unknownRoute(path) : methodNotAllowed(request.method, allowed);
  }
}

/** Routes that are no collection's. */
const fixed = [
  { at: /^\/api\/v1\/(search|context|users\/loggeduser)$/i, methods: ['GET', 'HEAD'] },
  {
    at: /^\/api\/(deleteditems\/v1\/(projects|users)|deletedprojects\/v1|openapi\.json|docs)$/i,
    methods: ['GET', 'HEAD'],
  },
  { at: /^\/api\/(?:history\/)?v2\/[^/]+(\/[^/]+)?$/i, methods: ['GET', 'HEAD', 'POST'] },
  {
    at: /^\/api\/(deleteditems\/v1\/(projects|users)\/[^/]+\/restore|v1\/undelete(\/bulk)?|login\/validate)$/i,
    methods: ['POST'],
  },
];

function methodsAt(resource: ResourceType, rest: readonly string[]): string[] {
  const { create, update, delete: remove } = resource.settings.operations;
  const [first, collection] = rest;
  const isBulk = first?.toLowerCase() === 'bulk' && rest.length === 1;
  const posts = rest.length === 0 || isBulk ? create || update : rest.length === 1 && update;
  const field = collection === undefined ? undefined : resource.field(collection);
  const adds = rest.length === 2 && field?.kind === 'collection' && field.canAdd;
  const takes = rest.length === 3 && field?.kind === 'collection' && field.canRemove;
  const deletes = rest.length === 1 ? remove : takes;
  const reads = isBulk || rest.length === 3 ? [] : ['GET', 'HEAD'];
  return [...reads, ...(posts || adds ? ['POST'] : []), ...(deletes ? ['DELETE'] : [])];
}
