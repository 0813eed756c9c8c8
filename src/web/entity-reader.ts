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
import { type RichEditor, readCharacters, renderingCost, shownCharacters } from '../rich-text/shown-text.js';
import { type CommentView, commentsShown, type EntityView, type FileView, filesShown } from './entity-view.js';

@Injectable()
export class EntityReader {
  constructor(
    @Inject(MODEL) private readonly model: Model,
    private readonly reads: Reads,
    private readonly base: BaseAddress,
  ) {}

  /** 404 unless the entity is there for the caller. */
  async read(id: number, editor: RichEditor, request: ApiRequest): Promise<EntityView> {
    const general = await this.one<GeneralItem>(this.model.general, id, generalQuery, request);
    const kind = this.model.resource(general.EntityType.Name);
    const skipped = request.parsedQuery!.page.skip;
    const [state, files, comments] = await Promise.all([
      this.state(kind, id, request),
      general['Attachments-Count'] === 0 ? [] : this.files(id, request),
      this.comments(id, skipped, editor, request),
    ]);
    return { ...viewOf(general, kind), state, files, comments, skipped };
  }

  /** Not every kind has states. */
  private async state(kind: ResourceType, id: number, request: ApiRequest): Promise<string | undefined> {
    if (!kind.field('EntityState')) return undefined;
    const { EntityState } = await this.one<{ EntityState: Named | null }>(kind, id, stateQuery, request);
    return EntityState?.Name;
  }

  private async files(id: number, request: ApiRequest): Promise<FileView[]> {
    const files = await this.inner<FileItem>(id, 'Attachments', this.ask(fileQuery, request));
    return files.map(({ Id, Name, Size }) => ({ id: Id, name: Name, bytes: Size }));
  }

  /** Of long texts the beginnings are read first, and then more of those that are shown. */
  private async comments(id: number, skip: number, editor: RichEditor, request: ApiRequest): Promise<CommentView[]> {
    const query = { ...commentQuery, page: { take: commentsShown, skip } };
    const comments = await this.inner<CommentItem>(id, 'Comments', this.ask(query, request, beginningOfComment));
    const shown = fitting(comments, editor);
    const long = await this.texts(this.model.resource('Comment'), shown.filter(isLong), request);
    const whole = shown.map((one) => wholeOf(one, isLong(one) ? long.get(one.Id) : one.Description.Text));
    const texts = new Map(fitting(whole, editor).map(({ Id, Description }) => [Id, Description.Text]));
    return comments.map((one) => commentOf(one, texts.get(one.Id)));
  }

  private async texts(resource: ResourceType, comments: readonly CommentItem[], request: ApiRequest) {
    const ids = comments.map(({ Id }) => Id);
    const items = ids.length > 0 ? await this.reads.manyWithIds(resource, ids, this.ask(textQuery, request)) : [];
    return new Map(items.map(({ id, text }) => [id, (JSON.parse(text) as CommentItem).Description.Text]));
  }

  private async inner<T>(id: number, collection: string, ask: Ask): Promise<T[]> {
    const general = this.model.general;
    const { items } = await this.reads.inner(general, id, general.field(collection) as CollectionField, ask);
    return items.flatMap((text) => JSON.parse(`[${takeText(text)}]`) as T[]);
  }

  private async one<T>(resource: ResourceType, id: number, query: Query, request: ApiRequest): Promise<T> {
    return JSON.parse(takeText((await this.reads.one(resource, id, this.ask(query, request))).text));
  }

  private ask(query: Query, request: ApiRequest, beginnings = readCharacters): Ask {
    const base = this.base.of(request);
    return { query, actor: request.actor, format: 'json', dates: 'iso', beginnings, base, tail: '' };
  }
}

/** What all comments of a page cost to render together; one that does not fit any more is left to the API. */
const mostCost = 2 * shownCharacters.Html;

type Text = Pick<CommentItem, 'Id' | 'Description'>;

/** The length of what was read is that of JavaScript, which is also what is shown of it: up to twice the database's. */
const wholeOf = ({ Id }: CommentItem, Text = ''): Text => ({ Id, Description: { Text, Length: Text.length } });

/** Those that there is room for. */
function fitting<T extends Text>(comments: readonly T[], editor: RichEditor): T[] {
  let room = mostCost;
  return comments.filter(({ Description }) => {
    const cost = renderingCost(Description.Text, Description.Length, editor);
    const fits = cost <= room;
    if (fits) room -= cost;
    return fits;
  });
}

/** Even at its greatest length the beginnings of all comments take no more than what is shown. */
const beginningOfComment = mostCost / commentsShown;

const isLong = ({ Description }: CommentItem): boolean => Description.Length > beginningOfComment;

// One object each, since statements are kept with the query they were made from.
const queryOf = (text: string): Query => parseQuery(parseParameters(text));
const generalQuery = queryOf(
  'include=[Name,Description,CreateDate,ModifyDate,StartDate,EndDate,Tags,EntityType[Name],Project[Id,Name],Owner]&append=[Attachments-Count,Comments-Count]',
);
const stateQuery = queryOf('include=[EntityState[Name]]');
const fileQuery = queryOf(`include=[Name,Size]&orderBy=Date&take=${filesShown}`);
const commentQuery = queryOf('include=[Description,ParentId,CreateDate,IsPrivate,Owner]&orderBy=CreateDate');
const textQuery = queryOf('include=[Description]');

/** As much of a text as was asked for. */
interface Beginning {
  Length: number;
  Text: string;
}

interface Named {
  Id: number;
  Name: string;
}

interface Person {
  Login: string;
  FullName: string;
}

interface GeneralItem extends Named {
  Description: Beginning | null;
  CreateDate: string;
  ModifyDate: string;
  StartDate: string | null;
  EndDate: string | null;
  Tags: string;
  EntityType: Named;
  Project: Named | null;
  Owner: Person | null;
  'Attachments-Count': number;
  'Comments-Count': number;
}

interface FileItem {
  Id: number;
  Name: string;
  Size: number;
}

interface CommentItem {
  Id: number;
  Description: Beginning;
  ParentId: number | null;
  CreateDate: string;
  IsPrivate: boolean;
  Owner: Person | null;
}

const viewOf = (item: GeneralItem, kind: ResourceType): Omit<EntityView, 'files' | 'comments' | 'skipped'> => ({
  id: item.Id,
  kind: kind.name,
  collection: kind.collection,
  name: item.Name,
  description: item.Description?.Text,
  project: item.Project ? { id: item.Project.Id, name: item.Project.Name } : undefined,
  owner: nameOf(item.Owner),
  tags: item.Tags === '' ? [] : item.Tags.split(', '),
  created: item.CreateDate,
  changed: item.ModifyDate,
  started: item.StartDate,
  ended: item.EndDate,
  fileCount: item['Attachments-Count'],
  total: item['Comments-Count'],
});

const commentOf = (item: CommentItem, text: string | undefined): CommentView => ({
  id: item.Id,
  replyTo: item.ParentId,
  author: nameOf(item.Owner) ?? 'Somebody',
  date: item.CreateDate,
  text,
  isPrivate: item.IsPrivate,
});

const nameOf = (person: Person | null): string | undefined => person?.FullName.trim() || person?.Login || undefined;
