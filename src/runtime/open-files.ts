/**
 * How many files and connections may be open, and whether no more can be opened, since too many are. The system tells
 * nobody of the latter, so it is looked once a second.
 */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';

export const tooFewFiles =
  'Too few files may be open at once: raise the limit, for example with "ulimit -n 4096" or LimitNOFILE of systemd.';
export const enoughFiles = 'Files and connections can be opened again.';

const lookEveryMs = 1000;

/**
 * So many are kept from clients, but half of all at most: for connections to the database, for files, and for modules
 * that are loaded at their first use. Some eighty of these are open at once, and one that cannot be opened once is not
 * loaded again before the next start: Node keeps the failure.
 */
const ownFiles = 256;

/** Connections that clients may hold open together. */
export function mostConnections(): number {
  const most = mostOpenFiles();
  return most - Math.min(ownFiles, Math.ceil(most / 2));
}

/** Linux alone tells it in a file; elsewhere Node has raised it as far as it can be. */
function mostOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

/** `hadTooFew` tells whether there were too few lately, `change` is called with changes. Gives what ends the watch. */
export function watchOpenFiles(hadTooFew: () => boolean, change: (isShort: boolean) => void): () => void {
  let wasShort = false;
  const timer = setInterval(() => {
    const isShort = hadTooFew() || !canOpen();
    if (isShort !== wasShort) change(isShort);
    wasShort = isShort;
  }, lookEveryMs).unref();
  return () => clearInterval(timer);
}

function canOpen(): boolean {
  try {
    closeSync(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    return !['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}
