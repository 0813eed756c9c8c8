/**
 * Answers what no route does: 405 with `Allow` where only the method is wrong, else 404. It is a route itself so that
 * the guard stands before it: without credentials nobody learns which routes exist.
 */
import { All, Controller, Inject, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { methodNotAllowed, unknownCollection, unknownRoute } from '../errors.js';
import type { Model } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { nearest } from '../texts/near.js';
import { methodsBelowApi, mustTake, reads } from './addresses.js';
import type { ApiRequest } from './request.js';
import { withoutBody } from './route-facts.js';
import { ServedNames } from './served-names.js';

@Controller()
export class UnknownRouteController {
  constructor(
    @Inject(MODEL) private readonly model: Model,
    private readonly served: ServedNames,
  ) {}

  @All(['api', 'api/*'])
  @RouteConfig(withoutBody)
  refuse(@Req() request: ApiRequest): never {
    const path = request.url.split('?', 1)[0]!;
    const [, version, collection, ...rest] = path.split('/').filter((segment) => segment !== '');
    const methods = methodsBelowApi(path);
    if (methods && !methods.includes(request.method)) throw methodNotAllowed(request.method, methods);
    if (version !== 'v1' || collection === undefined) throw unknownRoute(path);
    const resource = this.model.collection(collection);
    if (!resource && this.served.has(path)) throw methodNotAllowed(request.method, reads);
    if (!resource) throw unknownCollection(collection, nearest(collection, this.model.collectionNames));
    mustTake(resource, rest, request);
    throw unknownRoute(path);
  }
}
