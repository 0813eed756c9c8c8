/**
 * What the system holds for the connections of this machine. It takes megabytes of an answer at once, and more only
 * when a third of them has left: by that alone, a client that takes 20 KiB a second seems to take nothing for half a
 * minute.
 */
import { readFileSync } from 'node:fs';

/** The ports of a connection. */
export interface Ends {
  readonly localPort?: number | undefined;
  readonly remotePort?: number | undefined;
}

/** Bytes that were written to a connection and that its client has not acknowledged. Undefined: nothing is known. */
export type QueuedBytes = (ends: Ends | null | undefined) => number | undefined;

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

/** A connection that is established: ports, and the bytes to send, in hexadecimal digits. */
const row = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) 01 ([0-9A-F]{8}):/gm;

/** As it is now. Linux alone tells it. */
export function queuedNow(read = (path: string): string => readFileSync(path, 'latin1')): QueuedBytes {
  const queued = new Map<string, number | undefined>();
  for (const [, local, remote, bytes] of tables.flatMap((path) => [...textOf(path, read).matchAll(row)])) {
    const ends = `${Number.parseInt(local!, 16)} ${Number.parseInt(remote!, 16)}`;
    // Clients of two machines may have the same port.
    queued.set(ends, queued.has(ends) ? undefined : Number.parseInt(bytes!, 16));
  }
  return (ends) => queued.get(`${ends?.localPort} ${ends?.remotePort}`);
}

function textOf(path: string, read: (path: string) => string): string {
  try {
    return read(path);
  } catch {
    return '';
  }
}
