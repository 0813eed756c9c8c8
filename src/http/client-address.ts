/**
 * Tells clients apart by their addresses; behind a trusted proxy by the forwarded one. One client has a whole network
 * of IPv6.
 */
import { isIP } from 'node:net';

/** What is asked of a request. */
export interface Client {
  readonly ip?: string | undefined;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

export const clientOf = (client: Client): string => network(addressOf(client) ?? '');

/** What a trusted proxy forwards may be any text. Undefined: the connection was closed before anybody asked. */
export const addressOf = ({ ip = '', socket }: Client): string | undefined =>
  isIP(ip) ? ip.split('%', 1)[0]! : socket.remoteAddress;

/** The network around a client: the first 24 bits of IPv4, 48 of IPv6, which is what one site is given. */
export const widerNetwork = (client: string): string => client.split(/[.:]/, 3).join(':');

/** The address itself, of IPv6 the first 64 bits. */
export function network(address: string): string {
  if (isIP(address) !== 6) return address;
  // In its shortest form, in hexadecimal.
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]`);
  const mapped = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(hostname);
  if (mapped) return dotted(Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16));
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::');
  const [front, back] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array(8 - front!.length - back!.length).fill('0');
  return `${[...front!, ...zeros, ...back!].slice(0, 4).join(':')}::/64`;
}

const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');
