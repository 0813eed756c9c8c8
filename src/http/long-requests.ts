/**
 * Requests that may take longer than the server allows, since they bring much. Whoever reads such a one watches its
 * pace in place of its time: who brings too little is refused.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '../errors.js';
import { requestTimedOut } from './edge-error-messages.js';

export interface Pace {
  readonly bytes: number;
  readonly milliseconds: number;
}

const unhurried = new WeakSet<Socket>();

export const mayTakeTime = (socket: Socket): boolean => unhurried.has(socket);

/** Gives what ends the watch. */
export function watchPace(request: IncomingMessage, pace: Pace, fail: (error: ApiError) => void): () => void {
  const { socket } = request;
  let before = socket.bytesRead;
  unhurried.add(socket);
  let isOver = false;
  const judge = (): void => {
    const brought = socket.bytesRead - before;
    before = socket.bytesRead;
    // What is held back waits for us.
    if (!isOver && brought < pace.bytes && request.readableFlowing !== false) fail(requestTimedOut());
  };
  // What came while the event loop was busy is read before it is judged.
  const timer = setInterval(() => setImmediate(judge), pace.milliseconds).unref();
  return () => {
    isOver = true;
    clearInterval(timer);
    unhurried.delete(socket);
  };
}
