/**
 * Bytes lie outside the heap of V8, which looks for those that nobody needs any more when it has grown itself, or when there are many
 * times more than are in use: a few long answers left 400 MiB of them behind. So the young part of the heap is looked through whenever so
 * many have been given back, which takes a millisecond or two.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const everyBytes = 32 * 2 ** 20;

const collect = collector();
let given = 0;

export function collectGarbageAfter(bytes: number): void {
  given += bytes;
  if (given < everyBytes) return;
  given = 0;
  // What has just been given back is still in the hands of whoever did.
  setImmediate(() => collect({ type: 'minor' }));
}

/** The function that V8 has for this is behind a flag. */
function collector(): (options: { type: 'minor' }) => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return gc as (options: { type: 'minor' }) => void;
}
