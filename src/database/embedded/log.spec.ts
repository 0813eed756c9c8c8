import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Log, openLog } from './log.js';

const hour = 3_600_000;
const long = 11 * 2 ** 20;

let folder: string;
let path: string;
let log: Log;
beforeEach(() => {
  vi.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), 'worktrack-log-'));
  path = join(folder, 'postgres.log');
  log = openLog(path, () => undefined);
});
afterEach(() => {
  log.close();
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

it('is emptied each hour once it is long, and kept beside it', () => {
  truncateSync(path, long);
  vi.advanceTimersByTime(hour);
  expect([statSync(path).size, statSync(`${path}.1`).size]).toEqual([0, long]);
});

it('is emptied where it cannot be kept, as on a full disk', () => {
  symlinkSync(join(folder, 'missing', 'place'), `${path}.1`);
  truncateSync(path, long);
  vi.advanceTimersByTime(hour);
  expect(readFileSync(path, 'utf8')).toBe('');
});

it('is left alone where it cannot be reached', () => {
  rmSync(folder, { recursive: true });
  symlinkSync(folder, folder);
  vi.advanceTimersByTime(hour);
  expect(log.end()).toBe('');
});
