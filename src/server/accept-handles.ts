/**
 * Lets a server take up many connections in one turn of the event loop. Node takes up one for each handle of a
 * listening socket, so whoever connects behind a thousand others would wait for a thousand turns, for seconds where
 * each is long.
 *
 * A process cannot make a second handle of a socket by itself. One is made where a handle is passed between processes,
 * so a short-lived one is given the socket and passes it back as often as it is asked to.
 */
import { type SendHandle, spawn } from 'node:child_process';
import type { Server as HttpServer } from 'node:http';
import { FurtherListeners } from './further-listeners.js';
import { backlog } from './listen.js';

/** Each costs a look at the socket whenever somebody connects, about a microsecond. */
const moreHandles = 16;

/** How long the other process may take. */
const patienceMs = 10_000;

const passBack = `process.once('disconnect', () => process.exit());
process.once('message', (count, handle) => {
  let left = count;
  const done = () => --left === 0 && process.disconnect();
  for (let at = 0; at < count; at += 1) process.send('', handle, done);
});`;

/** What Node's types leave out. */
interface Handled {
  readonly _handle: SendHandle;
}

/** `server` listens. Where no process can be started, all goes on with its one handle. Gives how many it has got. */
export async function addHandles(server: HttpServer, count = moreHandles): Promise<number> {
  const handles = new FurtherListeners(server, backlog);
  // It is lost where too many files are open, and without one this would listen elsewhere.
  const add = (handle: SendHandle | undefined): void => void (handle && handles.add(handle));
  await passedBack((server as unknown as Handled)._handle, count, add).catch(() => undefined);
  return handles.count;
}

/** Settles when the other process has ended. */
async function passedBack(handle: SendHandle, count: number, add: (handle: SendHandle | undefined) => void) {
  const child = spawn(process.execPath, ['-e', passBack], { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  child.unref();
  const ended = new Promise((resolve) => child.on('error', resolve).once('exit', resolve));
  child.on('message', (_, another) => add(another));
  child.send(count, handle, () => undefined);
  child.channel?.unref();
  const late = setTimeout(() => child.kill('SIGKILL'), patienceMs).unref();
  await ended;
  clearTimeout(late);
}
