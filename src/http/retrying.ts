/** Runs a transaction again that lost against another one: everything it does is within it, so nothing happens twice. */
import { setTimeout as pause } from 'node:timers/promises';
import { isCutOff } from '../database/database-error.js';
import { codeOf } from '../query/reader.js';
import { AfterCommit } from './transaction.js';

const attempts = 6;

/** Serialization failure, deadlock, lock not available; a plan or prepared statement that a schema change took away. */
const lost = new Set(['40001', '40P01', '55P03', '0A000', '26000']);
/** Somebody made the same row at the same moment: the second attempt finds it, and says so in the client's words. */
const same = '23505';

export async function retrying<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (error instanceof AfterCommit) throw error.cause;
      const code = codeOf(error) ?? '';
      // Cut off before it was to commit, a transaction has left nothing behind.
      const isLost = lost.has(code) || isCutOff(error) ? attempt < attempts : code === same && attempt === 1;
      if (!isLost) throw error;
      // Those who met once shall not meet again at once.
      await pause(Math.random() * 10 * attempt);
    }
  }
}
