/** Starts the server on a cluster and waits until it takes connections; stops it in good order. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../runtime/free-port.js';
import type { Binaries } from './binaries.js';
import type { Cluster } from './cluster.js';
import { EmbeddedPostgresError } from './failure.js';
import type { Home } from './home.js';
import { type Log, openLog } from './log.js';
import { occupantOf } from './occupancy.js';
import { type ServerOptions, serverArguments } from './settings.js';
import { type Guarded, runGuarded } from './watchdog.js';

export interface Server extends Guarded {
  readonly port: number;
  readonly log: Log;
}

interface ServerFiles {
  readonly home: Home;
  readonly binaries: Binaries;
  readonly cluster: Cluster;
}

/** Milliseconds that processes of a server that crashed get to end. */
const patience = 30_000;

/** `port` undefined: any free one. Recovery after a crash takes as long as there is to recover. */
export async function startServer(place: ServerFiles, options: ServerOptions & { port?: number }): Promise<Server> {
  const { port } = options;
  const since = performance.now();
  let taken = 0;
  let stumbled = 0;
  for (;;) {
    const server = launch(place, port ?? (await freePort()), options);
    const end = await Promise.race([server.ended, ready(place.cluster, server)]);
    if (end === undefined) return server;
    server.log.close();
    const written = server.log.written();
    const isTaken = written.includes('Address already in use');
    // Between asking for a free port and taking it, another program may take it.
    if (isTaken && port === undefined && taken++ < 4) continue;
    if (isTaken) throw new EmbeddedPostgresError(`The port ${server.port} of the embedded PostgreSQL is taken.`);
    // Whoever worked on a statement when the server crashed notices at its end, or when it next waits.
    if (written.includes('pre-existing shared memory block') && performance.now() - since < patience) {
      await pause(100);
      continue;
    }
    // Of an unlogged table that was rolled back right before a crash there is a file that the recovery makes anew, and
    // stumbles over; the next one clears it away.
    if (/could not create file "base\/.*": File exists/.test(written) && stumbled++ < 1) continue;
    const reason = reasonIn(written) ?? end;
    throw new EmbeddedPostgresError(`PostgreSQL did not start: ${reason}. Its log is ${server.log.path}.`);
  }
}

/** Processes of a server that crashed write to the same log, but have nothing to say about the start. */
function reasonIn(written: string): string | undefined {
  const lines = written.trim().split('\n');
  const fatal = lines.find((line) => /FATAL|PANIC/.test(line) && !line.includes('unexpected postmaster exit'));
  if (fatal) return fatal.replace(/^.*(FATAL|PANIC):\s*/, '');
  // What it finds before it has a log is in its own name, and may take several lines.
  const own = lines.findLastIndex((line) => line.startsWith('postgres: '));
  return own < 0 ? undefined : lines.slice(own).join(' ').replace('postgres: ', '');
}

const marks = { start: 'starting PostgreSQL', ready: 'database system is ready to accept connections' };

/** What it has said of a failure that it could not go on with, such as that its disk is full. */
export function panicSince(mark: keyof typeof marks, { log }: Pick<Server, 'log'>): string | undefined {
  const since = log.end().split(marks[mark]).at(-1)!;
  return [...since.matchAll(/PANIC:\s*(.*)/g)].at(-1)?.[1];
}

/** A fast shutdown lets no statement finish but loses nothing; what does not end in time is ended harder. */
export async function stopServer(server: Server): Promise<void> {
  for (const [signal, seconds] of [
    ['INT', 10],
    ['QUIT', 6],
    ['KILL', 5],
  ] as const) {
    server.send(signal);
    const timer = new AbortController();
    const timeout = pause(seconds * 1000, 'late', { signal: timer.signal }).catch(() => 'late');
    const end = await Promise.race([server.ended, timeout]);
    timer.abort();
    if (end !== 'late') return;
  }
  throw new EmbeddedPostgresError(`PostgreSQL does not stop. Its log is ${server.log.path}.`);
}

function launch({ home, binaries, cluster }: ServerFiles, port: number, options: ServerOptions): Server {
  const command = [join(binaries.directory, 'bin', 'postgres'), ...serverArguments(cluster.pgdata, port, options)];
  let guarded: Guarded | undefined;
  const log = openLog(join(home.directory, 'postgres.log'), (file) => {
    guarded = runGuarded(home.account, command, file);
  });
  return { ...guarded!, port, log };
}

/**
 * Asks the file in the data directory and not the port: only the server can write it, whereas anybody may listen on the
 * port, and would get the password.
 */
async function ready(cluster: Cluster, server: Server): Promise<undefined> {
  let hasEnded = false;
  server.ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    const occupant = await occupantOf(cluster.pgdata);
    if (occupant?.port === server.port && occupant.status === 'ready') return undefined;
    await pause(10);
  }
  // The end itself wins the race.
  return new Promise(() => {});
}
