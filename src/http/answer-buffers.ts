/**
 * Buffers for the bytes of long answers, used again when an answer has been sent. Left to the garbage collector they
 * pile up: V8 looks for what is outside its heap when there are 64 MiB of it.
 */
import type { FastifyReply } from 'fastify';

const size = 4 * 2 ** 20;
/** What is smaller is soon collected, and would keep a whole buffer from others. */
const least = 2 ** 18;
const kept = 4;

const free: Buffer[] = [];

/** At least so many bytes for the body of this answer, which keeps them until it is sent or nobody waits for it. */
export function bufferFor(reply: FastifyReply, bytes: number): Buffer {
  if (bytes < least || bytes > size) return Buffer.allocUnsafe(bytes);
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(size);
  reply.raw.once('close', () => {
    if (free.length < kept) free.push(buffer);
  });
  return buffer;
}
