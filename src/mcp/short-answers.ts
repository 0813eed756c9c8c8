/** Keeps answers small: long texts and long lists are cut, with a word on how to get the rest. */
import { markdownMark } from '../client/work-items.js';
import { quoted } from './kinds.js';

export const answerLimits = {
  /** Of one text of an item, and of one in a list. */
  text: 2000,
  listedText: 300,
  /** Of the whole answer. */
  answer: 24_000,
} as const;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** What was asked for, so that a text that is cut says how to get the rest of it. */
export interface Shown {
  /** That `get` needs beside the id of such an entity. */
  readonly kind?: string;
  /** What members show, by their names in lower case. Undefined: all fields, of which some tell an agent nothing. */
  readonly asked?: ReadonlyMap<string, string>;
}

export function shortEntity(entity: unknown, limit: number, { kind, asked }: Shown): Json {
  if (!isObject(entity)) return shortened(entity, limit);
  const members = Object.entries(entity).filter(([name]) => asked || !untelling.has(name));
  const { id } = entity;
  return Object.fromEntries(
    members.map(([name, value]) => {
      const text = asked ? asked.get(name.toLowerCase()) : name;
      const isField = text !== undefined && typeof id === 'number';
      return [name, shortened(value, limit, isField ? { ...(kind && { kind }), id, text } : undefined)];
    }),
  );
}

/** Arguments of `get` for the rest of a text. */
interface Rest {
  readonly kind?: string;
  readonly id: number;
  readonly text: string;
}

/** References are shown without what tells an agent nothing; what was selected of one has all its members. */
export function shortened(value: unknown, limit: number, rest?: Rest): Json {
  if (typeof value === 'string') return cutText(value, limit, rest);
  if (Array.isArray(value)) return value.map((item) => shortened(item, limit));
  if (!isObject(value)) return value as Json;
  if (rest && Array.isArray(value.customFields)) return shortValues(value.customFields, limit, rest);
  if (!('resourceType' in value)) return mapped(value, (member) => shortened(member, limit));
  if ('fullName' in value && 'id' in value && Object.keys(value).every((name) => ofPeople.has(name)))
    return { id: value.id as Json, name: value.fullName as Json };
  const members = Object.entries(value).filter(([name]) => !untelling.has(name));
  return mapped(Object.fromEntries(members), (member) => shortened(member, limit));
}

function shortValues(fields: readonly unknown[], limit: number, rest: Rest): Json {
  const customFields = (fields as { name: string; value?: unknown }[]).map(({ value, ...field }) => {
    const text = `${rest.text}.text(${quoted(field.name)})`;
    return { ...field, ...(value !== undefined && { value: shortened(value, limit, { ...rest, text }) }) };
  });
  return { customFields };
}

const untelling = new Set(['resourceType', 'entityVersion', 'numericPriority']);

/** People stand for themselves by their names. */
const ofPeople = new Set(['resourceType', 'id', 'firstName', 'lastName', 'login', 'fullName', 'kind']);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const mapped = (value: object, short: (member: unknown) => Json): Json =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, short(member)]));

/** Places are given as the database counts them: in whole characters, the mark of Markdown among them. */
function cutText(text: string, limit: number, rest: Rest | undefined): string {
  const start = text.startsWith(markdownMark) ? markdownMark.length : 0;
  if (text.length - start <= limit) return text.slice(start);
  const end = start + limit;
  const units = unitsOf(text, end);
  if (units === text.length) return text.slice(start);
  const left = text.length - units - pairsIn(text.slice(units));
  return text.slice(start, units) + restOf(left, end, rest);
}

/** How long so many characters are in UTF-16, or all of the text. */
function unitsOf(text: string, characters: number): number {
  let units = 0;
  for (let count = 0; count < characters && units < text.length; count += 1)
    units += text.codePointAt(units)! > 0xffff ? 2 : 1;
  return units;
}

/** Characters of two units. A long text is not taken apart: that would hold the event loop. */
function pairsIn(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at += 1)
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) pairs += 1;
  return pairs;
}

/** What stands behind the part of a text that is shown. */
export const restOf = (left: number, from: number, rest: Rest | undefined): string =>
  `… [${left} more characters: ${rest ? `get ${JSON.stringify({ ...rest, from })}` : 'ask for a part by substring(from, length)'}]`;

export interface List {
  readonly items: readonly unknown[];
  /** Whether there are more than these. */
  readonly hasMore: boolean;
  readonly skip: number;
  readonly shown: Shown;
}

/** As many items as fit, and where the next ones begin. */
export function shortList({ items, hasMore, skip, shown }: List): { items: Json[]; next?: string } {
  const kept: Json[] = [];
  let length = 0;
  for (const item of items) {
    const short = shortEntity(item, answerLimits.listedText, shown);
    length += JSON.stringify(short).length;
    if (length > answerLimits.answer && kept.length > 0) break;
    kept.push(short);
  }
  const isWhole = kept.length === items.length && !hasMore;
  return isWhole
    ? { items: kept }
    : { items: kept, next: `There are more: ask again with skip ${skip + kept.length}.` };
}
