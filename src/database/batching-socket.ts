/**
 * A socket to the database that sends what is written within one turn of the event loop with one system call. The driver
 * writes statement by statement; those that were issued together then wake the server once, not one after the other.
 */
import { Socket } from 'node:net';

export class BatchingSocket extends Socket {
  override uncork(): void {
    // Behind the promises of this turn: what they issue travels along.
    process.nextTick(() => super.uncork());
  }
}
