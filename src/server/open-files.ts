/**
 * Finds out that no more files and connections can be opened, since too many are open. The system keeps connections
 * that come meanwhile and tells nobody, so it is looked once a second.
 */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

export const tooFewFiles =
  'Too few files may be open at once: raise the limit, for example with "ulimit -n 4096" or LimitNOFILE of systemd.';
export const enoughFiles = 'Files and connections can be opened again.';

const lookEveryMs = 1000;

/** Told of each change. Gives what ends the watch. */
export function watchOpenFiles(change: (isShort: boolean) => void): () => void {
  let wasShort = false;
  const timer = setInterval(() => {
    const isShort = !canOpen();
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
