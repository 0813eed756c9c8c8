/** The write pipeline as the edge uses it: parse, resolve, apply in one transaction, answer through the read pipeline. */
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { actorShape } from '../actor.js';
import { apply, applyBatch } from '../command/apply.js';
import { type Change, referenced } from '../command/change.js';
import type { Circumstances } from '../command/circumstances.js';
import { type Command, emptyCommand } from '../command/command.js';
import { Facts } from '../command/facts.js';
import { NewIds } from '../command/new-ids.js';
import { remove, type Target } from '../command/remove.js';
import { type Place, resolveCommand, resolveCommands } from '../command/resolve-command.js';
import { unlink } from '../command/unlink.js';
import type { Config } from '../config.js';
import { CONFIG } from '../config.token.js';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL } from '../database/pools.js';
import type { TransactionConnection } from '../database/transaction-connection.js';
import { WaitingRoom } from '../database/waiting-room.js';
import { methodNotAllowed } from '../errors.js';
import type { CollectionField, Model, ResourceType } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { CommonRules } from '../modules/common-rules.js';
import { Catalogue } from '../modules/custom-fields/catalogue.js';
import { ProcessCatalogue } from '../modules/process/process-catalogue.js';
import { existingAs } from '../query/compile-lookup.js';
import { inSlices } from '../slices.js';
import type { WalPosition } from '../wal-position.js';
import { Batch, briefBatch, briefItem, Deleted, type EntityName, type Item, type Saved } from './answer.js';
import { many, one, targetsOf } from './bodies.js';
import { Families } from './families.js';
import { hasKey, idempotently } from './idempotency.js';
import { Lookups } from './lookups.js';
import { checkVersions } from './preconditions.js';
import { type Ask, idAlone, Reads } from './reads.js';
import type { ApiRequest } from './request.js';
import { retrying } from './retrying.js';
import { tableRecordOf } from './table-records.js';
import { type Answering, type AnsweringWithin, alreadyRead, answerWithin, inTransaction } from './transaction.js';
import { TransactionEnds } from './transaction-ends.js';
import { WritePositions } from './write-positions.js';

/** What was written, and how to read it. */
interface Written {
  created: boolean;
  /** The caller is sure to see it. */
  keepsSight: boolean;
  read(inside: Ask): Promise<Item | Batch>;
  /** What to answer where it is stored but cannot be read. */
  brief(): Item | Batch;
}

