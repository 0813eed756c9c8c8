/**
 * Bounds what is read of bodies in one turn of the event loop. Node reads two megabytes from each connection that has
 * them before it looks at the next one; of a hundred large bodies that takes longer than others should have to wait.
 */
import type { IncomingMessage } from 'node:http';

/** Of all bodies. */
const bytesInTurn = 512 * 1024;

/** So many go on in a turn: a piece has 64 KiB at most. */
const requestsInTurn = 8;

let left = bytesInTurn;
let isEnding = false;
/** Those that are paused, in the order in which they go on. */
const waiting = new Set<IncomingMessage>();

/** A flowing request has brought so many bytes: where that is all for this turn, it goes on in one of the next. */
export function readInTurns(request: IncomingMessage, bytes: number): void {
  left -= bytes;
  if (left <= 0) {
    request.pause();
    waiting.add(request);
  }
  if (isEnding) return;
  isEnding = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  isEnding = false;
  left = bytesInTurn;
  let count = 0;
  for (const request of waiting) {
    if (count === requestsInTurn) break;
    count += 1;
    waiting.delete(request);
    request.resume();
  }
  if (waiting.size === 0) return;
  isEnding = true;
  setImmediate(endTurn);
}
