/** Transactions of the write pipeline: what is applied within them, and what is answered once it is stored. */

import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { actorShape } from '../actor.js';
import { apply, applyBatch } from '../command/apply.js';
import type { TableRecord } from '../command/change.js';
import type { Circumstances, CommonRules } from '../command/circumstances.js';
import type { Command } from '../command/command.js';
import { Facts } from '../command/facts.js';
import { NewIds } from '../command/new-ids.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { isLockRefusal } from '../database/migration-error.js';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL } from '../database/pools.js';
import type { TransactionConnection } from '../database/transaction-connection.js';
import type { WalPosition } from '../database/wal-position.js';
import { type ApiError, unavailable } from '../errors.js';
import type { Model } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { existingAs } from '../query/compile/lookup.js';
import type { Batch, Item, Saved } from './answer.js';
import { Families } from './families.js';
import { COMMON_RULES } from './family-tokens.js';
import { FreshConfiguration } from './fresh-configuration.js';
import { type AskRows, hasKey, idempotently, isKeyKept, keptAnswer } from './idempotency.js';
import { Lookups } from './lookups.js';
import { checkVersions } from './preconditions.js';
import { type Ask, idAlone } from './reads.js';
import type { ApiRequest } from './request.js';
import { once, retrying } from './retrying.js';
import { tableRecords } from './table-records.js';
import {
  type Answering,
  type AnsweringWithin,
  alreadyRead,
  answerEach,
  answerWithin,
  inTransaction,
  positionOn,
} from './transaction.js';
import { TransactionEnds } from './transaction-ends.js';
import { WritePositions } from './write-positions.js';

/** What was written, and how to read it. */
export interface Written {
  created: boolean;
  /** The caller is sure to see it. */
  keepsSight: boolean;
  read(inside: Ask): Promise<Item | Batch>;
  /** What to answer where it is stored but cannot be read. */
  brief(): Item | Batch;
}

/** One of several writes that share a transaction. */
export interface Sharing {
  readonly request: ApiRequest;
  readonly ask: Ask;
}

const keyExpired = (): ApiError =>
  unavailable('The Idempotency-Key was used 24 hours ago, and its answer is not kept any more. Send the form again.');

/** How long a transaction that several writes share waits for a lock. */
const lockTimeoutMs = 300;

