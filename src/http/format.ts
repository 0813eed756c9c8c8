/** Negotiates the format of an answer: `format`, else `Accept`, else the type of what was sent, else XML. */
import { LRUCache } from 'lru-cache';
import { unknownFormat } from '../errors.js';
import type { Parameters } from '../query/parameters.js';

export interface Format {
  name: 'json' | 'xml';
  contentType: string;
  /** How a list is answered; whatever else there is to say follows from `name`. */
  list?: ListFormat;
}

/** One page in CSV, or a whole list with an item on each line. */
export type ListFormat = 'csv' | 'ndjson';

export const listTypes: Readonly<Record<ListFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** Also of what is answered in JSON only. */
export const jsonFormat: Format = { name: 'json', contentType: 'application/json; charset=utf-8' };

/**
 * Links to other pages stand in a header, as there is no other place for them; a long one stands alone, since clients
 * and proxies take headers up to some length, and nobody needs the way back to go on. A browser saves a table, below a
 * name that nobody has written: no text of an item is ever shown as a page.
 */
export function tableHeaders(
  collection: string,
  { next, prev }: { next?: string; prev?: string },
): Record<string, string> {
  const isLong = (next?.length ?? 0) + (prev?.length ?? 0) > longLinks;
  const links = [next && `<${next}>; rel="next"`, prev && !(next && isLong) && `<${prev}>; rel="prev"`].filter(Boolean);
  return {
    'content-type': listTypes.csv,
    'content-disposition': `attachment; filename="${collection}.csv"`,
    ...(links.length > 0 && { link: links.join(', ') }),
  };
}

/** How long links may be: proxies take 4 KiB for all headers. */
const longLinks = 3000;

/** By the word and by the type that ask for it. */
const listFormats = new Map<string, Format>(
  (['csv', 'ndjson'] as const).flatMap((list) => {
    const format = { ...jsonFormat, list };
    return [
      [list, format],
      [mediaType(listTypes[list]), format],
    ];
  }),
);
const xml: Format = { name: 'xml', contentType: 'application/xml; charset=utf-8' };
/** For clients that take XML by its older name only. */
const textXml: Format = { name: 'xml', contentType: 'text/xml; charset=utf-8' };

export interface Negotiable {
  format?: string;
  accept?: string;
  /** The Content-Type, where it counts. */
  sent?: string;
}

/** Throws a 400 for a format that does not exist. */
export function negotiateFormat({ format, accept, sent }: Negotiable): Format {
  const word = format?.trim().toLowerCase();
  if (word !== undefined && word !== '') {
    if (word === 'json') return jsonFormat;
    if (word === 'xml') return accepted(accept) === textXml ? textXml : xml;
    const list = listFormats.get(word);
    if (list && !word.includes('/')) return list;
    throw unknownFormat(format!);
  }
  return accepted(accept) ?? (isOpen(accept) ? mediaFormat(sent ?? '') : undefined) ?? xml;
}

/** Whether JSON and XML are equally welcome: types that are neither ask for what there is by default. `*` is any. */
const isOpen = (accept = ''): boolean =>
  accept.trim() === '' || accept.split(',').some((wish) => /^(?:\*|(?:\*|application)\/\*)$/.test(mediaType(wish)));

/** The same without the refusal, for answers that must be given whatever was asked for. */
export function formatForError(negotiable: Negotiable): Format {
  try {
    return negotiateFormat(negotiable);
  } catch {
    return negotiateFormat({ ...negotiable, format: undefined });
  }
}

interface Sent {
  method?: string;
  headers: Record<string, string | string[] | undefined>;
}

export const negotiable = (parameters: Pick<Parameters, 'get'> | undefined, sent: Sent): Negotiable => ({
  format: parameters?.get('format') ?? parameters?.get('resultformat'),
  accept: one(sent.headers.accept),
  sent: typeThatCounts(sent),
});

/**
 * That of a body, on writes. Scripts also name JSON for reads, which have no body, to get it; but libraries that name a
 * type with every request say what they accept, too.
 */
function typeThatCounts({ method, headers }: Sent): string | undefined {
  const type = one(headers['content-type']);
  if (method !== 'GET' && method !== 'HEAD') return type;
  return headers.accept === undefined && mediaFormat(type ?? '')?.name === 'json' ? type : undefined;
}

const one = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header;

/** Programs send the same header with every request. */
const formats = new LRUCache<string, { format: Format | undefined }>({ max: 200 });

function accepted(accept: string | undefined): Format | undefined {
  if (!accept || accept.length > 2000) return undefined;
  const cached = formats.get(accept) ?? { format: preferred(accept) };
  formats.set(accept, cached);
  return cached.format;
}

/** The first acceptable type that is ours, by quality; a browser's long list counts as no wish. */
function preferred(accept: string): Format | undefined {
  const wishes = accept
    .split(',')
    .map((wish) => ({ format: listFormats.get(mediaType(wish)) ?? mediaFormat(wish), quality: quality(wish) }))
    .filter((wish) => wish.format && wish.quality > 0)
    .sort((a, b) => b.quality - a.quality);
  const best = wishes[0];
  if (!best) return undefined;
  const ties = wishes.filter((wish) => wish.quality === best.quality).map((wish) => wish.format!);
  return ties.find((format) => format === jsonFormat) ?? ties.find((format) => format === xml) ?? ties[0];
}

const quality = (wish: string): number => Number(/;\s*q=([01](?:\.\d{0,3})?)/i.exec(wish)?.[1] ?? '1');

/** The most exact of the ranges that hold the type counts (RFC 9110, 12.5.1); a quality of 0 refuses it. */
export function takes(accept: string, type: string): boolean {
  const qualities = new Map(accept.split(',').map((wish) => [mediaType(wish), quality(wish)]));
  const exact = [type, type.replace(/\/.*/, '/*'), '*/*', '*'].find((range) => qualities.has(range));
  return exact !== undefined && qualities.get(exact)! > 0;
}

/** Without its parameters. */
export function mediaType(contentType = ''): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase();
}

/** The charset that a type names. Some clients put single quotes around it. */
export const charsetIn = (contentType = ''): string | undefined =>
  /charset\s*=\s*["']?([^"';\s]+)/i.exec(contentType)?.[1];

export function mediaFormat(contentType: string): Format | undefined {
  const type = mediaType(contentType);
  if (type === 'application/json' || type === 'text/json' || type.endsWith('+json')) return jsonFormat;
  if (type === 'application/xml') return xml;
  return type === 'text/xml' ? textXml : undefined;
}
