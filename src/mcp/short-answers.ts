/** Keeps answers small: long texts and long lists are cut, with a word on how to get the rest. */
import { markdownMark } from '../client/work-items.js';

export const answerLimits = {
  /** Of one text of an item, and of one in a list. */
  text: 2000,
  listedText: 300,
  /** Of the whole answer. */
  answer: 24_000,
} as const;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Without what tells an agent nothing. `name` is that of the member. */
export function shortened(value: unknown, limit: number, name = ''): Json {
  if (typeof value === 'string') return cutText(value, limit, name);
  if (Array.isArray(value)) return value.map((item) => shortened(item, limit, name));
  if (typeof value !== 'object' || value === null) return value as Json;
  const members = Object.entries(name === '' ? value : briefly(value)).filter(([key]) => !untelling.has(key));
  return Object.fromEntries(members.map(([key, member]) => [key, shortened(member, limit, key)]));
}

const untelling = new Set(['resourceType', 'entityVersion', 'numericPriority']);

/** People stand for themselves by their names. */
const briefly = (value: object): object =>
  'fullName' in value && 'id' in value ? { id: value.id, name: value.fullName } : value;

/** Places are told as the database counts them: in whole characters, the mark of Markdown among them. */
function cutText(text: string, limit: number, name: string): string {
  const start = text.startsWith(markdownMark) ? markdownMark.length : 0;
  if (text.length - start <= limit) return text.slice(start);
  const characters = [...text];
  const end = start + limit;
  if (characters.length <= end) return text.slice(start);
  const rest = `${characters.length - end} more characters: get {"id": …, "text": "${name}", "from": ${end}}`;
  return `${characters.slice(start, end).join('')}… [${rest}]`;
}

export interface List {
  readonly items: readonly unknown[];
  /** Whether there are more than these. */
  readonly hasMore: boolean;
  readonly skip: number;
}

/** As many items as fit, and where the next ones begin. */
export function shortList({ items, hasMore, skip }: List): { items: Json[]; next?: string } {
  const kept: Json[] = [];
  let length = 0;
  for (const item of items) {
    const short = shortened(item, answerLimits.listedText);
    length += JSON.stringify(short).length;
    if (length > answerLimits.answer && kept.length > 0) break;
    kept.push(short);
  }
  const isWhole = kept.length === items.length && !hasMore;
  return isWhole
    ? { items: kept }
    : { items: kept, next: `There are more: ask again with skip ${skip + kept.length}.` };
}
