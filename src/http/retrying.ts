/**
 * Runs a transaction again that lost against another one, or whose connection broke: only what is known to have left
 * nothing.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isCutOff, isTimedOut } from '../database/database-error.js';
import { codeOf } from '../query/reader.js';
import { activity } from '../runtime/activity.js';
import { RolledBack } from './transaction.js';

const attempts = 6;

/** Serialization failure, deadlock, lock not available; a plan or prepared statement that a schema change took away. */
const lost = new Set(['40001', '40P01', '55P03', '0A000', '26000']);
/**
 * Somebody made the same row, or deleted what a row refers to, at the same moment: the second attempt sees it, and
 * stores, or tells what is wrong in the client's words.
 */
const outrun = new Set(['23505', '23503']);

export async function retrying<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error;
      if (!mayRunAgain(error, attempt)) throw error.cause;
      activity.retries.transaction += 1;
      // Those who met once shall not meet again at once.
      await pause(Math.random() * 10 * attempt);
    }
  }
}

/** The same, without a second attempt. */
export async function once<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof RolledBack ? error.cause : error;
  }
}

/** Where not even `begin` succeeded, another connection may serve, whatever was wrong with the first. */
function mayRunAgain({ cause, wasBegun }: RolledBack, attempt: number): boolean {
  const code = codeOf(cause) ?? '';
  if (outrun.has(code)) return attempt === 1;
  // Who has waited for so long does not wait as long again.
  if (attempt >= attempts || isTimedOut(cause)) return false;
  return !wasBegun || lost.has(code) || isCutOff(cause);
}