@Injectable()
export class WriteTransactions {
  private readonly records: ReadonlyMap<string, TableRecord>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(MODEL) private readonly model: Model,
    private readonly dataSource: DataSource,
    @Inject(PRIMARY_POOL) private readonly pool: DatabasePool,
    private readonly lookups: Lookups,
    private readonly families: Families,
    private readonly configuration: FreshConfiguration,
    @Inject(COMMON_RULES) private readonly common: CommonRules,
    private readonly positions: WritePositions,
  ) {
    this.records = tableRecords(model);
  }

  /** A body is looked up, and its files are stored, by what holds now: an answer that is kept comes before that. */
  unlessKept(request: ApiRequest, act: () => Promise<Saved>): Promise<Saved> {
    return hasKey(request) ? this.keptOr(request, act) : act();
  }

  /** Whether an answer is kept for its key: known before its body is. */
  async isKeyKept(request: ApiRequest): Promise<boolean> {
    return hasKey(request) && isKeyKept(request, this.rowsFor(request));
  }

  /** That answer, once the body is known. Errors: 409. */
  kept(request: ApiRequest): Promise<Saved> {
    return this.keptOr(request, () => Promise.reject(keyExpired()));
  }

  private async keptOr(request: ApiRequest, act: () => Promise<Saved>): Promise<Saved> {
    const kept = await keptAnswer<Saved>(request, this.rowsFor(request));
    if (!kept) return act();
    if (this.positions.areNoted) this.positions.note(request, await positionOn(this.pool));
    return kept;
  }

  private rowsFor({ actor }: ApiRequest): AskRows {
    return (text, values) => this.pool.rowsFor(actor.userId, text, values);
  }

  /**
   * Who is sure to see what was written reads it behind the commit. Else it is read within the transaction: a write
   * that would take the entity out of the caller's own sight does not happen; and an answer that is to be given again
   * is kept there.
   */
  answered(request: ApiRequest, ask: Ask, act: (work: Circumstances) => Promise<Written>): Promise<Saved> {
    return this.run([request], ask, async (work, transaction) => {
      const write = () => act({ ...work, ...checkVersions(request) });
      const within = (written: Written): Promise<Saved> =>
        settled(work, () => answerWithin(transaction, answeringOf(written, ask)));
      if (hasKey(request)) return alreadyRead(await idempotently(request, work, async () => within(await write())));
      const written = await write();
      return written.keepsSight ? answeringOf(written, ask) : alreadyRead(await within(written));
    });
  }

  /** The same for several writes of one caller, all or none. Gives their answers in their order. */
  async answeredTogether(
    sharing: readonly Sharing[],
    act: (work: Circumstances) => Promise<Written[]>,
  ): Promise<readonly Saved[]> {
    const requests = sharing.map(({ request }) => request);
    return this.run(requests, sharing[0]!.ask, async (work, transaction) => {
      const writtenByAll = await act(work);
      const answerings = writtenByAll.map((written, at) => answeringOf(written, sharing[at]!.ask));
      if (writtenByAll.every(({ keepsSight }) => keepsSight)) return answerEach(answerings);
      // Where one of them cannot be read, each is carried out alone.
      const readWithin = () =>
        Promise.all(
          answerings.map((answering, at) =>
            writtenByAll[at]!.keepsSight ? answering : answering.read(transaction.reading).then(alreadyRead),
          ),
        );
      return answerEach(await settled(work, readWithin));
    });
  }

  async run<T extends object>(
    requests: readonly ApiRequest[],
    ask: Ask,
    act: (work: Circumstances, transaction: TransactionConnection) => Promise<Answering<T>>,
  ): Promise<T> {
    const { userId } = ask.actor;
    const isShared = requests.length > 1;
    // Of several each change tells its own, and none waits long for a lock that another one needs.
    const author = isShared ? { userId, requestId: '', lockTimeoutMs } : { userId, requestId: requests[0]!.id };
    const notePosition = this.positions.areNoted
      ? (position: WalPosition | undefined) => {
          for (const request of requests) this.positions.note(request, position);
        }
      : undefined;
    await this.configuration.forWriting(userId);
    let ends = new TransactionEnds();
    // What several could not do together each does alone, as often as it takes.
    const result = await (isShared ? once : retrying)(() => {
      ends = new TransactionEnds();
      const actWithin = (transaction: TransactionConnection) => act(this.work(transaction, ask, ends), transaction);
      return inTransaction(this.pool, author, actWithin, notePosition);
    });
    await ends.committed();
    return result;
  }

  private work(transaction: TransactionConnection, { actor }: Ask, ends: TransactionEnds): Circumstances {
    const { reading, writing } = transaction;
    const facts = new Facts();
    const work: Circumstances = {
      columns: this.dataSource,
      actor,
      facts,
      now: () => transaction.now,
      setUpVersion: () => transaction.setUpVersion,
      timeZone: this.config.timeZone,
      model: this.model,
      common: this.common,
      rulesOf: (resource) => this.families.of(resource),
      rows: (text, values = []) => this.lookups.rows(text, values, writing),
      send: (text, values = []) => transaction.dependOn(this.lookups.done(text, values, writing)),
      // Taking a number off a sequence is nothing that a transaction could undo.
      ids: new NewIds((text, values) => this.lookups.rows(text, values, reading)),
      // A lock outside of the transaction would be gone at once.
      recordOf: (table) => this.records.get(table),
      ask: (statement, ids) => this.lookups.ask(statement, ids, actor, reading),
      early: (text, values = []) => this.lookups.rows(text, values, reading),
      unlessHeld: (locking) => unlessHeld(transaction, locking),
      existingAs: (resource, alias) => existingAs(resource, alias, actorShape(actor)),
      look: (wanted) => this.lookups.look(wanted, facts, actor, reading),
      takenAlong: (resource, ids) => this.lookups.takenAlong(resource, ids, actor, reading),
      apply: (commands) => applyOwn(commands, work),
      afterCommit: (act) => ends.afterCommit(act),
      settle: async () => void (await writing.query('select settle_totals()')),
    };
    return work;
  }
}

const answeringOf = ({ created, keepsSight, read, brief }: Written, ask: Ask): AnsweringWithin<Saved> => ({
  read: async (connection) => ({ created, answer: await read({ ...ask, connection }) }),
  brief: () => ({ created, answer: brief() }),
  mustBeSeen: async (connection) => keepsSight || read({ ...ask, connection, query: idAlone }),
});

async function unlessHeld(transaction: TransactionConnection, locking: () => Promise<void>): Promise<boolean> {
  try {
    await transaction.attempt(locking, isLockRefusal);
    return true;
  } catch (error) {
    if (isLockRefusal(error)) return false;
    throw error;
  }
}

/** Commands that rules make. */
async function applyOwn(commands: readonly Command[], work: Circumstances) {
  return commands.some(({ id }) => id !== undefined) ? apply(commands, work) : applyBatch(commands, new Map(), work);
}

/** What is read shows the totals that the write has moved; both are on their way together. */
async function settled<T>(work: Pick<Circumstances, 'settle'>, read: () => Promise<T>): Promise<T> {
  const settling = work.settle();
  settling.catch(() => undefined);
  try {
    const answer = await read();
    await settling;
    return answer;
  } catch (error) {
    // If the totals could not be settled, that is why nothing could be read.
    await settling;
    throw error;
  }
}
