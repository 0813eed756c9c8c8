/**
 * Brings the path of a request to the one spelling that routes are registered under, before routing: collections by
 * their canonical plural, single slashes, no `.asmx`, no slash at the end. The query text is left alone.
 */
import type { Model } from '../model/model.js';

export function canonicalPath(url: string, model: Model): string {
  const plain = usual.exec(url);
  if (plain && model.collection(plain[1]!)?.collection === plain[1]) return url;
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const query = at < 0 ? '' : url.slice(at);
  const segments = path.split('/').filter((segment) => segment !== '');
  // An address of the service that this path is put behind may end with a slash.
  if (segments.length === 1 && isOfFiles.test(segments[0]!)) return `/${segments[0]}${query}`;
  if (segments[0]?.toLowerCase() !== 'api' || segments.length < 2) return url;
  const [, version, name, ...rest] = segments;
  if (name === undefined) return `/api/${version!.toLowerCase()}${query}`;
  const collection = name.replace(/(?<=.)\.asmx$/i, '');
  const resource = model.collection(decoded(collection));
  return `/${['api', version!.toLowerCase(), resource?.collection ?? collection, ...rest].join('/')}${query}`;
}

/** Most requests spell their path as it is registered. */
const usual = /^\/api\/v[12]\/([A-Za-z]+)(?:\/[A-Za-z0-9]+)*(?:\?|$)/;

const isOfFiles = /\.as[ph]x$/i;

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
