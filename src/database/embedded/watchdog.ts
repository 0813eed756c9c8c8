/** Runs the server under a shell that ends it when this process is gone, however it went. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { type Account, surroundings } from './account.js';

export interface Guarded {
  /** Resolves when the server is gone; says how it ended. */
  readonly ended: Promise<string>;
  send(signal: 'INT' | 'QUIT' | 'KILL'): void;
}

/**
 * The shell is the server's parent and reads a pipe whose other end only this process has. Each line is a signal for
 * the server; the end of the pipe is our death. So no process id is ever guessed, nobody has to be allowed to signal
 * anybody else's process, and there is no moment in which the server runs unwatched. A shell and not a Node script: it
 * needs no path into our own files, which the account may be unable to read.
 */
const script = `
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
# What the shell itself has to say ("Killed") does not belong in the server's log.
exec >/dev/null 2>&1
trap '' HUP INT TERM QUIT
(
  while read -r signal; do kill -s "$signal" $server; done
  # Repeated, because a server that has only just been started ignores it.
  while kill -s QUIT $server; do sleep 0.1 || sleep 1; done
) <&3 &
reader=$!
exec 3<&-
wait $server
status=$?
kill -s KILL $reader
wait $reader
exit $status
`;

export function runGuarded(account: Account | undefined, command: readonly string[], log: number): Guarded {
  const shell = spawn('/bin/sh', ['-c', script, 'worktrack-postgres', ...command], {
    ...surroundings(account),
    stdio: ['pipe', log, log],
    // A session of its own: Ctrl-C reaches us, and we end the server when the last request is answered.
    detached: true,
  });
  const pipe = shell.stdin as Socket;
  // The database alone must not keep the process from ending.
  shell.unref();
  pipe.unref();
  // Writing to a shell that is gone; its end resolves the promise.
  pipe.on('error', () => {});
  return {
    // Should the shell alone have been killed, the end of the pipe still ends the server.
    ended: endOf(shell).finally(() => pipe.destroy()),
    send: (signal) => pipe.write(`${signal}\n`),
  };
}

function endOf(shell: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    shell.on('error', (error) => resolve(error.message));
    shell.on('exit', (status, signal) => resolve(signal ? `signal ${signal}` : `exit status ${status}`));
  });
}
