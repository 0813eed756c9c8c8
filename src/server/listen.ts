/** Where the service takes connections. */
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '../config/config.js';

/**
 * Connections that wait to be taken while the event loop is busy; the kernel may allow fewer. Clients of those beyond
 * try again after one, three and seven seconds: with Node's usual 511, a thousand that connect at once made others wait
 * so long.
 */
export const backlog = 4096;

export const listen = (app: NestFastifyApplication, { host, port }: Config): Promise<unknown> =>
  app.listen({ host, port, backlog });
