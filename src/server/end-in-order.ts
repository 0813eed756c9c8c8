/**
 * Ends the process in order: with 0, or with 1 when that takes too long. SIGTERM leaves balancers the time to send
 * requests elsewhere; a second one, and what comes from a person (SIGINT) or a terminal that closes (SIGHUP), end at
 * once.
 */
import { filesAtRest } from '../turns/file-threads.js';
import { endProcess } from './end-process.js';
import { complain, complainOf } from './standard-error.js';

export interface Ending {
  /** What is served meanwhile is served as before. */
  drain(): void;
  readonly drainMs: number;
  /** Else nobody has to be sent elsewhere. */
  isServing?(): boolean;
  /** Ends what is under way. */
  close(): Promise<void>;
  /** How long that, and what is under way on stored files, may take. */
  readonly patienceMs?: number;
  /** Ends what it needed, also where that took too long. */
  release?(): Promise<void>;
  /** By another process, which ends the draining by SIGINT: it and the system may both send SIGTERM. */
  readonly isLed?: boolean;
}

const atOnce = ['SIGINT', 'SIGHUP'] as const;
const signals = [...atOnce, 'SIGTERM'] as const;
const usualPatienceMs = 15_000;
let leaveStart: (() => void) | undefined;

/**
 * While the service starts, there is nothing to end in order but what `release` ends. Process 1 of a container would
 * ignore what it does not handle. Gives whether the process is ending.
 */
export function endAtOnce(release: () => Promise<void> = async () => {}): () => boolean {
  let isEnding = false;
  leaveStart = once(() => {
    isEnding = true;
    release()
      .catch((error: unknown) => {
        process.exitCode = 1;
        complainOf(error);
      })
      .finally(() => endProcess(undefined, usualPatienceMs));
  });
  for (const signal of signals) process.on(signal, leaveStart);
  return () => isEnding;
}

/** From now on, in order. Gives what ends the process at once. */
export function endInOrder({ drain, drainMs, isServing = () => true, isLed = false, ...ending }: Ending): () => void {
  const finish = once(async () => {
    const isOrderly = await closed(ending);
    if (isLed && isOrderly) leave();
    else await endProcess(isOrderly ? undefined : 1);
  });
  const begin = once(() => {
    drain();
    setTimeout(finish, drainMs);
  });
  let isDraining = false;
  for (const signal of atOnce) process.on(signal, finish);
  process.on('SIGTERM', () => {
    if (drainMs === 0 || !isServing() || (isDraining && !isLed)) finish();
    else begin();
    isDraining = true;
  });
  // Not before there are others: a signal that has come and was not delivered yet would be lost.
  if (leaveStart) for (const signal of signals) process.off(signal, leaveStart);
  return finish;
}

/** Whether all was done, and in time: what will not end must not keep the process for ever. */
async function closed({
  close,
  patienceMs = usualPatienceMs,
  release,
}: Pick<Ending, 'close' | 'patienceMs' | 'release'>) {
  let isOrderly = true;
  const fail = (error: unknown): void => {
    isOrderly = false;
    complainOf(error);
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isOrderly = false;
      complain(`what was under way did not end within ${patienceMs / 1000} seconds.`);
      resolve();
    }, patienceMs);
  });
  await Promise.race([close().catch(fail).then(filesAtRest), late]);
  clearTimeout(timer);
  await release?.().catch(fail);
  return isOrderly;
}

/** Without the hooks of an exit: they write the last lines, and would wait for whoever does not read them. */
function leave(): void {
  for (const signal of atOnce) process.removeAllListeners(signal);
  process.kill(process.pid, 'SIGINT');
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
