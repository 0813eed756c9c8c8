/**
 * One connection to PostgreSQL. All that the service opens are made here, so that each has its settings, is checked for
 * being alive, and never ends the process when it breaks: what runs on it fails, for whoever waits for that.
 */
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { activity } from '../runtime/activity.js';
import { lowerPriority } from './backend-priority.js';
import { cancel } from './cancel-request.js';
import { columnTypes } from './column-types.js';
import { hasNoRoom } from './connection-error.js';
import { type ConnectionState, checkEveryMs, LivenessMonitor } from './liveness.js';
import { splitRows } from './row-splitter.js';
import { liftedLimits, type SessionSettings, type WrongSetting, wrongSettings } from './session.js';
import { observed } from './statement-observer.js';

export interface ClientOptions extends pg.ClientConfig {
  readonly settings?: SessionSettings;
  /** The monitor of the pool that the client belongs to. */
  readonly monitor?: LivenessMonitor;
  /** Called when connecting has failed, unless only because there are as many connections as there may be. */
  readonly onUnreachable?: () => void;
}

// Else the driver spells a Date in the zone of the process, and leaves out the seconds of an offset.
pg.defaults.parseInputDatesAsUTC = true;

/** So long a statement may go on that was cancelled. */
const drainingMs = 5000;
const cancelledAfterMs = 50;

/** What the driver's types leave out. */
interface Driver {
  secretKey: number | null;
  readonly ssl: boolean | ConnectionOptions;
  readonly sslNegotiation: string;
  _connected: boolean;
  readyForQuery?: boolean;
  processID: number | null;
  getStartupConf(): Record<string, string>;
  _connect(callback: (error?: Error) => void): void;
}

class CountingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature is a dozen overloads
  override query(asked: any, ...rest: any[]): any {
    activity.statements += 1;
    return observed(asked, rest, (sent) => super.query(asked, ...(sent as [])));
  }
}

const Client = CountingClient as unknown as new (config: pg.ClientConfig) => pg.Client & Driver;

export class DatabaseClient extends Client {
  /** Since it was last heard, or has been in its state. */
  silentMs = 0;
  private bytesRead = 0;
  private lastState: ConnectionState = 'connecting';
  private isPinged = false;
  private readonly monitor: LivenessMonitor;

  constructor(protected readonly options: ClientOptions) {
    super({
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
      ...options,
      // TypeORM gives none to those of the pool.
      application_name: options.application_name ?? 'worktrack',
      types: columnTypes,
      // The liveness monitor ends a connection that does not open.
      connectionTimeoutMillis: 0,
    });
    this.on('error', () => undefined);
    // The driver listens once it connects.
    this.connection.on('error', () => undefined);
    splitRows(this.connection.stream);
    // Encrypted, it is another stream.
    this.connection.once('sslconnect', () => splitRows(this.connection.stream));
    this.once('connect', () => {
      const { localPort } = this.connection.stream as unknown as { localPort?: number };
      lowerPriority(this.processID, localPort);
    });
    let isFull = false;
    this.connection.once('errorMessage', (error: object) => {
      isFull = hasNoRoom(error);
    });
    this.once('end', () => this._connected || isFull || options.onUnreachable?.());
    this.monitor = options.monitor ?? new LivenessMonitor(Number(options.settings?.statement_timeout ?? 0));
  }

  /** As the driver begins it in any case. What never began to connect tells nobody of its end. */
  override _connect(callback: (error?: Error) => void): void {
    super._connect(callback);
    this.monitor.add(this);
  }

  get state(): ConnectionState {
    if (!this._connected) return 'connecting';
    if (this.readyForQuery) return 'idle';
    return this.isPinged ? 'pinged' : 'busy';
  }

  /** Notes whether something has arrived since the last check. */
  listen(): void {
    const { bytesRead } = this.connection.stream as unknown as { bytesRead: number };
    const isHeard = this._connected && bytesRead !== this.bytesRead;
    this.bytesRead = bytesRead;
    if (isHeard) this.isPinged = false;
    const { state } = this;
    this.silentMs = isHeard || state !== this.lastState ? 0 : this.silentMs + checkEveryMs;
    this.lastState = state;
  }

  /**
   * Ends what runs on it, of which nobody needs the answer any more. Gives whether the connection can be used again.
   */
  async drain(): Promise<boolean> {
    if (this.state === 'idle') return true;
    const patience = AbortSignal.timeout(drainingMs);
    const idle = once(this, 'drain', { signal: patience }).then(() => true);
    try {
      // Most end by themselves before they could be cancelled.
      if (await Promise.race([idle, setTimeout(cancelledAfterMs, false, { ref: false })])) return true;
      // A request to cancel that is still under way would meet the next statement.
      await Promise.all([idle, cancel(this, patience)]);
      return true;
    } catch {
      return false;
    }
  }

  /** Goes ahead of a statement, so it costs no round trip: the server answers it before it begins that. */
  ping(): void {
    this.listen();
    this.silentMs = 0;
    this.isPinged = true;
    this.query('', () => undefined);
  }

  /** What runs on it fails, also where its answer has arrived along with this; nothing waits for the other end. */
  terminate(code: string, reason: string): void {
    this.connection.emit('error', Object.assign(new Error(`Connection terminated: ${reason}`), { code }));
    this.connection.stream.destroy();
  }

  /** Goes ahead of the first statement: nothing succeeds on a connection without its settings. */
  verify(): void {
    const { settings } = this.options;
    if (!settings) return;
    const { text, values } = wrongSettings(settings, liftedLimits(settings));
    this.query<WrongSetting>(text, values, (error, result) => {
      const wrong = error ? undefined : result.rows[0];
      if (wrong) this.terminate('08P01', notKept(wrong));
    });
  }

  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), ...this.startupSettings };
  }

  protected get startupSettings(): SessionSettings {
    return this.options.settings ?? {};
  }
}

export const notKept = ({ name, wanted, held }: WrongSetting): string =>
  `the database connection does not keep the setting ${name} ('${wanted}' was asked for, '${held}' is in force)`;
