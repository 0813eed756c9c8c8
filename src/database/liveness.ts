/**
 * Ends connections that say nothing any more: a network that swallows what is sent tells nobody. Checks all connections
 * of a pool together, twice a second, so that a statement costs no timer. Counts checks and not time, so that a process
 * that was busy or stopped itself first reads what has arrived.
 */
export const checkEveryMs = 500;

/** `pinged`: an answer to a ping, which goes ahead of a statement, has not arrived yet. */
export type ConnectionState = 'connecting' | 'idle' | 'pinged' | 'busy';

/** How long a connection may say nothing; how long connecting may take as a whole. */
const timeoutsMs = (statementTimeoutMs: number): Readonly<Record<ConnectionState, number>> => ({
  connecting: 4000,
  idle: Infinity,
  pinged: 3000,
  // The server itself ends a statement before.
  busy: statementTimeoutMs > 0 ? statementTimeoutMs + 2000 : Infinity,
});

/** A connection as the monitor sees it. */
export interface MonitoredClient {
  readonly state: ConnectionState;
  /** Since it was last heard, or has been in its state. */
  readonly silentMs: number;
  /** Notes whether something has arrived since the last check. */
  listen(): void;
  terminate(code: string, message: string): void;
  once(event: 'end', listener: () => void): unknown;
}

export class LivenessMonitor {
  private readonly clients = new Set<MonitoredClient>();
  private readonly timeouts: Readonly<Record<ConnectionState, number>>;
  private timer: NodeJS.Timeout | undefined;

  constructor(statementTimeoutMs: number) {
    this.timeouts = timeoutsMs(statementTimeoutMs);
  }

  add(client: MonitoredClient): void {
    this.clients.add(client);
    client.once('end', () => this.remove(client));
    this.timer ??= setInterval(() => this.check(), checkEveryMs).unref();
  }

  terminateAll(reason: string): void {
    for (const client of [...this.clients]) client.terminate('ECONNRESET', reason);
  }

  /** What holds a connection between two statements has it fail like what runs on one. */
  terminateIdle(reason: string): void {
    for (const client of [...this.clients]) if (client.state === 'idle') client.terminate('ECONNRESET', reason);
  }

  private remove(client: MonitoredClient): void {
    this.clients.delete(client);
    if (this.clients.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private check(): void {
    for (const client of this.clients) client.listen();
    for (const client of this.clients) {
      if (client.silentMs > this.timeouts[client.state]) this.terminate(client);
    }
  }

  /** Idle ones that were silent as long are not trusted either: what broke one has mostly broken them, too. */
  private terminate(silent: MonitoredClient): void {
    const { state, silentMs } = silent;
    // Behind a ping nothing has taken long: what changes nothing may be asked again elsewhere at once.
    silent.terminate(state === 'pinged' ? 'ECONNRESET' : 'ETIMEDOUT', `no answer while ${state}`);
    for (const client of this.clients) {
      if (client.state === 'idle' && client.silentMs >= silentMs)
        client.terminate('ECONNRESET', 'others do not answer');
    }
  }
}
