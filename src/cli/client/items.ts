/**
 * `worktrack query`, `search`, `get`, `move`, `log` and `comment`: what people do with items, from the command line.
 */
import { addressOf, contentOf } from '../../client/api.js';
import { textOf, warningOf } from '../../client/http-api.js';
import { addComment, itemWithId, logTime, moveItem } from '../../client/work-items.js';
import { askText } from '../ask-password.js';
import { CommandError, exitCodes } from '../command-error.js';
import { isJsonWanted, say, showAll, showOne, spelledJson, warn } from '../output.js';
import { filledCells, isRichText, rowsOf } from './cells.js';
import { parseHours } from './hours.js';
import { isJson, passOn } from './pass-on.js';
import { readableText } from './readable-text.js';
import { type ClientOptions, type Service, withHost } from './service.js';

type Env = NodeJS.ProcessEnv;

export const wrongUsage = (message: string) => new CommandError(message, exitCodes.usage);

export function idOf(text: string): number {
  if (!/^#?\d{1,15}$/.test(text)) throw wrongUsage(`An id such as 1263 is needed, not '${text}'.`);
  return Number(text.replace('#', ''));
}

interface Page {
  readonly Items?: readonly unknown[];
  readonly items?: readonly unknown[];
  readonly Next?: string;
  readonly next?: string;
}

/** A path and query of the API: `UserStories?take=5`, `/api/v2/…`, or a whole address such as that of `Next`. */
export async function query(env: Env, text: string, options: ClientOptions): Promise<void> {
  await withHost(env, options, async ({ api, url }) => {
    const answer = await api.send(pathOf(text, url), { method: 'GET' });
    await showAnswer(answer, options);
    const warning = warningOf(answer);
    if (warning) warn(warning);
  });
}

async function showAnswer(answer: Response, options: ClientOptions): Promise<void> {
  if (!isJson(answer)) {
    await passOn(answer);
    return goesOn(answer) ? warn(moreByTakeAndSkip) : undefined;
  }
  if (isJsonWanted(options)) return passOn(answer);
  const content = contentOf<Page>(answer.status, await textOf(answer));
  const items = content.Items ?? content.items;
  if (!items) return showAny(content);
  showAll(rowsOf(items), {});
  if (content.Next ?? content.next) warn(moreByTakeAndSkip);
}

const moreByTakeAndSkip = 'There are more: ask for them with take and skip.';

/** What is no JSON has no other place for its links, and a file made of it does not show that it ends early. */
const goesOn = ({ headers }: Response): boolean => /;\s*rel="next"/.test(headers.get('link') ?? '');

const showAny = (content: unknown): void =>
  typeof content === 'object' && content !== null
    ? showOne(filledCells(content as Record<string, unknown>), {})
    : say(spelledJson(content));

/** Nothing outside of the API is asked with the token. */
function pathOf(text: string, base: string): string {
  const path = text.startsWith('/') ? text : text.startsWith(`${base}/`) ? text.slice(base.length) : `/api/v1/${text}`;
  if (/^\/api\/v1\/https?:/i.test(path)) throw wrongUsage(`That is no address of ${base}: give its --host.`);
  const address = new URL(base + path.replaceAll('#', '%23'));
  if (!address.href.startsWith(`${base}/api/`))
    throw wrongUsage('A query such as UserStories?take=5 or /api/v2/Bug is needed.');
  const isFormatOpen = address.pathname.includes('/api/v1/') && !/[?&](?:result)?format=/i.test(address.search);
  const format = isFormatOpen ? `${address.search === '' ? '?' : '&'}format=json` : '';
  return address.href.slice(base.length) + format;
}

interface FoundItem {
  readonly Id: number;
  readonly Name: string;
  readonly EntityType: { readonly Name: string };
  readonly EntityState?: { readonly Name: string } | null;
  readonly Project?: { readonly Name: string } | null;
}

export interface SearchOptions extends ClientOptions {
  readonly kind?: string;
  readonly take: string;
}

export async function search(env: Env, words: readonly string[], options: SearchOptions): Promise<void> {
  await withHost(env, options, async ({ api }) => {
    const query = {
      q: words.join(' '),
      include: '[Name,EntityType[Name],EntityState[Name],Project[Name]]',
      take: options.take,
      ...(options.kind && { types: options.kind }),
    };
    const answer = await api.send(addressOf({ method: 'GET', path: '/api/v1/Search', query }), { method: 'GET' });
    const { Items, Next } = contentOf<{ Items: FoundItem[]; Next?: string }>(answer.status, await textOf(answer));
    const rows = Items.map(({ Id, Name, EntityType, EntityState, Project }) => ({
      id: Id,
      kind: EntityType.Name,
      state: EntityState?.Name ?? null,
      project: Project?.Name ?? null,
      name: Name,
    }));
    showAll(rows, { json: isJsonWanted(options) });
    const warning = warningOf(answer);
    if (Next && !isJsonWanted(options)) warn('There are more: ask for them with --take.');
    else if (!Next && warning) warn(warning);
  });
}

export async function get(env: Env, text: string, options: ClientOptions & { kind?: string }): Promise<void> {
  const id = idOf(text);
  await withHost(env, options, async ({ api }) => {
    const kind = options.kind ?? (await itemWithId(api, id)).kind;
    const answer = await api.send(`/api/v1/${encodeURIComponent(kind)}/${id}?format=json`, { method: 'GET' });
    if (isJsonWanted(options)) return passOn(answer);
    const item = contentOf<Item>(answer.status, await textOf(answer));
    showWhole({ ...item, ...('ResponsibleTeam' in item && (await whoWorksOn(api, item))) });
  });
}

type Item = Readonly<Record<string, unknown>>;

/** What the fields that are shown by default leave out, or show as an id. */
const whoWorksOn = (api: Service['api'], { ResourceType, Id }: Item): Promise<Item> =>
  api.call({
    method: 'GET',
    path: `/api/v1/${ResourceType}/${Id}`,
    query: { include: '[AssignedUser,ResponsibleTeam[Team]]', format: 'json' },
  });

/** Long texts stand below the others, in whole. */
function showWhole(item: Item): void {
  const texts = Object.entries(item).filter(([name, value]) => isRichText(name) && typeof value === 'string');
  const names = new Set(texts.map(([name]) => name));
  const others = Object.fromEntries(Object.entries(item).filter(([name]) => !names.has(name)));
  showOne({ Kind: item.ResourceType, ...filledCells(others) }, {});
  for (const [, value] of texts) {
    const text = readableText(String(value));
    if (text !== '') say(`\n${text}`);
  }
}

type Doing = (service: Service, id: number) => Promise<Readonly<Record<string, unknown>>>;

async function change(env: Env, text: string, options: ClientOptions, work: Doing): Promise<void> {
  const id = idOf(text);
  await withHost(env, options, async (service) => showOne(await work(service, id), { json: isJsonWanted(options) }));
}

export const move = (env: Env, id: string, state: string, options: ClientOptions): Promise<void> =>
  change(env, id, options, async ({ api }, itemId) => ({ ...(await moveItem(api, itemId, state)) }));

export interface LogOptions extends ClientOptions {
  readonly text?: string;
  readonly date?: string;
  readonly remain?: string;
}

export async function log(env: Env, id: string, duration: string, options: LogOptions): Promise<void> {
  const hours = hoursOf(duration);
  if (hours === 0) throw wrongUsage('A duration of more than nothing is needed.');
  const { text, date } = options;
  const remain = options.remain === undefined ? undefined : hoursOf(options.remain);
  await change(env, id, options, ({ api }, itemId) => logTime(api, itemId, { hours, remain, text, date }));
}

function hoursOf(duration: string): number {
  const hours = parseHours(duration);
  if (hours === undefined) throw wrongUsage(`A duration such as 2h, 30m or 1h30m is needed, not '${duration}'.`);
  return hours;
}

/** Without a text what stands on standard input. */
export async function comment(env: Env, id: string, given: string | undefined, options: ClientOptions): Promise<void> {
  const text = (given ?? (await askText('Comment'))).trim();
  if (text === '') throw wrongUsage('The comment is empty.');
  await change(env, id, options, ({ api }, itemId) => addComment(api, itemId, text));
}
