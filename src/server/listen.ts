/** Where the service takes connections. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '../config/config.js';
import { codeOf } from '../database/embedded/failure.js';
import { FurtherListeners } from './further-listeners.js';
import { type PortVariable, portInUse, StartError } from './start-failure.js';

/**
 * Connections that wait to be taken while the event loop is busy; the kernel may allow fewer. Clients of those beyond
 * try again after one, three and seven seconds: with Node's usual 511, a thousand that connect at once made others wait
 * so long.
 */
export const backlog = 4096;

export async function listen(app: NestFastifyApplication, { host, port }: Config): Promise<void> {
  const [first, ...others] = await addressesOf(host);
  await app.listen({ host: first!, port, backlog });
  if (others.length === 0) return;
  const server = app.getHttpServer();
  const listeners = new FurtherListeners(server, backlog);
  const { port: chosen } = server.address() as AddressInfo;
  await Promise.all(others.map((other) => listeners.add({ host: other, port: chosen })));
}

/** Given the name, Fastify would make a server of its own for each further address, which nothing here has set up. */
async function addressesOf(host: string): Promise<string[]> {
  if (host.toLowerCase() !== 'localhost') return [host];
  const addresses = await lookup(host, { all: true });
  return [...new Set(addresses.map(({ address }) => address))];
}

/**
 * Says at once what listening would say after a while: before a database is made, not while a service of before may
 * still be ending. Errors: StartError where another program listens on a port of the service.
 */
export async function refuseTakenPorts({ host, port, metricsPort }: Config): Promise<void> {
  await refuseTaken(host, port, 'PORT');
  if (metricsPort !== undefined) await refuseTaken(host, metricsPort, 'METRICS_PORT');
}

async function refuseTaken(host: string, port: number, variable: PortVariable): Promise<void> {
  const listener = createServer().listen(port, host);
  try {
    await once(listener, 'listening');
  } catch (error) {
    // Everything else is as it is found when the service listens, which may be on another address.
    if (codeOf(error) === 'EADDRINUSE') throw new StartError(portInUse(error as Error, variable));
    return;
  }
  listener.close();
  await once(listener, 'close');
}
