/**
 * Bytes lie outside the heap of V8, which looks for those that nobody needs any more when it has grown itself, or,
 * through all of it, when there are 64 MiB more of them. So the young part of the heap is looked through whenever so
 * many have passed through the service, which takes a millisecond or two: what passes through lives no longer.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const everyBytes = 16 * 2 ** 20;

const collect = collector();
let passed = 0;

export function collectGarbageAfter(bytes: number): void {
  passed += bytes;
  if (passed < everyBytes) return;
  passed = 0;
  // What has just passed is still in the hands of whoever passed it on.
  setImmediate(() => collect({ type: 'minor' }));
}

/** The function that V8 has for this is behind a flag. */
function collector(): (options: { type: 'minor' }) => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return gc as (options: { type: 'minor' }) => void;
}
