/** Lets nobody in without a good credential, unless the route is public, and leaves the caller on the request. */
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { readsOnly } from '../errors.js';
import type { ApiRequest } from '../http/request.js';
import { Authenticator } from './authenticator.js';
import { IS_PUBLIC } from './public.decorator.js';
import { RateLimit } from './rate-limit.js';
import { READS_ONLY } from './reads-only.decorator.js';
import { isSafe } from './same-origin.js';

@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly rate: RateLimit,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [context.getHandler(), context.getClass()])) return true;
    const request = context.switchToHttp().getRequest<ApiRequest>();
    request.isReading =
      isSafe(request.method) || this.reflector.get<boolean>(READS_ONLY, context.getHandler()) === true;
    request.actor = await this.authenticator.authenticate(request);
    this.rate.count(request.actor.userId, context.switchToHttp().getResponse<FastifyReply>());
    if (request.actor.isReadOnly && !request.isReading) throw readsOnly();
    return true;
  }
}
