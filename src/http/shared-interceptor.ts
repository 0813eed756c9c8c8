/** What an interceptor that all routes share does before the handler, and to its answer. */
import type { FastifyReply } from 'fastify';
import type { ApiRequest } from './request.js';

export interface SharedInterceptor {
  enter?(request: ApiRequest): void;
  leave?(answer: unknown, request: ApiRequest, reply: FastifyReply): unknown;
}
