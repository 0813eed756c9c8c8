/**
 * Keeps a journal of work items and prints what has changed since the last run. A line of the journal is an item as it is now,
 * or null once it is deleted; or how far an unfinished run has come. All lines together are the copy.
 */
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';

const { WORKTRACK_URL: url, WORKTRACK_TOKEN: token } = process.env;
const [, , journal = 'worktrack.jsonl'] = process.argv;
const collections = ['UserStories', 'Bugs', 'Assignments', 'RoleEfforts', 'Times', 'Comments'];

type Item = { Id: number; [member: string]: unknown };
type Page = { Items: Item[]; Next?: string };
type Line = { collection: string; id: number; item: Item | null } | { collection: string; position: number };

const copies = new Map(collections.map((name) => [name, new Map<number, string>()]));
const positions = new Map<string, number>();

function remember(line: Line): void {
  if ('position' in line) positions.set(line.collection, line.position);
  else if (line.item) copies.get(line.collection)?.set(line.id, JSON.stringify(line.item));
  else copies.get(line.collection)?.delete(line.id);
}

/** A line that an interrupted run did not finish is cut off. */
function read(): void {
  const bytes = existsSync(journal) ? readFileSync(journal) : Buffer.alloc(0);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) truncateSync(journal, end);
  for (const line of bytes.subarray(0, end).toString().split('\n')) if (line) remember(JSON.parse(line));
}

/** Fewer where so many long items would be too much for an answer. */
let take = 250;

/** The items that follow an Id, in the order of Ids, and whether more follow them. */
async function pageAfter(collection: string, after: number): Promise<Page> {
  const query = new URLSearchParams({ where: `Id gt ${after}`, orderBy: 'Id', take: `${take}`, format: 'json' });
  const answer = await fetch(`${url}/api/v1/${collection}?${query}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  if (answer.ok) {
    take = Math.min(250, take * 2);
    return JSON.parse(text) as Page;
  }
  const isTooMuch = answer.status === 400 && JSON.parse(text).Code === 'TooMuch';
  if (!isTooMuch || take === 1) throw new Error(`${collection}: ${answer.status} ${text}`);
  take = Math.ceil(take / 2);
  return pageAfter(collection, after);
}

/** The page is all there is between the two Ids: what the copy has beside it there was deleted. */
function* changes(collection: string, items: Item[], after: number, last: number): Generator<Line> {
  const copy = copies.get(collection)!;
  const listed = new Set(items.map(({ Id }) => Id));
  for (const item of items) {
    if (copy.get(item.Id) !== JSON.stringify(item)) yield { collection, id: item.Id, item };
  }
  for (const id of copy.keys()) {
    if (id > after && id <= last && !listed.has(id)) yield { collection, id, item: null };
  }
}

/** What is compared: of what the item refers to only the Id. */
const own = (text: string): string =>
  JSON.stringify(JSON.parse(text), (name, value) => (name !== '' && value?.Id !== undefined ? value.Id : value));

function print(line: Line): void {
  if ('position' in line) return;
  const before = copies.get(line.collection)!.get(line.id);
  if (line.item && before && own(before) === own(JSON.stringify(line.item))) return;
  const what = line.item ? (before ? 'changed' : 'new') : 'deleted';
  process.stdout.write(`${what} ${line.collection} ${line.id}\n`);
}

async function sync(collection: string): Promise<void> {
  for (let after = positions.get(collection) ?? 0, last = after; last < Number.MAX_SAFE_INTEGER; after = last) {
    const { Items, Next } = await pageAfter(collection, after);
    last = Next ? Items.at(-1)!.Id : Number.MAX_SAFE_INTEGER;
    const lines = [...changes(collection, Items, after, last), { collection, position: Next ? last : 0 }];
    // Printed before it is kept, so that a change is printed twice rather than never.
    lines.forEach(print);
    appendFileSync(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    lines.forEach(remember);
  }
}

read();
for (const collection of collections) await sync(collection);
