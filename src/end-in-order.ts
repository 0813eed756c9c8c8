/** Ends the process in order on SIGINT and SIGTERM: with 0, or with 1 when that takes too long. A second signal changes nothing. */
import { complain } from './standard-error.js';

export function endInOrder(end: () => Promise<void>, patienceMs = 15_000): () => void {
  let isEnding = false;
  const once = (): void => {
    if (isEnding) return;
    isEnding = true;
    // What will not end in time must not keep the process for ever.
    setTimeout(() => {
      complain(`what was under way did not end within ${patienceMs / 1000} seconds.`);
      process.exit(1);
    }, patienceMs).unref();
    void end().then(() => process.exit());
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, once);
  return once;
}
