/**
 * Whether the service is about to end. Balancers see it by `/health/ready`, clients by `Connection: close`: a
 * connection that outlives its last answer would keep the process until it idles out.
 */
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

@Injectable()
export class Draining {
  private begun = false;

  get isDraining(): boolean {
    return this.begun;
  }

  begin(): void {
    this.begun = true;
  }
}

export function closeWhileDraining(fastify: FastifyInstance, draining: Draining): void {
  fastify.addHook('preClose', (done) => {
    draining.begin();
    done();
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining.isDraining) reply.header('connection', 'close');
    done();
  });
}
