/** Every parameter and header that requests know, by the name that operations refer to it by. */
import { limits } from '../../query/limits.js';
import type { Parameter, Reference } from './openapi-types.js';
import { refTo } from './openapi-types.js';
import { idSchema } from './value-schemas.js';

const count = { type: 'integer', minimum: 0 } as const;
const taken = { ...count, maximum: limits.take, default: limits.defaultTake } as const;
const text = { type: 'string' } as const;
const side = { type: 'integer', minimum: 1, maximum: 1000, default: 100 } as const;

const parameterIn =
  (place: Parameter['in']) =>
  (name: string, description: string, schema: Parameter['schema'] = text, example?: unknown): Parameter => ({
    name,
    in: place,
    description,
    schema,
    ...(example !== undefined && { example }),
  });

const query = parameterIn('query');
const header = parameterIn('header');

const path = (name: string, description: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: idSchema,
});

export const parameters = {
  id: path('id', 'The Id of the entity.'),
  tag: { ...path('tag', 'The name of a tag, such as `UserStories`.'), schema: text },
  valueType: {
    ...path('valueType', 'The name of a type of values that metadata name, such as `Int32`.'),
    schema: text,
  },
  childId: path('childId', 'The Id of the item of the collection.'),
  include: query(
    'include',
    'The fields to answer, nested in brackets, such as `[Id,Name,Project[Name]]`.',
    text,
    '[Id]',
  ),
  exclude: query('exclude', 'Default fields to leave out. Not together with include.'),
  append: query('append', 'Numbers over collections to add, such as `[Tasks-Count,Bugs-Effort-Sum]`.'),
  where: query('where', "A condition, such as `(Name contains 'shop')and(Id gt 5)`.", text, 'Id gt 0'),
  orderBy: query('orderBy', 'Paths to sort by, each with an optional direction, such as `Name,Id desc`.', text, 'Id'),
  orderByDesc: query('orderByDesc', 'The same, descending.'),
  take: query('take', 'How many items a page has; more than the maximum counts as the maximum.', taken),
  skip: query('skip', 'How many items are left out before the page.', { ...count, default: 0 }),
  innerTake: query('innerTake', 'How many items each included collection shows.', taken),
  innerSkip: query('innerSkip', 'How many items of each included collection are left out before those.', {
    ...count,
    default: 0,
  }),
  acid: query('acid', 'A context from `/api/v1/Context`: only rows of its projects and teams.'),
  format: query('format', 'The format of the answer; goes before the header Accept.', {
    type: 'string',
    enum: ['json', 'xml'],
  }),
  listFormat: query('format', 'The same of a list, which is also answered in CSV and as a whole, line by line.', {
    type: 'string',
    enum: ['json', 'xml', 'csv', 'ndjson'],
  }),
  pageFormat: query('format', 'The same of a collection, which is also answered in CSV.', {
    type: 'string',
    enum: ['json', 'xml', 'csv'],
  }),
  dateformat: query('dateformat', 'Dates in JSON as ISO 8601 with the offset (`iso`), or as `/Date(…)/` (`ms`).', {
    type: 'string',
    enum: ['iso', 'ms'],
  }),
  isodate: query('isodate', 'Dates in JSON as ISO 8601 in the local time of the service.', {
    type: 'string',
    enum: ['1', 'true', 'yes', '0', 'false', 'no'],
  }),
  childrenIds: {
    ...query('childrenIds', 'The Ids of items of the collection, with commas between them.', {
      type: 'string',
      pattern: '^\\d+(,\\d+)*$',
    }),
    required: true,
  },
  login: query('login', 'Of whom; for administrators. Without it, of the caller.'),
  ids: query('ids', 'Ids of projects, or of what lies in them, with commas between them; `*` for all.'),
  projectIds: query('projectIds', 'Ids of projects, with commas between them; `*` for all.'),
  teamIds: query('teamIds', 'Ids of teams, with commas between them; `*` for all, `0` for none.'),
  search: query('search', 'Part of a name, login, e-mail or id.'),
  q: {
    ...query('q', 'Words, prefixes such as `shop*`, quoted phrases, ids, and `-not`.', text, 'shop'),
    required: true,
  },
  types: query('types', 'Kinds of items, with commas between them.'),
  project: query('project', 'Ids of projects, with commas between them.'),
  attachmentId: { ...query('AttachmentID', 'The Id of the attachment.', idSchema), required: true },
  width: query('width', 'Pixels of the frame that the picture fits into.', side),
  height: query('height', 'The same, upright.', side),
  userId: query('UserID', 'The Id of the user; without it the caller.', idSchema),
  readyFor: query('for', 'What the service is to be ready for.', { type: 'string', enum: ['reads', 'writes'] }),
  v2where: query('where', 'An expression that is true for the items wanted, such as `effort > 5`.', text, 'id > 0'),
  v2filter: query('filter', 'A part of a name or an id; behind a question mark an expression.'),
  v2select: query('select', 'What to show of an item, such as `{id,name,project.name}`.', text, '{id}'),
  v2result: query('result', 'One value over all items, such as `count()`. The answer is that value.'),
  v2groupBy: query('groupBy', 'Values to group the items by; select then shows a group.'),
  v2orderBy: query('orderBy', 'Expressions to sort by.', text, 'id'),
  v2orderByDesc: query('orderByDesc', 'The same, descending.'),
  v2includeDeleted: query('includeDeleted', 'Deleted items, too; for administrators.', { type: 'boolean' }),
  v2prettify: query('prettify', 'Line breaks and indents.', { type: 'boolean' }),
  v2isoDate: query('isoDate', 'Dates as ISO 8601 in the local time of the service.', { type: 'boolean' }),
  listFormat2: query('format', 'A list as a table, or as a whole, line by line; else JSON.', {
    type: 'string',
    enum: ['csv', 'ndjson'],
  }),
  range: header('Range', 'The ranges of bytes to answer, 16 at most, which do not overlap.', text, 'bytes=0-9'),
  ifRange: header('If-Range', 'A strong entity tag: ranges are answered while it is that file, else all of it.'),
  fileIfMatch: header('If-Match', 'Entity tags: the file is answered while it is one of these, else 412.'),
  protocolVersion: header('MCP-Protocol-Version', 'The version that was agreed on.', text, '2025-06-18'),
  ifMatch: header(
    'If-Match',
    'Entity tags: the write happens only while the entity is of one of these versions, else 412.',
  ),
  ifNoneMatch: header('If-None-Match', 'An entity tag: 304 without a body while the answer is still the same.'),
  unlessMatch: header(
    'If-None-Match',
    'Entity tags: the write happens only while the entity is of none of these versions, else 412; `*` is each of them.',
  ),
  idempotencyKey: header('Idempotency-Key', 'The same request with the same key is carried out once within 24 hours.', {
    type: 'string',
    pattern: '^[!-~]{1,255}$',
  }),
} satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof parameters;

