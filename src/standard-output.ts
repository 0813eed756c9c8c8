/**
 * Keeps standard output from stopping the process where it is a pipe that nobody reads. Node makes it non-blocking when it opens it as a
 * stream; a child that starts, and one that ends, makes it blocking again for all that share it.
 */
import { Socket } from 'node:net';

export function openStandardOutput(): void {
  if (process.stdout instanceof Socket && !process.stdout.isTTY) new Socket({ fd: 1, readable: false });
}
