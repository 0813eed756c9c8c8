/** Keeps standard output from stopping or ending the process, whoever takes what is written there. */
import { Socket } from 'node:net';

/**
 * A pipe that nobody reads must not block: Node makes it non-blocking when it opens it as a stream; a child that
 * starts, and one that ends, makes it blocking again for all that share it. A disk that is full, or a reader that is
 * gone, is an error of the stream, which would end the process if nobody listened.
 */
export function openStandardOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  if (process.stdout instanceof Socket && !process.stdout.isTTY) new Socket({ fd: 1, readable: false });
}

const ignore = (): void => undefined;
