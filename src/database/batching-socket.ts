/**
 * A socket to the database that sends what is written within one turn of the event loop with one system call. The
 * driver writes statement by statement; those that were issued together then wake the server once, not one after the
 * other. It reads into the same memory each time: whoever listens for data keeps copies.
 */
import { Socket, type SocketConstructorOpts } from 'node:net';

const bytesRead = 64 * 1024;

export class BatchingSocket extends Socket {
  constructor() {
    const callback = (count: number, buffer: Uint8Array): boolean => {
      this.emit('data', buffer.subarray(0, count));
      return true;
    };
    super({ onread: { buffer: Buffer.allocUnsafeSlow(bytesRead), callback } } as SocketConstructorOpts);
  }

  override uncork(): void {
    // Behind the promises of this turn: what they issue travels along.
    process.nextTick(() => super.uncork());
  }
}
