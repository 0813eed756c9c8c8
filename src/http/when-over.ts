/**
 * What is done once with each request when it is over: its answer has left, or what was asked is done or given up after
 * its client has left. Fastify's `onResponse` comes in the first case alone.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isMalformed } from './connections.js';
import type { ApiRequest } from './request.js';

export interface Ended {
  /** That of the answer; 499 where there was none, since nobody waited for it. */
  readonly status: number;
  /** The connection was closed before all of the answer had left. */
  readonly isUnfinished: boolean;
}

export function whenOver(
  fastify: FastifyInstance,
  act: (request: ApiRequest, reply: FastifyReply, ended: Ended) => void,
): void {
  const over = new WeakSet<FastifyRequest>();
  const end = (request: FastifyRequest, reply: FastifyReply, ended: Ended): void => {
    if (over.has(request)) return;
    over.add(request);
    act(request as ApiRequest, reply, ended);
  };
  const unfinished = (request: FastifyRequest, reply: FastifyReply): void => {
    const { statusCode } = reply;
    // To nobody: what is given up for want of a client is answered 503, a body of which a part is missing 400.
    const { complete, socket } = request.raw;
    const isForNobody = statusCode === 503 || (statusCode === 400 && !complete && !isMalformed(socket));
    end(request, reply, { status: isForNobody ? 499 : statusCode, isUnfinished: true });
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished && (request as ApiRequest).isAnswered) unfinished(request, reply);
    });
    done();
  });
  fastify.addHook('onSend', (request, reply, _, done) => {
    if ((request as ApiRequest).hold?.isGone) unfinished(request, reply);
    else (request as ApiRequest).isAnswered = true;
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    end(request, reply, { status: reply.statusCode, isUnfinished: false });
    done();
  });
}
