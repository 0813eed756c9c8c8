/** Lets nobody in without a good credential, unless the route is public, and leaves the caller on the request. */
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../actor.js';
import { readsOnly } from '../errors.js';
import type { ApiRequest } from '../http/request.js';
import { Authenticator } from './authenticator.js';
import { IS_PUBLIC } from './public.decorator.js';
import { RateLimit } from './rate-limit.js';
import { READS_ONLY } from './reads-only.decorator.js';
import { isSafe } from './same-origin.js';

/** What is said of a route where it is declared. */
interface Route {
  readonly isPublic: boolean;
  readonly readsOnly: boolean;
}

@Injectable()
export class AuthenticationGuard implements CanActivate {
  /** By controller and handler: looking metadata up costs more than all else here. */
  private readonly routes = new WeakMap<object, WeakMap<object, Route>>();

  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly rate: RateLimit,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const route = this.routeOf(context);
    if (route.isPublic) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const reply = http.getResponse<FastifyReply>();
    request.isReading = isSafe(request.method) || route.readsOnly;
    const recalled = this.authenticator.recall(request);
    if (recalled) return this.admit(recalled, request, reply);
    return this.authenticator.authenticate(request).then((actor) => this.admit(actor, request, reply));
  }

  private admit(actor: Actor, request: ApiRequest, reply: FastifyReply): true {
    request.actor = actor;
    this.rate.count(actor.userId, reply);
    if (actor.isReadOnly && !request.isReading) throw readsOnly();
    return true;
  }

  private routeOf(context: ExecutionContext): Route {
    const [controller, handler] = [context.getClass(), context.getHandler()];
    const ofController = this.routes.get(controller) ?? new WeakMap<object, Route>();
    this.routes.set(controller, ofController);
    const known = ofController.get(handler);
    if (known) return known;
    const route = {
      isPublic: this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [handler, controller]) === true,
      readsOnly: this.reflector.get<boolean>(READS_ONLY, handler) === true,
    };
    ofController.set(handler, route);
    return route;
  }
}
