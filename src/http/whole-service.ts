/** Answers `OPTIONS *`, a question to the service as a whole (RFC 9110, 9.3.7), as balancers and Java ask it. */
import type { FastifyInstance } from 'fastify';

export function answerForWhole(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS' || request.raw.url !== '*') return done();
    reply.status(204).header('allow', 'GET, HEAD, POST, DELETE, OPTIONS').send();
  });
}
