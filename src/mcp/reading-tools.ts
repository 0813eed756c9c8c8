/** Tools that read: searching, one item, lists, sums, and what kinds and fields there are. */
import { z } from 'zod';
import { itemWithId } from '../client/work-items.js';
import type { ResourceType } from '../model/model.js';
import { describeKind, describeKinds } from './described-kinds.js';
import { projectIn } from './field-values.js';
import { condition, id, kind, name, project } from './inputs.js';
import { byMembers, kindNamed, namedOnce, shownBy, summaryOf } from './kinds.js';
import { adviceOn } from './path-advice.js';
import { answerLimits, restOf, type Shown, shortEntity, shortened, shortList } from './short-answers.js';
import { linkTo, type Tool, type ToolContext, ToolError, tool } from './tool.js';
import { inWordsOfTool, type MadeParameters, made } from './words-of-tools.js';

interface Page {
  readonly items: readonly unknown[];
  readonly next?: string;
}

type Query = Readonly<Record<string, string>>;

function read<T = Page>({ api, model }: ToolContext, path: string, query: Query, of: MadeParameters = {}): Promise<T> {
  const reading = api.call<T>({ method: 'GET', path, query: { ...query, dateformat: 'iso' } });
  return inWordsOfTool(of, reading, (message) => adviceOn(message, model, query));
}

interface FoundItem {
  readonly Id: number;
  readonly Name: string;
  readonly EntityType: { readonly Name: string };
  readonly Project: { readonly Name: string } | null;
  readonly EntityState?: { readonly Name: string } | null;
  readonly Found: { readonly Highlights: { readonly Items: readonly { Field: string; Html: string }[] } };
}

const search = tool({
  name: 'search',
  title: 'Search',
  description:
    'Finds items of all kinds by words in names, descriptions, comments and tags. Words, "a phrase", log* for beginnings, -word to leave out, or an id. For conditions on fields use list.',
  input: z.strictObject({
    words: z.string().min(1).max(500),
    kinds: z.array(kind).min(1).max(10).optional(),
    project: project.optional(),
    take: z.int().min(1).max(25).default(10),
    skip: z.int().min(0).max(1000).default(0),
  }),
  isWriting: false,
  run: async ({ words, kinds, project: place, take, skip }, context) => {
    const types = kinds?.map((one) => searchedKind(context, one).name);
    const query = {
      q: words,
      ...(types && { types: types.join() }),
      ...(place && { project: String(await projectIn(context, place)) }),
      include: '[Name,EntityType[Name],Project[Name],EntityState[Name]]',
      take: String(take),
      skip: String(skip),
    };
    const call = { method: 'GET', path: '/api/v1/Search', query } as const;
    let warning: string | undefined;
    const answer = context.api.call<{ Items: FoundItem[]; Next?: string }>(call, (text) => {
      warning = text;
    });
    const { Items, Next } = await inWordsOfTool({ q: made('words', [words], 0) }, answer);
    const items = Items.map(searchHit);
    return {
      ...shortList({ items, hasMore: Next !== undefined, skip, shown: ofNothing }),
      ...(Next === undefined && warning && { warning }),
      link: `${context.base}/entity/{id}`,
    };
  },
});

/** What is shown of no entity. */
const ofNothing: Shown = { asked: new Map() };

/** Errors: ToolError for what has no kind of item of its own. */
function searchedKind(context: ToolContext, input: string): ResourceType {
  const resource = kindNamed(context.model, input);
  if (context.model.general.kindsBelow.includes(resource)) return resource;
  throw new ToolError(`kinds: ${resource.name} is not searched. Call list {"kind": "${resource.name}"} instead.`);
}

