/** Collects what the page of an entity shows, through the read pipeline and so only what the caller may see. */
import { Inject, Injectable } from '@nestjs/common';
import { takeText } from '../bytes/text-bytes.js';
import { BaseAddress } from '../http/base-address.js';
import { type Ask, Reads } from '../http/reads.js';
import type { ApiRequest } from '../http/request.js';
import type { CollectionField, Model, ResourceType } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { parseParameters } from '../query/parameters.js';
import { parseQuery } from '../query/v1/parse.js';
import type { Query } from '../query/v1/query.js';
import { spellingsIn } from '../representation/spelled-json.js';
import { turnIfDue } from '../turns/slices.js';
import { type CommentView, commentsShown, type EntityView } from './entity-view.js';

@Injectable()
export class EntityReader {
  constructor(
    @Inject(MODEL) private readonly model: Model,
    private readonly reads: Reads,
    private readonly base: BaseAddress,
  ) {}

  /** 404 unless the entity is there for the caller. */
  async read(id: number, request: ApiRequest): Promise<EntityView> {
    const general = await this.one<GeneralItem>(this.model.resource('General'), id, generalQuery, request);
    const kind = this.model.resource(general.EntityType.Name);
    const skipped = request.parsedQuery!.page.skip;
    const [state, comments] = await Promise.all([this.state(kind, id, request), this.comments(id, skipped, request)]);
    return { ...viewOf(general, kind), state, comments, skipped };
  }

  /** Not every kind has states. */
  private async state(kind: ResourceType, id: number, request: ApiRequest): Promise<string | undefined> {
    if (!kind.field('EntityState')) return undefined;
    const { EntityState } = await this.one<{ EntityState: Named | null }>(kind, id, stateQuery, request);
    return EntityState?.Name;
  }

  private async comments(id: number, skip: number, request: ApiRequest): Promise<CommentView[]> {
    const general = this.model.resource('General');
    const field = general.field('Comments') as CollectionField;
    const query = { ...commentQuery, page: { take: commentsShown, skip } };
    const { items } = await this.reads.inner(general, id, field, this.ask(query, request));
    const comments: CommentView[] = [];
    for (const text of items) {
      for (const spelled of spellingsIn(takeText(text))) {
        comments.push(commentOf(JSON.parse(spelled)));
        await turnIfDue();
      }
    }
    return comments;
  }

  private async one<T>(resource: ResourceType, id: number, query: Query, request: ApiRequest): Promise<T> {
    return JSON.parse(takeText((await this.reads.one(resource, id, this.ask(query, request))).text));
  }

  private ask(query: Query, request: ApiRequest): Ask {
    return { query: query, actor: request.actor, format: 'json', dates: 'iso', base: this.base.of(request), tail: '' };
  }
}

// One object each, since statements are kept with the query they were made from.
const queryOf = (text: string): Query => parseQuery(parseParameters(text));
const generalQuery = queryOf(
  'include=[Name,Description,CreateDate,ModifyDate,StartDate,EndDate,Tags,EntityType[Name],Project[Id,Name],Owner]&append=[Comments-Count]',
);
const stateQuery = queryOf('include=[EntityState[Name]]');
const commentQuery = queryOf('include=[Description,ParentId,CreateDate,IsPrivate,Owner]&orderBy=CreateDate');

interface Named {
  Id: number;
  Name: string;
}

interface Person {
  Login: string;
  FullName: string;
}

interface GeneralItem extends Named {
  Description: string | null;
  CreateDate: string;
  ModifyDate: string;
  StartDate: string | null;
  EndDate: string | null;
  Tags: string;
  EntityType: Named;
  Project: Named | null;
  Owner: Person | null;
  'Comments-Count': number;
}

interface CommentItem {
  Id: number;
  Description: string;
  ParentId: number | null;
  CreateDate: string;
  IsPrivate: boolean;
  Owner: Person | null;
}

const viewOf = (item: GeneralItem, kind: ResourceType): Omit<EntityView, 'comments' | 'skipped'> => ({
  id: item.Id,
  kind: kind.name,
  collection: kind.collection,
  name: item.Name,
  description: item.Description,
  project: item.Project ? { id: item.Project.Id, name: item.Project.Name } : undefined,
  owner: nameOf(item.Owner),
  tags: item.Tags === '' ? [] : item.Tags.split(', '),
  created: item.CreateDate,
  changed: item.ModifyDate,
  started: item.StartDate,
  ended: item.EndDate,
  total: item['Comments-Count'],
});

const commentOf = (item: CommentItem): CommentView => ({
  id: item.Id,
  replyTo: item.ParentId,
  author: nameOf(item.Owner) ?? 'Somebody',
  date: item.CreateDate,
  text: item.Description,
  isPrivate: item.IsPrivate,
});

const nameOf = (person: Person | null): string | undefined => person?.FullName.trim() || person?.Login || undefined;
