/**
 * Runs the shared interceptors without Observables. Nest puts some twenty objects between a handler and its answer,
 * which keep each other alive through collections of young garbage: on some days all of a request was collected as old,
 * at a fifth of the requests a second. An interceptor of another kind is run as Nest does. The method is none of Nest's
 * documented interface, so `@nestjs/core` is pinned and `test/private-parts.spec.ts` asks which of the two is called.
 */
import type { Type } from '@nestjs/common';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import type { FastifyReply } from 'fastify';
import type { ApiRequest } from './request.js';
import { SharedInterceptors } from './shared-interceptors.js';

type Intercept = InterceptorsConsumer['intercept'];

const byNest: Intercept = InterceptorsConsumer.prototype.intercept;

const directly: Intercept = function (this: InterceptorsConsumer, interceptors, args, instance, callback, next, type) {
  const [only] = interceptors;
  const isShared = interceptors.length === 1 && only instanceof SharedInterceptors;
  if (!isShared) return byNest.call(this, interceptors, args, instance, callback, next, type);
  const [request, reply] = args as [ApiRequest, FastifyReply];
  return only.around({ controller: instance.constructor as Type, request, reply }, next);
};

/** Holds for all applications of the process. */
export function runInterceptorsDirectly(): void {
  InterceptorsConsumer.prototype.intercept = directly;
}
