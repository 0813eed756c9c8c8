/** The write pipeline as the edge uses it: parse, resolve, apply in one transaction, answer through the read pipeline. */
import { Inject, Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { apply, applyBatch, type Circumstances } from '../command/apply.js';
import { type Command, emptyCommand } from '../command/command.js';
import { Facts } from '../command/facts.js';
import type { Payload } from '../command/payload.js';
import { remove, type Target } from '../command/remove.js';
import { resolveCommand } from '../command/resolve-command.js';
import { unlink } from '../command/unlink.js';
import type { Config } from '../config.js';
import { CONFIG } from '../config.token.js';
import { methodNotAllowed } from '../errors.js';
import type { CollectionField, Model, ResourceType } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { CommonRules } from '../modules/common-rules.js';
import { Catalogue } from '../modules/custom-fields/catalogue.js';
import { ProcessCatalogue } from '../modules/process/process-catalogue.js';
import { Batch, Deleted, type Item } from './answer.js';
import { many, one, targetsOf } from './bodies.js';
import { Families } from './families.js';
import { idempotently } from './idempotency.js';
import { Lookups } from './lookups.js';
import { checkVersions } from './preconditions.js';
import { type Ask, Reads } from './reads.js';
import type { ApiRequest } from './request.js';
import { retrying } from './retrying.js';
import { inTransaction } from './transaction.js';

export interface Saved {
  created: boolean;
  answer: Item | Batch;
}

@Injectable()
export class Writes {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(MODEL) private readonly model: Model,
    private readonly dataSource: DataSource,
    private readonly reads: Reads,
    private readonly lookups: Lookups,
    private readonly families: Families,
    private readonly catalogue: Catalogue,
    private readonly processes: ProcessCatalogue,
    private readonly common: CommonRules,
  ) {}

  /** Creates or updates one entity. */
  async save(resource: ResourceType, id: number | undefined, request: ApiRequest, ask: Ask): Promise<Saved> {
    const payload = one(resource, request);
    const command = (): Command => this.resolve(payload, resource, id, '');
    const { create, update } = resource.settings.operations;
    if (command().id === undefined ? !create : !update) throw methodNotAllowed('POST', ['GET', 'HEAD']);
    return this.answered(request, ask, async (work, inside) => {
      const [change] = await apply([command()], work);
      const answer = await settled(work, () => this.reads.one(resource, change!.id!, inside));
      return { created: change!.isNew, answer };
    });
  }

  /** Creates and updates as many as the body lists, all or none. */
  async saveAll(resource: ResourceType, request: ApiRequest, ask: Ask): Promise<Saved> {
    const payloads = many(resource, request, this.config.bulkLimit);
    const commands = (): Command[] => payloads.map((it, at) => this.resolve(it, resource, undefined, `[${at}].`));
    return this.answered(request, ask, async (work, inside) => {
      const changes = await apply(commands(), work);
      const ids = changes.map(({ id }) => id!);
      const items = await settled(work, () => this.reads.many(resource, ids, inside));
      return { created: false, answer: new Batch(resource.collection, items) };
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
    const payload = one(field.target, request);
    return this.answered(request, ask, async (work, inside) => {
      const item = this.resolve(payload, field.target, undefined, '');
      const sent = { field, items: [item], ids: [] as number[] };
      await apply([{ ...emptyCommand(owner, '', id), collections: [sent], isCarrier: true }], work);
      const answer = await settled(work, () => this.reads.one(field.target, sent.ids[0]!, inside));
      return { created: item.id === undefined, answer };
    });
  }

  async delete(resource: ResourceType, id: number, request: ApiRequest, ask: Ask): Promise<Deleted> {
    return this.removed(resource, () => [{ id, path: '' }], request, ask);
  }

  async deleteAll(resource: ResourceType, request: ApiRequest, ask: Ask): Promise<Deleted> {
    const targets = targetsOf(resource, request, this.config.bulkLimit);
    const deleted = await this.removed(resource, () => targets, request, ask);
    return new Deleted(deleted.items, true);
  }

  /** Takes items out of a collection; those that cannot be without their owner are deleted. */
  async deleteInner(
    owner: ResourceType,
    id: number,
    field: CollectionField,
    { ids, isList }: { ids: readonly number[]; isList: boolean },
    ask: Ask,
  ): Promise<Deleted> {
    if (!field.canRemove) throw methodNotAllowed('DELETE', ['GET', 'HEAD']);
    return this.transaction(ask, async (work) => {
      await unlink(owner, id, field, ids, work);
      await work.settle();
      return new Deleted(
        ids.map((child) => ({ type: field.target.name, id: child })),
        isList,
      );
    });
  }

  private removed(resource: ResourceType, targets: () => Target[], request: ApiRequest, ask: Ask): Promise<Deleted> {
    return this.transaction(ask, async (work) => {
      const removals = await remove(resource, targets(), { ...work, ...checkVersions(request) });
      await work.settle();
      return new Deleted(removals.map(({ id }) => ({ type: resource.name, id })));
    });
  }

  private resolve(payload: Payload, resource: ResourceType, id: number | undefined, path: string): Command {
    const { timeZone } = this.config;
    const isCustomField = (kind: ResourceType, name: string) => this.catalogue.defines(kind, name);
    return resolveCommand(payload, resource, id, { path, timeZone, isCustomField });
  }

  /** The answer of a write with an idempotency key is kept with what the write changed. */
  private answered(
    request: ApiRequest,
    ask: Ask,
    act: (work: Circumstances, inside: Ask) => Promise<Saved>,
  ): Promise<Saved> {
    return this.transaction(ask, (work, inside) =>
      idempotently(request, work, () => act({ ...work, ...checkVersions(request) }, inside)),
    );
  }

  /** The connection of the transaction is in `inside`, so that the answer shows what the transaction wrote. */
  private async transaction<T>(ask: Ask, act: (work: Circumstances, inside: Ask) => Promise<T>): Promise<T> {
    await Promise.all([this.catalogue.refresh(), this.processes.refresh()]);
    const later: (() => void | Promise<void>)[] = [];
    const result = await retrying(() => {
      later.length = 0;
      return inTransaction(this.dataSource, (manager, connection) =>
        act(this.work(manager, connection, ask, later), { ...ask, connection }),
      );
    });
    for (const act of later) await act();
    return result;
  }

  private work(
    manager: EntityManager,
    connection: PoolClient,
    { actor }: Ask,
    later: (() => void | Promise<void>)[],
  ): Circumstances {
    const facts = new Facts();
    const work: Circumstances = {
      manager,
      actor,
      facts,
      now: new Date(),
      timeZone: this.config.timeZone,
      model: this.model,
      common: this.common,
      rulesOf: (resource) => this.families.of(resource),
      rows: (text, values = []) => this.lookups.rows(text, values, connection),
      look: (wanted) => this.lookups.look(wanted, facts, actor, connection),
      apply: (commands) => applyOwn(commands, work),
      afterCommit: (act) => void later.push(act),
      settle: async () => void (await connection.query('set constraints all immediate')),
    };
    return work;
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
