/**
 * A port that nobody listens on at this moment. Another program may be quicker to take it, so it is to be taken at
 * once.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export async function freePort(host = '127.0.0.1'): Promise<number> {
  const listener = createServer().listen(0, host);
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}