function searchHit({ Id, Name, EntityType, Project, EntityState, Found }: FoundItem) {
  const piece = Found.Highlights.Items.find(({ Field }) => Field !== 'Name');
  return {
    id: Id,
    kind: EntityType.Name,
    name: Name,
    ...(Project && { project: Project.Name }),
    ...(EntityState && { state: EntityState.Name }),
    ...(piece && { [piece.Field.toLowerCase()]: plain(piece.Html) }),
  };
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

const plain = (html: string): string =>
  html.replace(/<\/?mark>|&(?:amp|lt|gt|quot);/g, (piece) => entities[piece] ?? '');

const get = tool({
  name: 'get',
  title: 'Get',
  description:
    'Shows one item by id, with its latest comments; other entities (User, Time, Comment …) by kind and id. Long texts are cut: text and from give the rest of one.',
  input: z.strictObject({
    id,
    kind: kind.optional().describe('Needed only for what is no item: User, Time, Comment …'),
    fields: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(30)
      .optional()
      .describe('Paths, such as effort or feature.epic.name; all fields when left out'),
    text: z
      .string()
      .min(1)
      .max(400)
      .optional()
      .describe('A field or path whose long text is wanted, such as description or feature.description'),
    from: z.int().min(0).max(1_100_000).default(0).describe('Where in that text to begin'),
  }),
  isWriting: false,
  run: async ({ id: itemId, kind: input, fields, text, from }, context) => {
    const resource = kindNamed(context.model, input ?? (await itemWithId(context.api, itemId)).kind);
    const path = `/api/v2/${resource.name}/${itemId}`;
    if (fields && text) throw new ToolError('fields and text are asked for one by one: leave one of them out.');
    if (from > 0 && !text) throw new ToolError('from is a place in a long text: name its field as text.');
    if (text) {
      mustBeText(resource, text);
      const { select, start } = slice(text, from);
      return textOf(await read(context, path, { select }, { select: made('text', [text], start) }), from);
    }
    const members = fields && namedOnce(['id', ...fields]);
    const query = members && { select: `{${members.join()}}` };
    const item = (await read(context, path, query ?? {}, { select: made('fields', members ?? []) })).items[0];
    const isItem = isGeneral(resource, context);
    const shown = { ...(!isItem && { kind: resource.name }), ...(members && { asked: shownBy(members) }) };
    return {
      ...(shortEntity(item, answerLimits.text, shown) as object),
      ...(isItem && !fields && (await commentsOf(itemId, context))),
      ...(isItem && { link: linkTo(context, itemId) }),
    };
  },
});

const sliceLength = 8000;

function slice(text: string, from: number) {
  const whole = /^[\w.]+$/.test(text) ? text : `(${text})`;
  const before = whole === text ? '{text:' : '{text:(';
  return { select: `{text:${whole}.substring(${from},${sliceLength}),length:${whole}.length()}`, start: before.length };
}

const texts: readonly string[] = ['text', 'richText', 'choice'];

/** What is no field is left to the API to tell. */
function mustBeText(resource: ResourceType, name: string): void {
  const field = resource.field(name);
  if (!field || (field.kind === 'scalar' && texts.includes(field.scalar))) return;
  throw new ToolError(`text: ${field.name} is no text. Ask for it by fields.`);
}

function textOf({ items }: Page, from: number) {
  const { text = '', length = 0 } = (items[0] ?? {}) as { text?: string; length?: number };
  const end = from + sliceLength;
  return { text, ...(length > end && { next: `${length - end} more characters: ask again with from ${end}.` }) };
}

const isGeneral = (resource: ResourceType, { model }: ToolContext): boolean => resource.isA(model.general);

interface ShortComment {
  readonly id: number;
  readonly text?: string;
  readonly length?: number;
}

const commentLength = 600;

async function commentsOf(itemId: number, context: ToolContext): Promise<object> {
  const where = `general.id==${itemId}`;
  const { items, next } = await read(context, '/api/v2/Comment', {
    where,
    select: `{id,date:createDate,by:owner.fullName,text:description.substring(0,${commentLength}),length:description.length()}`,
    take: '5',
  });
  const comments = shortened((items as readonly ShortComment[]).map(withRest), answerLimits.text);
  const others = { kind: 'Comment', where, skip: items.length };
  return { comments, ...(next !== undefined && { moreComments: `list ${JSON.stringify(others)}` }) };
}

function withRest({ length = 0, ...comment }: ShortComment) {
  if (length <= commentLength) return comment;
  const rest = { kind: 'Comment', id: comment.id, text: 'description' };
  return { ...comment, text: `${comment.text}${restOf(length - commentLength, commentLength, rest)}` };
}

const describe = tool({
  name: 'describe',
  title: 'Describe',
  description:
    'Lists the kinds there are, or the fields, custom fields and states of one kind: what list, report, create and update may name.',
  input: z.strictObject({
    kind: kind.optional(),
    project: z.union([id, name]).optional().describe('Id or name: states and custom fields of its process only'),
  }),
  isWriting: false,
  run: async ({ kind: input, project: place }, context) => {
    if (input !== undefined) return describeKind(kindNamed(context.model, input), context, place);
    if (place !== undefined) throw new ToolError('project narrows what is described of a kind: give kind, too.');
    return describeKinds(context);
  },
});

const list = tool({
  name: 'list',
  title: 'List',
  description:
    "Lists entities of a kind by a condition on their fields, such as what is open in a release: kind UserStory, where entityState.isFinal==false and release.name=='Mobile 2.1'. Without an order the latest come first.",
  input: z.strictObject({
    kind: kind.describe('Such as UserStory, Bug, Project, User; Assignable for all kinds of work'),
    where: condition.optional(),
    select: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(20)
      .optional()
      .describe(
        'Paths and expressions, such as name, feature.name, tasks.count(); the most telling fields when left out',
      ),
    orderBy: z.string().min(1).max(200).optional().describe('Such as effort desc, name'),
    take: z.int().min(1).max(50).default(20),
    skip: z.int().min(0).max(1_000_000).default(0),
  }),
  isWriting: false,
  run: async ({ kind: input, where, select, orderBy, take, skip }, context) => {
    const resource = kindNamed(context.model, input);
    const members = namedOnce(select ? ['id', ...select] : summaryOf(resource));
    const query = {
      select: `{${members.join()}}`,
      ...(where && { where }),
      ...(orderBy && { orderBy }),
      take: String(take),
      skip: String(skip),
    };
    const page = await read(context, `/api/v2/${resource.name}`, query, { select: made('select', members) });
    const isItem = isGeneral(resource, context);
    const shown = { ...(!isItem && { kind: resource.name }), asked: shownBy(members) };
    const items = shortList({ items: page.items, hasMore: page.next !== undefined, skip, shown });
    return isItem ? { ...items, link: `${context.base}/entity/{id}` } : items;
  },
});

const mostGroups = 100;

const report = tool({
  name: 'report',
  title: 'Report',
  description:
    'Counts and sums over all entities of a kind, by groups: kind UserStory, groupBy ["entityState.name"], measures ["count", "sum(effort)"].',
  input: z.strictObject({
    kind,
    where: condition.optional(),
    groupBy: z
      .array(z.string().min(1).max(200))
      .max(3)
      .default([])
      .describe('Paths, such as entityState.name, project.name'),
    measures: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(10)
      .default(['count'])
      .describe(
        'count, sum(effort), average(effort), min(…), max(…), count(entityState.isFinal==true); name them as open:count(…)',
      ),
    orderBy: z.string().min(1).max(200).optional().describe('Groups and measures, such as count desc'),
  }),
  isWriting: false,
  run: async ({ kind: input, where, groupBy, measures: asked, orderBy }, context) => {
    if (orderBy && groupBy.length === 0) throw new ToolError('orderBy orders groups: give groupBy, or leave it out.');
    const resource = kindNamed(context.model, input);
    const groups = namedOnce(groupBy);
    const measures = namedOnce(asked);
    const query = {
      result: `{${measures.join()}}`,
      ...(where && { where }),
      ...(groupBy.length > 0 && { groupBy: groups.join(), take: String(mostGroups) }),
      ...(orderBy && { orderBy: byMembers(orderBy, [...groups, ...measures]) }),
    };
    const result = await read<Page>(context, `/api/v2/${resource.name}`, query, {
      result: made('measures', measures),
      groupBy: made('groupBy', groups, 0),
      orderBy: made('orderBy', []),
    });
    if (groupBy.length === 0) return result;
    const shown = shortList({ items: result.items, hasMore: false, skip: 0, shown: ofNothing }).items;
    const isWhole = shown.length === result.items.length && !result.next;
    const more = !isWhole && { note: `Only the first ${shown.length} groups are shown: narrow them by where.` };
    return { groups: shown, ...more };
  },
});

export const readingTools: readonly Tool[] = [search, get, describe, list, report];
