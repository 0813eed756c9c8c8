/** What all families of resources do alike: read lists, entities and inner collections, save, with hooks for family rules. */
import { Inject, Injectable } from '@nestjs/common';
import type { Change } from '../command/change.js';
import { invalidId, methodNotAllowed, notFound, unknownField } from '../errors.js';
import type { Model, ResourceType } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { nearest } from '../query/near.js';
import { type Item, Page } from './answer.js';
import { BaseAddress } from './base-address.js';
import { datesOf } from './dates.js';
import { repeatedStyle } from './paging-links.interceptor.js';
import { type Ask, Reads } from './reads.js';
import { type ApiRequest, parametersOf } from './request.js';
import { type Hooks, Writes } from './writes.js';

@Injectable()
export class ResourceService implements Hooks {
  constructor(
    @Inject(MODEL) protected readonly model: Model,
    protected readonly reads: Reads,
    protected readonly writes: Writes,
    private readonly base: BaseAddress,
  ) {}

  page(resource: ResourceType, request: ApiRequest): Promise<Page> {
    return this.reads.page(resource, this.ask(request));
  }

  one(resource: ResourceType, id: string, request: ApiRequest): Promise<Item> {
    return this.reads.one(resource, idOf(id), this.ask(request));
  }

  /** 404 unless the entity is there for the caller. */
  async mustExist(resource: ResourceType, id: number, request: ApiRequest): Promise<void> {
    if (!(await this.reads.exists(resource, id, this.ask(request)))) throw notFound(resource.name, id);
  }

  /** The caller. */
  async self(user: ResourceType, anyone: ResourceType, request: ApiRequest): Promise<Item> {
    const ask = this.ask(request);
    const { userId } = ask.actor;
    return (await this.reads.exists(user, userId, ask))
      ? this.reads.one(user, userId, ask)
      : this.reads.one(anyone, userId, ask);
  }

  inner(resource: ResourceType, id: string, collection: string, request: ApiRequest): Promise<Page> {
    const owner = idOf(id);
    const field = resource.field(collection);
    if (field?.kind !== 'collection') {
      const names = resource.fields.filter((known) => known.kind === 'collection').map((known) => known.name);
      throw unknownField(resource.name, collection, nearest(collection, names));
    }
    return this.reads.inner(resource, owner, field, this.ask(request));
  }

  /** Creates or updates the entity of the body; the id in the path, if there is one, says which. */
  save(resource: ResourceType, id: string | undefined, request: ApiRequest): Promise<{ created: boolean; item: Item }> {
    const { create, update } = resource.settings.operations;
    if (!create && !update) throw methodNotAllowed('POST', ['GET', 'HEAD']);
    return this.writes.save(resource, id === undefined ? undefined : idOf(id), request, this.ask(request), this);
  }

  /** Rules of a family before an entity is stored: defaults, checks, what follows from what was sent. */
  async beforeSave(_change: Change): Promise<void> {}

  /** Rules of a family after an entity is stored, in the same transaction. */
  async afterSave(_change: Change): Promise<void> {}

  ask(request: ApiRequest): Ask {
    const parameters = parametersOf(request);
    return {
      said: request.said!,
      actor: request.actor,
      format: request.format!.name,
      dates: datesOf(parameters),
      base: this.base.of(request),
      tail: repeatedStyle(parameters),
    };
  }
}

const greatestId = 2_147_483_647;

/** An id from a path. A number no entity can have is simply not found, so it becomes one that none has. */
export function idOf(said: string): number {
  if (!/^\d{1,30}$/.test(said)) throw invalidId(said);
  const id = Number(said);
  return id > greatestId ? 0 : id;
}
