/**
 * The write pipeline as the edge uses it: parse, resolve, apply in one transaction, answer through the read pipeline.
 */
import { Inject, Injectable } from '@nestjs/common';
import { apply } from '../command/apply.js';
import type { Circumstances } from '../command/circumstances.js';
import { type Command, emptyCommand } from '../command/command.js';
import { remove, type Target } from '../command/remove.js';
import { resolveCommands, resolveItem } from '../command/resolve-command.js';
import { unlink } from '../command/unlink.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { notFound } from '../errors.js';
import type { CollectionField, ResourceType } from '../model/model.js';
import { inSlices } from '../turns/slices.js';
import { Batch, briefBatch, briefItem, Deleted, type EntityName, type Saved } from './answer.js';
import { many, one, targetsOf } from './bodies.js';
import { idempotently } from './idempotency.js';
import { checkVersions } from './preconditions.js';
import { type Ask, Reads } from './reads.js';
import type { ApiRequest } from './request.js';
import { keepsSight, kindAndId, Saves } from './saves.js';
import { type NextCommands, SENT_FILES, type SentFiles } from './sent-files.token.js';
import { alreadyRead } from './transaction.js';
import { WriteTransactions, type Written } from './write-transactions.js';

@Injectable()
export class Writes {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly reads: Reads,
    private readonly saves: Saves,
    private readonly transactions: WriteTransactions,
    @Inject(SENT_FILES) private readonly files: SentFiles,
  ) {}

  /** See WriteTransactions. */
  unlessKept(request: ApiRequest, act: () => Promise<Saved>): Promise<Saved> {
    return this.transactions.unlessKept(request, act);
  }

  isKeyKept(request: ApiRequest): Promise<boolean> {
    return this.transactions.isKeyKept(request);
  }

  kept(request: ApiRequest): Promise<Saved> {
    return this.transactions.kept(request);
  }

  /** Creates or updates one entity. */
  save(resource: ResourceType, id: number | undefined, request: ApiRequest, ask: Ask): Promise<Saved> {
    return this.saves.save(resource, id, request, ask);
  }

  /** Creates and updates as many as the body lists, all or none. */
  async saveAll(resource: ResourceType, request: ApiRequest, ask: Ask): Promise<Saved> {
    const payloads = await many(resource, request, this.config.bulkLimit);
    const commands = (): Promise<Command[]> => inSlices(resolveCommands(payloads, resource, this.saves.place()));
    await this.reads.prepare(resource, ask);
    const write = (next: NextCommands): Promise<Saved> =>
      this.answered(request, ask, async (work) => {
        const changes = await apply(await next(work), work);
        const ids = changes.map(({ id }) => id!);
        return {
          created: false,
          keepsSight: keepsSight(changes),
          read: async (inside) => new Batch(resource.collection, await this.reads.many(resource, ids, inside)),
          brief: () => briefBatch(resource.collection, changes.map(kindAndId), ask.format),
        };
      });
    return this.files.during(await commands(), commands, ask, write);
  }

  /** Adds one item to a collection of one entity: creates it with its owner set, or links the one it names. */
  async saveInner(
    owner: ResourceType,
    id: number,
    field: CollectionField,
    request: ApiRequest,
    ask: Ask,
  ): Promise<Saved> {
    const payload = await one(field.target, request);
    const commands = async (): Promise<Command[]> => {
      const item = await inSlices(resolveItem(payload, field, this.saves.place()));
      return [{ ...emptyCommand(owner, '', id), collections: [{ field, items: [item], stored: [] }], isCarrier: true }];
    };
    await this.reads.prepare(field.target, ask);
    const write = (next: NextCommands): Promise<Saved> =>
      this.answered(request, ask, async (work) => {
        const carriers = await next(work);
        await apply(carriers, work);
        const item = carriers[0]!.collections[0]!.stored![0]!;
        return {
          created: item.isNew,
          keepsSight: false,
          read: (inside) => this.reads.one(field.target, item.id, inside),
          brief: () => briefItem({ type: field.target.name, id: item.id }, ask.format),
        };
      });
    const first = await commands();
    // Nothing is stored for what is not there.
    if (this.files.areIn(first) && !(await this.reads.existing(owner, [id], ask)).has(id))
      throw notFound(owner.name, id);
    return this.files.during(first, commands, ask, write);
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
    return this.transactions.run([request], ask, async (work) => {
      const removing = async () => new Deleted(await act({ ...work, ...checkVersions(request) }), isList);
      return alreadyRead(await idempotently(request, work, removing));
    });
  }

  answered(request: ApiRequest, ask: Ask, act: (work: Circumstances) => Promise<Written>): Promise<Saved> {
    return this.transactions.answered(request, ask, act);
  }
}

async function removedOf(resource: ResourceType, targets: Target[], work: Circumstances): Promise<EntityName[]> {
  await remove(resource, targets, work);
  return targets.map(({ id }) => ({ type: resource.name, id }));
}
