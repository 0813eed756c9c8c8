/**
 * Ends the process in order: with 0, or with 1 when that takes too long. SIGTERM leaves balancers the time to send
 * requests elsewhere; a second one, and SIGINT, which is a person's, end at once.
 */
import { complain } from './standard-error.js';

export interface Ending {
  /** What is served meanwhile is served as before. */
  drain(): void;
  readonly drainMs: number;
  end(): Promise<void>;
  /** How long the end may take. */
  readonly patienceMs?: number;
  /** By another process, which ends the draining by SIGINT: it and the system may both send SIGTERM. */
  readonly isLed?: boolean;
}

const signals = ['SIGINT', 'SIGTERM'] as const;
const leaveAtOnce = (): never => process.exit(0);

/**
 * While the service starts, there is nothing to end in order. Process 1 of a container would ignore what it does not
 * handle.
 */
export function endAtOnce(): void {
  for (const signal of signals) process.on(signal, leaveAtOnce);
}

/** From now on, in order. Gives what ends the process at once. */
export function endInOrder({ drain, drainMs, end, patienceMs = 15_000, isLed = false }: Ending): () => void {
  const finish = once(() => {
    // What will not end in time must not keep the process for ever.
    setTimeout(() => {
      complain(`what was under way did not end within ${patienceMs / 1000} seconds.`);
      process.exit(1);
    }, patienceMs).unref();
    void end().then(() => (isLed ? leave() : process.exit()));
  });
  const begin = once(() => {
    drain();
    setTimeout(finish, drainMs);
  });
  let isDraining = false;
  for (const signal of signals) process.off(signal, leaveAtOnce);
  process.on('SIGINT', finish);
  process.on('SIGTERM', () => {
    if (drainMs === 0 || (isDraining && !isLed)) finish();
    else begin();
    isDraining = true;
  });
  return finish;
}

/** Without the hooks of an exit: they write the last lines, and would wait for whoever does not read them. */
function leave(): void {
  process.removeAllListeners('SIGINT');
  process.kill(process.pid, 'SIGINT');
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
