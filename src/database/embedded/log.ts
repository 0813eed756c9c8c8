/** The server's log: a file beside the data that is kept small. */
import {
  closeSync,
  copyFileSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';

const largest = 10 * 2 ** 20;
const endBytes = 64 * 2 ** 10;

export interface Log {
  readonly path: string;
  /** What was written since the log was opened. */
  written(): string;
  /** Its last 64 kB, or nothing where it cannot be read. */
  end(): string;
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
    end: () => endOf(path),
    close: () => clearInterval(hourly),
  };
}

/** By the clock, where nobody takes an error: what fails is tried again. */
function cut(path: string): void {
  try {
    if (sizeOf(path) <= largest) return;
    keep(path);
    truncateSync(path);
  } catch {
    // The service goes on with a long log.
  }
}

/** Where there is no room for as much again, nothing of it. */
function keep(path: string): void {
  const kept = `${path}.1`;
  try {
    copyFileSync(path, kept);
  } catch {
    rmSync(kept, { force: true });
  }
}

function endOf(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(endBytes);
      const length = readSync(file, bytes, 0, endBytes, Math.max(0, fstatSync(file).size - endBytes));
      return bytes.subarray(0, length).toString();
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
