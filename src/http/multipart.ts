/**
 * Adds `@fastify/multipart` for the routes that take files. All others have neither its hooks nor its parser of bodies:
 * they answer a form as if it were not there.
 */
import { fastifyMultipart } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { RouteFacts } from './route-facts.js';

/** Leaves the form in the body of a request to `request.parts()`. */
export type LeaveForm = (request: FastifyRequest) => void;

export function addMultipart(fastify: FastifyInstance): LeaveForm {
  let parser!: (request: FastifyRequest, body: unknown, done: () => void) => void;
  const ofFiles = Object.assign(Object.create(fastify) as FastifyInstance, {
    addContentTypeParser: (_type: string, added: typeof parser) => {
      parser = added;
    },
    addHook: (name: 'onRequest' | 'onResponse', hook: never) =>
      fastify.addHook('onRoute', (route) => addWhereFiles(route, name, hook)),
  });
  // Whoever reads a file sees by itself that it is cut off.
  fastifyMultipart(ofFiles, { throwFileSizeLimit: false }, () => undefined);
  return (request) => parser(request, undefined, () => undefined);
}

function addWhereFiles(route: RouteOptions, name: 'onRequest' | 'onResponse', hook: never): void {
  if ((route.config as RouteFacts | undefined)?.takesFiles) route[name] = [route[name] ?? [], hook].flat();
}