@Injectable()
export class Writes {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(MODEL) private readonly model: Model,
    private readonly dataSource: DataSource,
    @Inject(PRIMARY_POOL) private readonly pool: DatabasePool,
    private readonly reads: Reads,
    private readonly lookups: Lookups,
    private readonly families: Families,
    private readonly catalogue: Catalogue,
    private readonly processes: ProcessCatalogue,
    private readonly common: CommonRules,
    private readonly waiting: WaitingRoom,
    private readonly positions: WritePositions,
  ) {}

  /** Creates or updates one entity. */
  async save(resource: ResourceType, id: number | undefined, request: ApiRequest, ask: Ask): Promise<Saved> {
    const payload = await one(resource, request);
    const resolved = (): Promise<Command> => inSlices(resolveCommand(payload, resource, id, this.place()));
    const first = await resolved();
    const { create, update } = resource.settings.operations;
    if (first.id === undefined ? !create : !update) throw methodNotAllowed('POST', ['GET', 'HEAD']);
    await this.reads.prepare(resource, ask);
    const attempts = [first];
    return this.answered(request, ask, async (work) => {
      // What is applied is used up: whoever begins again resolves again.
      const changes = await apply([attempts.pop() ?? (await resolved())], work);
      const [change] = changes;
      return {
        created: change!.isNew,
        keepsSight: keepsSight(changes),
        read: (inside) => this.reads.one(resource, change!.id!, inside),
        brief: () => briefItem(kindAndId(change!), ask.format),
      };
    });
  }

  /** Creates and updates as many as the body lists, all or none. */
  async saveAll(resource: ResourceType, request: ApiRequest, ask: Ask): Promise<Saved> {
    const payloads = await many(resource, request, this.config.bulkLimit);
    const commands = (): Promise<Command[]> => inSlices(resolveCommands(payloads, resource, this.place()));
    await this.reads.prepare(resource, ask);
    return this.answered(request, ask, async (work) => {
      const changes = await apply(await commands(), work);
      const ids = changes.map(({ id }) => id!);
      return {
        created: false,
        keepsSight: keepsSight(changes),
        read: async (inside) => new Batch(resource.collection, await this.reads.many(resource, ids, inside)),
        brief: () => briefBatch(resource.collection, changes.map(kindAndId), ask.format),
      };
    });
  }

  /** Adds one item to a collection of one entity: creates it with its owner set, or links the one it names. */
  async saveInner(
    owner: ResourceType,
    id: number,
    field: CollectionField,
    request: ApiRequest,
    ask: Ask,
  ): Promise<Saved> {
    if (!field.canAdd) throw methodNotAllowed('POST', ['GET', 'HEAD']);
    const payload = await one(field.target, request);
    await this.reads.prepare(field.target, ask);
    return this.answered(request, ask, async (work) => {
      const item = await inSlices(resolveCommand(payload, field.target, undefined, this.place()));
      const sent = { field, items: [item], ids: [] as number[] };
      await apply([{ ...emptyCommand(owner, '', id), collections: [sent], isCarrier: true }], work);
      return {
        created: item.id === undefined,
        keepsSight: false,
        read: (inside) => this.reads.one(field.target, sent.ids[0]!, inside),
        brief: () => briefItem({ type: field.target.name, id: sent.ids[0]! }, ask.format),
      };
    });
  }

  async delete(resource: ResourceType, id: number, request: ApiRequest, ask: Ask): Promise<Deleted> {
    return this.removed(request, ask, (work) => removedOf(resource, [{ id, path: '' }], work));
  }

  async deleteAll(resource: ResourceType, request: ApiRequest, ask: Ask): Promise<Deleted> {
    const targets = await targetsOf(resource, request, this.config.bulkLimit);
    return this.removed(request, ask, (work) => removedOf(resource, targets, work), true);
  }

  /** Takes items out of a collection; those that cannot be without their owner are deleted. */
  async deleteInner(
    owner: ResourceType,
    id: number,
    field: CollectionField,
    { ids, isList }: { ids: readonly number[]; isList: boolean },
    request: ApiRequest,
    ask: Ask,
  ): Promise<Deleted> {
    if (!field.canRemove) throw methodNotAllowed('DELETE', ['GET', 'HEAD']);
    const act = async (work: Circumstances): Promise<EntityName[]> => {
      await unlink(owner, id, field, ids, work);
      return ids.map((child) => ({ type: field.target.name, id: child }));
    };
    return this.removed(request, ask, act, isList);
  }

  private removed(
    request: ApiRequest,
    ask: Ask,
    act: (work: Circumstances) => Promise<EntityName[]>,
    isList = false,
  ): Promise<Deleted> {
    return this.transaction(request, ask, async (work) => {
      const removing = async () => new Deleted(await act({ ...work, ...checkVersions(request) }), isList);
      return alreadyRead(await idempotently(request, work, removing));
    });
  }

  private place(): Place {
    const { timeZone } = this.config;
    return { path: '', timeZone, isCustomField: (kind, name) => this.catalogue.defines(kind, name) };
  }

  /**
   * Who is sure to see what was written reads it behind the commit. Else it is read within the transaction: a write that would
   * take the entity out of the caller's own sight does not happen; and an answer that is to be given again is kept there.
   */
  answered(request: ApiRequest, ask: Ask, act: (work: Circumstances) => Promise<Written>): Promise<Saved> {
    return this.transaction(request, ask, async (work, transaction) => {
      const write = () => act({ ...work, ...checkVersions(request) });
      const within = (written: Written): Promise<Saved> =>
        settled(work, () => answerWithin(transaction, answeringOf(written, ask)));
      if (hasKey(request)) return alreadyRead(await idempotently(request, work, async () => within(await write())));
      const written = await write();
      return written.keepsSight ? answeringOf(written, ask) : alreadyRead(await within(written));
    });
  }

  private async transaction<T extends object>(
    request: ApiRequest,
    ask: Ask,
    act: (work: Circumstances, transaction: TransactionConnection) => Promise<Answering<T>>,
  ): Promise<T> {
    const { userId } = ask.actor;
    const author = { userId, requestId: request.id };
    const notePosition = this.positions.areNoted
      ? (position: WalPosition) => this.positions.note(request, position)
      : undefined;
    await this.waiting.during(userId, () => Promise.all([this.catalogue.refresh(), this.processes.refresh()]));
    let ends = new TransactionEnds();
    const result = await retrying(() => {
      ends = new TransactionEnds();
      const actWithin = (transaction: TransactionConnection) => act(this.work(transaction, ask, ends), transaction);
      return ends.of(inTransaction(this.pool, author, actWithin, notePosition));
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
      now: new Date(),
      timeZone: this.config.timeZone,
      model: this.model,
      common: this.common,
      rulesOf: (resource) => this.families.of(resource),
      rows: (text, values = []) => this.lookups.rows(text, values, writing),
      send: (text, values = []) => transaction.dependOn(this.lookups.done(text, values, writing)),
      // Taking a number off a sequence is nothing that a transaction could undo.
      ids: new NewIds((text, values) => this.lookups.rows(text, values, reading)),
      // A lock outside of the transaction would be gone at once.
      recordOf: tableRecordOf,
      ask: (statement, ids) => this.lookups.ask(statement, ids, actor, reading),
      existingAs: (resource, alias) => existingAs(resource, alias, actorShape(actor)),
      look: (wanted) => this.lookups.look(wanted, facts, actor, reading),
      takenAlong: (resource, ids) => this.lookups.takenAlong(resource, ids, actor, reading),
      apply: (commands) => applyOwn(commands, work),
      afterCommit: (act) => ends.afterCommit(act),
      ifUndone: (act) => ends.ifUndone(act),
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

const kindAndId = ({ resource, id }: Change): EntityName => ({ type: resource.name, id: id! });

async function removedOf(resource: ResourceType, targets: Target[], work: Circumstances): Promise<EntityName[]> {
  await remove(resource, targets, work);
  return targets.map(({ id }) => ({ type: resource.name, id }));
}

/** Commands that rules make. */
async function applyOwn(commands: readonly Command[], work: Circumstances) {
  return commands.some(({ id }) => id !== undefined) ? apply(commands, work) : applyBatch(commands, new Map(), work);
}

/** Administrators see everything, and members what lies in projects of theirs. */
const keepsSight = (changes: readonly Change[]): boolean =>
  changes.every((change) => change.actor.isAdministrator || liesWithMember(change));

function liesWithMember(change: Change): boolean {
  const { resource, actor, isNew } = change;
  const project = isNew && resource.root.name === 'General' ? referenced(change, 'project') : undefined;
  return project !== undefined && actor.projectIds.includes(project);
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
