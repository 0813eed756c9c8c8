/**
 * One transaction. Statements that do not wait for each other's results travel together: a round trip costs more than
 * most of them. It ends in one of four ways: stored and answered; stored but not readable, which is answered briefly;
 * rolled back, which is known to have left nothing; or unknown.
 */

import type { PoolClient } from 'pg';
import { OutcomeUnknown, outcomeUnknown, tooLongCode } from '../database/database-error.js';
import type { DatabasePool } from '../database/pool.js';
import { type Author, TransactionConnection } from '../database/transaction-connection.js';
import { outcomeOf } from '../database/transaction-outcome.js';
import { currentPosition, parsePosition, type WalPosition, walEnd } from '../database/wal-position.js';
import { ApiError } from '../errors.js';
import { type Connection, codeOf } from '../query/reader.js';

/** How to answer once the transaction is committed. */
export interface Answering<T> {
  /** On its way along with the commit; asked of another connection where that one does not answer. */
  read(connection: Connection): Promise<T>;
  /** What can be answered without reading. */
  brief(): T;
}

export const alreadyRead = <T>(answer: T): Answering<T> => ({ read: async () => answer, brief: () => answer });

/** Of several that are stored together each is answered, or confirmed as stored. */
export const answerEach = <T>(all: readonly Answering<T>[]): Answering<T[]> => ({
  read: (connection) =>
    Promise.all(
      all.map(({ read, brief }) =>
        read(connection).catch((error: unknown) => {
          if (isFinal(error)) return brief();
          throw error;
        }),
      ),
    ),
  brief: () => all.map(({ brief }) => brief()),
});

/** How to answer within the transaction. */
export interface AnsweringWithin<T> extends Answering<T> {
  /** Throws a 404 where the caller would no longer see what was written: that must not be stored. */
  mustBeSeen(connection: Connection): Promise<unknown>;
}

/**
 * Reads the answer within the transaction, which stays open where that fails for good: what is stored is answered
 * briefly.
 */
export async function answerWithin<T>(
  transaction: TransactionConnection,
  { read, brief, mustBeSeen }: AnsweringWithin<T>,
): Promise<T> {
  try {
    return await transaction.attempt(() => read(transaction.reading), isFinal);
  } catch (error) {
    if (!isFinal(error) || isNotFound(error)) throw error;
    await mustBeSeen(transaction.reading);
    return brief();
  }
}

/** Thrown where the transaction was rolled back as a whole. */
export class RolledBack extends Error {
  constructor(
    override readonly cause: unknown,
    /** The server had confirmed that the transaction was open. */
    readonly wasBegun: boolean,
  ) {
    super('rolled back');
  }
}

/**
 * Takes where in the log of the database a transaction is, once it is stored. Undefined: nobody knows whether it is.
 */
export type NotePosition = (position: WalPosition | undefined) => void;

/** Throws a RolledBack, or an ApiError. */
export async function inTransaction<T extends object>(
  pool: DatabasePool,
  author: Author,
  act: (transaction: TransactionConnection) => Promise<Answering<T>>,
  notePosition?: NotePosition,
): Promise<T> {
  const noteAll = (error: unknown): never => {
    if (error instanceof OutcomeUnknown) notePosition?.(undefined);
    throw error;
  };
  pool.heldCommits.mustBeFew();
  const transaction = await TransactionConnection.begin(pool, author);
  const answering = await acted(transaction, act).catch(noteAll);
  const answer = await committed(transaction, answering, pool, notePosition).catch(noteAll);
  return answer ?? (await readElsewhere(answering, pool));
}

async function acted<T>(
  transaction: TransactionConnection,
  act: (transaction: TransactionConnection) => Promise<Answering<T>>,
): Promise<Answering<T>> {
  try {
    const answering = await act(transaction);
    await transaction.allDone();
    return answering;
  } catch (error) {
    await transaction.rollback();
    throw undone(error, transaction);
  }
}

/** What a refusal means. That `begin` failed comes first: what was looked up behind it proves nothing. */
function undone(error: unknown, { id, failure, isLost }: TransactionConnection): unknown {
  if (isLost) return outcomeUnknown();
  if (failure !== undefined && id === '') return new RolledBack(failure, false);
  return error instanceof ApiError ? error : new RolledBack(failure ?? error, true);
}

/** Undefined: it is stored, but could not be read on this connection. */
async function committed<T extends object>(
  transaction: TransactionConnection,
  answering: Answering<T>,
  pool: DatabasePool,
  notePosition?: NotePosition,
): Promise<T | undefined> {
  const committing = transaction.commit();
  const locating = notePosition && positionOn(transaction.reading);
  const reading = answering.read(transaction.reading).catch((error: unknown) => {
    return isFinal(error) ? answering.brief() : undefined;
  });
  try {
    await committing;
  } catch (failure) {
    transaction.discard();
    await mustBeStored(transaction, pool, failure);
    notePosition?.((await positionOn(pool)) ?? walEnd);
    return undefined;
  }
  if (locating) notePosition?.((await locating) ?? (await positionOn(pool)) ?? walEnd);
  const answer = await reading;
  if (answer === undefined) transaction.discard();
  else transaction.release();
  return answer;
}

/** Behind the commit. Undefined: it could not be asked. */
export async function positionOn(
  connection: Pick<PoolClient, 'query'> | DatabasePool,
): Promise<WalPosition | undefined> {
  try {
    const { rows } = await (connection as PoolClient).query<{ position: string }>(askPosition);
    return parsePosition(rows[0]!.position);
  } catch {
    return undefined;
  }
}

const askPosition = `select ${currentPosition} as position`;

async function mustBeStored(transaction: TransactionConnection, pool: DatabasePool, failure: unknown): Promise<void> {
  const outcome = await outcomeOf(transaction, pool);
  if (outcome === 'aborted') throw new RolledBack(failure, true);
  if (outcome === 'committed') return;
  if (outcome === 'held') pool.heldCommits.hold(transaction, pool);
  throw outcomeUnknown();
}

/** It took too long, or is too long. */
const finalCodes: readonly unknown[] = ['57014', tooLongCode];

/** Another connection would answer the same. */
const isFinal = (error: unknown): boolean => error instanceof ApiError || finalCodes.includes(codeOf(error));

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 'NotFound';

const readElsewhere = <T>(answering: Answering<T>, pool: DatabasePool): Promise<T> =>
  answering.read(pool).catch(() => answering.brief());
