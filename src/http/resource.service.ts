/**
 * What all families of resources do alike: read lists, entities and inner collections, save, with hooks for family
 * rules.
 */
import { Inject, Injectable } from '@nestjs/common';
import { NoRules } from '../command/no-rules.js';
import { type ApiError, badRequest, invalidId, noCollection, notFound, tooMuch, unknownField } from '../errors.js';
import { greatestId, parseId } from '../model/ids.js';
import type { CollectionField, Model, ResourceType } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { fieldNamed } from '../query/v1/resolve.js';
import { nearest } from '../texts/near.js';
import { mustTake } from './addresses.js';
import { type Deleted, type Item, Page, type Saved } from './answer.js';
import { BaseAddress } from './base-address.js';
import { Contexts } from './contexts.js';
import { type Ask, Reads } from './reads.js';
import { renewActor } from './renew-actor.js';
import { type ApiRequest, parametersOf, parsedQueryOf } from './request.js';
import { RequestReads } from './request-reads.js';
import { notStreamed, wholeListOf } from './whole-list.js';
import { Writes } from './writes.js';

@Injectable()
export class ResourceService extends NoRules {
  constructor(
    @Inject(MODEL) protected readonly model: Model,
    protected readonly reads: Reads,
    protected readonly writes: Writes,
    private readonly base: BaseAddress,
    private readonly contexts: Contexts,
    private readonly requestReads: RequestReads,
  ) {
    super();
  }

  async page(resource: ResourceType, request: ApiRequest): Promise<Page> {
    if (request.format!.list === 'ndjson') return wholeListOf(resource, () => this.askNow(request), this.reads);
    const ask = await this.askInContext(request);
    return this.inColumns(await this.reads.page(resource, ask), resource, ask);
  }

  private inColumns(page: Page, resource: ResourceType, ask: Ask): Page {
    if (ask.list === 'csv') page.columns = this.reads.columns(resource, ask);
    return page;
  }

  one(resource: ResourceType, id: string, request: ApiRequest): Promise<Item> {
    return this.reads.one(resource, idIn(resource, [id], request), this.ask(request));
  }

  /** 404 unless the entity is there for the caller. */
  async mustExist(resource: ResourceType, id: number, request: ApiRequest): Promise<void> {
    if (!(await this.reads.exists(resource, id, this.ask(request)))) throw notFound(resource.name, id);
  }

  /** The caller, as a type of its own that no other route reads. */
  self(caller: ResourceType, request: ApiRequest): Promise<Item> {
    return this.reads.one(caller, request.actor.userId, this.ask(request), 'self');
  }

  async inner(resource: ResourceType, id: string, collection: string, request: ApiRequest): Promise<Page> {
    const owner = idIn(resource, [id, collection], request);
    const field = collectionOf(resource, collection, fieldNamed(resource, collection));
    const ask = await this.askInContext(request);
    if (ask.list === 'ndjson') throw notStreamed(`Ask for /${field.target.collection} with a filter instead.`);
    return this.inColumns(await this.reads.inner(resource, owner, field, ask), field.target, ask);
  }

  /** Creates or updates the entity of the body; the id in the path, if there is one, says which. */
  save(resource: ResourceType, id: string | undefined, request: ApiRequest): Promise<Saved> {
    mustTake(resource, id === undefined ? [] : [id], request);
    const which = id === undefined ? undefined : idIn(resource, [id], request);
    return this.writes.unlessKept(request, () => this.writes.save(resource, which, request, this.ask(request)));
  }

  /** Creates and updates the entities that the body lists. */
  saveAll(resource: ResourceType, request: ApiRequest): Promise<Saved> {
    mustTake(resource, bulk, request);
    return this.writes.unlessKept(request, () => this.writes.saveAll(resource, request, this.ask(request)));
  }

  /** Creates an item of a collection, or links one to it. */
  saveInner(resource: ResourceType, id: string, collection: string, request: ApiRequest): Promise<Saved> {
    const field = collectionOf(resource, collection);
    const rest = [id, field.name] as const;
    mustTake(resource, rest, request);
    const owner = idIn(resource, rest, request);
    return this.writes.unlessKept(request, () =>
      this.writes.saveInner(resource, owner, field, request, this.ask(request)),
    );
  }

  delete(resource: ResourceType, id: string, request: ApiRequest): Promise<Deleted> {
    mustTake(resource, [id], request);
    return this.writes.delete(resource, idIn(resource, [id], request), request, this.ask(request));
  }

