/**
 * Which of the codings we know a client prefers, from its `Accept-Encoding`; undefined where it wants the answer as it
 * is.
 */
import { LRUCache } from 'lru-cache';

export type Coding = 'br' | 'gzip';

/** Programs send the same header with every request. */
const codings = new LRUCache<string, { coding: Coding | undefined }>({ max: 200 });

export function codingFor(accepted: string): Coding | undefined {
  if (accepted.length > 1000) return undefined;
  const cached = codings.get(accepted);
  if (cached) return cached.coding;
  const coding = preferred(accepted);
  codings.set(accepted, { coding });
  return coding;
}

/**
 * What is not named is as welcome as `*`, or not at all; the answer as it is always is, but only where it is named more
 * than others.
 */
function preferred(accepted: string): Coding | undefined {
  const qualities = new Map(accepted.split(',').map(wish));
  const anything = qualities.get('*') ?? 0;
  const br = qualities.get('br') ?? anything;
  const gzip = qualities.get('gzip') ?? qualities.get('x-gzip') ?? anything;
  const best = Math.max(br, gzip);
  if (best === 0 || best < (qualities.get('identity') ?? 0)) return undefined;
  return br === best ? 'br' : 'gzip';
}

function wish(text: string): [name: string, quality: number] {
  const [name, ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (quality === undefined) return [name!, 1];
  // What is no quality is no wish.
  return [name!, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 0];
}
