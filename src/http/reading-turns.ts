/**
 * Bounds what is read of bodies in one turn. Node reads two megabytes from each connection that has them before it
 * looks at the next one; of a hundred large bodies that takes longer than others should have to wait.
 */
import type { IncomingMessage } from 'node:http';

interface Bounds {
  /** The most bytes in a turn, of all bodies together. */
  readonly bytesInTurn: number;
  /** Calls back when the next turn begins. */
  readonly nextTurn: (begin: () => void) => void;
}

/** So many go on in a turn: a piece has 64 KiB at most. */
const requestsInTurn = 8;

class ReadingTurns {
  private left: number;
  private isEnding = false;
  /** Those that are paused, in the order in which they go on. */
  private readonly waiting = new Set<IncomingMessage>();

  constructor(private readonly bounds: Bounds) {
    this.left = bounds.bytesInTurn;
  }

  /** A flowing request has brought so many bytes: where that is all for this turn, it goes on in one of the next. */
  read(request: IncomingMessage, bytes: number): void {
    this.left -= bytes;
    if (this.left <= 0) {
      request.pause();
      this.waiting.add(request);
    }
    this.awaitNext();
  }

  private awaitNext(): void {
    if (this.isEnding) return;
    this.isEnding = true;
    this.bounds.nextTurn(() => this.begin());
  }

  private begin(): void {
    this.isEnding = false;
    this.left = this.bounds.bytesInTurn;
    let count = 0;
    for (const request of this.waiting) {
      if (count === requestsInTurn) break;
      count += 1;
      this.waiting.delete(request);
      request.resume();
    }
    if (this.waiting.size > 0) this.awaitNext();
  }
}

const turnOfLoop = (begin: () => void): void => void setImmediate(begin);
const millisecondsOfDropping = 16;

/** Turns of bodies that a handler waits for. */
export const readingTurns = new ReadingTurns({ bytesInTurn: 512 * 1024, nextTurn: turnOfLoop });

/** Of bodies that nobody wants, 16 MiB a second: whoever sends many of them at once is to slow nobody down. */
export const droppingTurns = new ReadingTurns({
  bytesInTurn: 256 * 1024,
  nextTurn: (begin) => void setTimeout(begin, millisecondsOfDropping).unref(),
});
