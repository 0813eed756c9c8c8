/** Refuses requests whose host no address can be made of, before anything makes one. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../errors.js';
import { malformedHost, noHost, twoHosts } from './edge-error-messages.js';

/**
 * Undefined: there is one host and it is well formed, or none where the protocol knows none. Forwarded ones count from
 * trusted proxies.
 */
export function refusedHost(request: FastifyRequest, reply: FastifyReply): ApiError | undefined {
  const { rawHeaders, httpVersion } = request.raw;
  const hosts = hostsIn(rawHeaders);
  if (hosts === 1 || (hosts === 0 && httpVersion !== '1.1')) {
    return request.host === '' || isHost(request.host) ? undefined : malformedHost();
  }
  // Of two hosts a proxy may have used the other one, so nothing more is read from its connection.
  reply.header('connection', 'close');
  return hosts === 0 ? noHost() : twoHosts();
}

function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

/** A name or an address with a port, of which the start of a link can be made as it stands. */
const isHost = (text: string): boolean =>
  text.length <= 255 && /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d*)?$/i.test(text) && URL.canParse(`http://${text}`);
