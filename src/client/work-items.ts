/** What people and agents do with one item: find it, move it on, log time, comment. */
import { beginsAsHtml } from '../texts/html-tags.js';
import { type Api, ApiRefusal } from './api.js';

export interface WorkItem {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly state?: string;
}

/** Errors: 404. */
export async function itemWithId(api: Api, id: number): Promise<WorkItem> {
  const select = '{id,name,kind:entityType.name,state:it.as<Assignable>.entityState.name}';
  const reading = api.call<{ items: WorkItem[] }>({ method: 'GET', path: `/api/v2/General/${id}`, query: { select } });
  const { items } = await namingItem(anyItem, reading);
  if (!items[0]) throw new ApiRefusal(404, `There is no ${anyItem} with Id ${id}, or access to it is forbidden.`);
  return items[0];
}

/** What people call a General, and an Assignable. */
const anyItem = 'story, bug or other item';
const workItem = 'story, bug or other work item';

/** What is stored and cannot be read is answered with its kind and Id alone: a success all the same. */
type Stored<Members> = { readonly Id: number } & Partial<Readonly<Members>>;

/** Where nothing came that was asked for, which is something always. */
export const noteOn = (stored: object): { note?: string } =>
  Object.keys(stored).every((name) => name === 'ResourceType' || name === 'Id')
    ? { note: 'It is stored, but the rest of it could not be read.' }
    : {};

type MovedItem = Stored<{ Name: string; EntityState: { Name: string } }>;

/** To the state of that name in the workflow of the item. Errors: 400, which names the states; 403, 404. */
export async function moveItem(
  api: Api,
  id: number,
  state: string,
): Promise<WorkItem & { from?: string; note?: string }> {
  const { kind, name, state: from } = await itemWithId(api, id);
  const path = `/api/v1/${kind}/${id}`;
  const query = { include: '[Id,Name,EntityState[Name]]' };
  const body = { EntityState: { Name: state } };
  const moving = api.call<MovedItem>({ method: 'POST', path, query, body });
  const moved = await moving.catch((error: unknown) => {
    throw isUnknownField(error) ? withoutStates(id, kind) : error;
  });
  return { id, name: moved.Name ?? name, kind, from, state: moved.EntityState?.Name ?? state, ...noteOn(moved) };
}

const isUnknownField = (error: unknown): boolean => error instanceof ApiRefusal && error.code === 'UnknownField';

const withoutStates = (id: number, kind: string): ApiRefusal =>
  new ApiRefusal(400, `${kind} ${id} cannot be moved: items of its kind have no states. Change its fields instead.`);

export interface LoggedTime {
  readonly hours: number;
  /** Hours to come, which is what the role has left from then on; the service takes 0 when not given. */
  readonly remain?: number;
  readonly text?: string;
  /** Such as `2026-01-31`; today when not given. */
  readonly date?: string;
}

type StoredTime = Stored<{ Spent: number; Remain: number; Assignable: { Id: number; Name: string } }>;

export async function logTime(api: Api, id: number, { hours, remain, text, date }: LoggedTime) {
  const storing = api.call<StoredTime>({
    method: 'POST',
    path: '/api/v1/Times',
    query: { include: '[Id,Spent,Remain,Assignable[Id,Name]]' },
    body: {
      Assignable: { Id: id },
      Spent: hours,
      Remain: remain,
      Description: text && asMarkdown(text),
      Date: date,
    },
  });
  const stored = await namingItem(workItem, storing);
  const { Id: time, Spent = hours, Remain = remain, Assignable } = stored;
  return { time, hours: Spent, remain: Remain, ...itemOf(Assignable, id), ...noteOn(stored) };
}

const itemOf = (shown: { Id: number; Name: string } | undefined, id: number) =>
  shown ? { item: shown.Id, name: shown.Name } : { item: id };

type StoredComment = Stored<{ General: { Id: number; Name: string } }>;

export async function addComment(api: Api, id: number, text: string) {
  const storing = api.call<StoredComment>({
    method: 'POST',
    path: '/api/v1/Comments',
    query: { include: '[Id,General[Id,Name]]' },
    body: { General: { Id: id }, Description: asMarkdown(text) },
  });
  const stored = await namingItem(anyItem, storing);
  return { comment: stored.Id, ...itemOf(stored.General, id), ...noteOn(stored) };
}

/** The API tells of its base types, and of a reference in a body, which whoever named an item never wrote. */
async function namingItem<T>(what: string, asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    const message = error.message
      .replace(/^(\w+)\.Id: there is no \1 with Id/, `There is no ${what} with Id`)
      .replace(/^General with Id (\d+) not found or access/, `There is no ${what} with Id $1, or access to it`);
    throw new ApiRefusal(error.status, message, error.retryAfter, error.code);
  }
}

export const markdownMark = '<!--markdown-->';

/** Plain text and Markdown are marked, since an unmarked text may be taken for HTML. */
export const asMarkdown = (text: string): string => (beginsAsHtml(text) ? text : `${markdownMark}${text}`);
