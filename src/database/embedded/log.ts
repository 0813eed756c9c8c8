/** The server's log: a file beside the data that is kept small. */
import { closeSync, copyFileSync, openSync, readFileSync, renameSync, statSync, truncateSync } from 'node:fs';

const largest = 10 * 2 ** 20;

export interface Log {
  readonly path: string;
  /** What was written since the log was opened. */
  written(): string;
  close(): void;
}

/** Hands the open file to `use`, which gives it to the server. */
export function openLog(path: string, use: (file: number) => void): Log {
  if (sizeOf(path) > largest) renameSync(path, `${path}.1`);
  const start = sizeOf(path);
  // Appending, so that the server goes on at the new end when the file is cut.
  const file = openSync(path, 'a', 0o600);
  try {
    use(file);
  } finally {
    closeSync(file);
  }
  const hourly = setInterval(() => cut(path), 3_600_000).unref();
  return {
    path,
    written: () => readFileSync(path).subarray(start).toString(),
    close: () => clearInterval(hourly),
  };
}

function cut(path: string): void {
  if (sizeOf(path) <= largest) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path);
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
