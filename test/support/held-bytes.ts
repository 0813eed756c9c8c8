/** What waits for the garbage collector is collected first. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

function collect(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  setFlagsFromString('--no-expose-gc');
}

/** Bytes outside of the heap that somebody still needs. */
export function heldBytes(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}