export const named = (...names: readonly ParameterName[]): Reference[] =>
  names.map((name) => refTo('parameters', name));

const style = ['format', 'dateformat', 'isodate'] as const;
const chosen = ['include', 'exclude', 'append', 'innerTake', 'innerSkip'] as const;
export const selection = [...chosen, ...style] as const;
const rows = ['where', 'orderBy', 'orderByDesc', 'take', 'skip', 'acid', ...chosen, 'dateformat', 'isodate'] as const;

const conditions = ['ifMatch', 'unlessMatch'] as const;

export const one2 = ['v2select', 'dateformat', 'v2isoDate', 'v2prettify', 'v2includeDeleted', 'listFormat2'] as const;
export const list2 = [
  ...(['v2where', 'v2filter', 'v2result', 'v2groupBy', 'v2orderBy', 'v2orderByDesc'] as const),
  ...(['take', 'skip'] as const),
  ...one2,
] as const;

/** What requests of a kind take. */
export const groups = {
  style: named('format'),
  one: named(...selection, 'ifNoneMatch'),
  list: named(...rows, 'listFormat'),
  innerList: named(...rows, 'pageFormat'),
  save: named(...selection, ...conditions, 'idempotencyKey'),
  remove: named('format', ...conditions, 'idempotencyKey'),
  list2: named(...list2),
  one2: named(...one2),
};
