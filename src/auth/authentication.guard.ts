/** Lets nobody in without a good credential, unless the route is public or who calls is known already. */
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { IS_PUBLIC } from '../http/public.decorator.js';
import type { ApiRequest } from '../http/request.js';
import { Admission } from './admission.js';

@Injectable()
export class AuthenticationGuard implements CanActivate {
  /** By controller and handler: looking metadata up costs more than all else here. */
  private readonly open = new WeakMap<object, WeakMap<object, boolean>>();

  constructor(
    private readonly reflector: Reflector,
    private readonly admission: Admission,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.isPublic(context)) return true;
    const http = context.switchToHttp();
    const admitting = this.admission.admit(http.getRequest<ApiRequest>(), http.getResponse<FastifyReply>());
    return admitting === undefined ? true : admitting.then(() => true);
  }

  private isPublic(context: ExecutionContext): boolean {
    const [controller, handler] = [context.getClass(), context.getHandler()];
    const ofController = this.open.get(controller) ?? new WeakMap<object, boolean>();
    this.open.set(controller, ofController);
    const cached = ofController.get(handler);
    if (cached !== undefined) return cached;
    const isPublic = this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [handler, controller]) === true;
    ofController.set(handler, isPublic);
    return isPublic;
  }
}