  deleteAll(resource: ResourceType, request: ApiRequest): Promise<Deleted> {
    mustTake(resource, bulk, request);
    return this.writes.deleteAll(resource, request, this.ask(request));
  }

  /** Takes one item, or those of `childrenIds`, out of a collection. */
  deleteInner(
    resource: ResourceType,
    id: string,
    collection: string,
    child: string | undefined,
    request: ApiRequest,
  ): Promise<Deleted> {
    const rest = [id, collection, ...(child === undefined ? [] : [child])] as const;
    const owner = idIn(resource, rest, request);
    const field = collectionOf(resource, collection);
    mustTake(resource, rest, request);
    const ids = child === undefined ? childrenIds(request) : [idOf(child, (text) => notFound(field.target.name, text))];
    const which = { ids, isList: child === undefined };
    return this.writes.deleteInner(resource, owner, field, which, request, this.ask(request));
  }

  /** A list of what lies in the projects and teams of a context, where one is asked for. Errors: 400. */
  protected async askInContext(request: ApiRequest): Promise<Ask> {
    const ask = withDatesOfTables(this.ask(request));
    const acid = parametersOf(request).get('acid');
    if (acid === undefined) return ask;
    return {
      ...ask,
      tail: withinItems(request, parsedQueryOf(request).repeatedContext),
      actor: await this.contexts.narrowed(ask.actor, acid),
    };
  }

  private async askNow(request: ApiRequest): Promise<Ask> {
    await renewActor(request);
    return this.askInContext(request);
  }

  ask(request: ApiRequest): Ask {
    const asked = parsedQueryOf(request);
    return {
      query: request.parsedQuery!,
      actor: request.actor,
      format: request.format!.name,
      list: request.format!.list,
      dates: asked.dates,
      base: this.base.of(request),
      tail: withinItems(request, asked.repeatedStyle),
      hold: request.hold,
      pool: this.requestReads.of(request),
    };
  }
}

/** A table shows dates in ISO 8601 unless their local times are asked for. What is no list is JSON, with its dates. */
const withDatesOfTables = (ask: Ask): Ask =>
  ask.list === 'csv' && ask.dates === 'ms' ? { ...ask, dates: 'iso' } : ask;

/** The rest of a collection in an item of a list in another format is shown in JSON, as the item is. */
function withinItems({ format }: ApiRequest, tail: string): string {
  return format!.list ? `${tail.replace(/\b(?:result)?format=[^&]*(?:&|$)/gi, '')}format=json&` : tail;
}

/** An id from a path. A number that no entity can have is simply not there. */
export function idOf(text: string, missing: (id: string) => ApiError): number {
  if (!/^\d{1,30}$/.test(text)) throw invalidId(text);
  const id = Number(text);
  if (id > greatestId) throw missing(text);
  return id;
}

/** The first segment behind a collection, where a word may stand in place of an id that another method knows. */
function idIn(resource: ResourceType, rest: readonly [string, ...string[]], request: ApiRequest): number {
  const [text] = rest;
  if (/^[a-z]+$/i.test(text)) mustTake(resource, rest, request);
  return idOf(text, (id) => notFound(resource.name, id));
}

const bulk = ['bulk'];

/** A write through a base type knows the collections that all kinds have. */
function collectionOf(resource: ResourceType, name: string, field = resource.field(name)): CollectionField {
  if (field?.kind === 'collection') return field;
  if (field) throw noCollection(resource.name, field.name);
  const names = resource.fields.filter((one) => one.kind === 'collection').map((one) => one.name);
  throw unknownField(resource.name, name, nearest(name, names));
}

const mostChildren = 1000;

/** A comma list, in brackets or not. */
function childrenIds(request: ApiRequest): number[] {
  const list = parametersOf(request).get('childrenids') ?? '';
  const ids = list
    .replace(/^\s*\[|\]\s*$/g, '')
    .split(',')
    .map((id) => parseId(id.trim()));
  if (ids.length > mostChildren) throw tooMuch('childrenIds', `${ids.length} ids are given`, mostChildren);
  if (!ids.every((id) => id !== undefined)) {
    throw badRequest('childrenIds: a comma list of ids is needed, such as childrenIds=1,2.', 'InvalidParameter');
  }
  return [...new Set(ids)];
}
