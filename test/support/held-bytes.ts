/** Bytes outside of the heap that somebody still needs: what waits for the garbage collector is collected first. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  setFlagsFromString('--no-expose-gc');
  return process.memoryUsage().arrayBuffers;
}
