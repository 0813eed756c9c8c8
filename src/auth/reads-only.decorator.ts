/** Marks a handler that reads although its method is one that writes: whoever may read may call it, from wherever. */
import { RouteConfig } from '@nestjs/platform-fastify';
import type { RouteFacts } from '../http/route-facts.js';

export const ReadsOnly = (more: RouteFacts = {}): MethodDecorator =>
  RouteConfig({ ...more, isReading: true } satisfies RouteFacts);
