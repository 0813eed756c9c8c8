/**
 * Watches for how long the event loop does not turn, and for how long of that its thread computed. The rest it waited
 * for a core, which PostgreSQL and the clients want as well.
 */
import { openSync, readSync } from 'node:fs';

const everyMs = 5;

export function watchStalls() {
  const computed = threadTime();
  let [lookedAt, hadComputed] = [performance.now(), computed()];
  let worst = { stallMs: 0, computedMs: 0 };
  const look = () => {
    const [now, has] = [performance.now(), computed()];
    worst = {
      stallMs: Math.max(worst.stallMs, now - lookedAt - everyMs),
      computedMs: Math.max(worst.computedMs, has - hadComputed),
    };
    [lookedAt, hadComputed] = [now, has];
  };
  setInterval(look, everyMs).unref();
  /** The longest of each since it was last asked. */
  return () => {
    look();
    const longest = worst;
    worst = { stallMs: 0, computedMs: 0 };
    return longest;
  };
}

/** Milliseconds that the main thread has had a core so far. Where the system does not tell, all time counts. */
function threadTime() {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
    const text = Buffer.alloc(64);
    return () => Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ', 1)[0]) / 1e6;
  } catch {
    return () => performance.now();
  }
}
