/**
 * A query as text and in parts: `UserStories?where=Id+gt+1&take=5` is a path, values of the parameters known here, and
 * others.
 */

/**
 * @typedef {'where' | 'include' | 'exclude' | 'append' | 'orderBy' | 'orderByDesc' | 'innerTake' | 'format' | 'take' |
 * 'skip'} Parameter
 * @typedef {{ path: string, values: Partial<Record<Parameter, string>>, others: [name: string, value: string][] }}
 * Query
 */

/** In the order that the service's own links have. @type {readonly Parameter[]} */
const parameters = [
  'where',
  'include',
  'exclude',
  'append',
  'orderBy',
  'orderByDesc',
  'innerTake',
  'format',
  'take',
  'skip',
];

/** A query is shared and kept; who asks it is not part of it. */
const credentials = new Set(['token', 'access_token']);

/**
 * Takes a whole address, its path, or what stands behind `/api/v1/`; names are the same in any letter case.
 * @param {string} input
 * @returns {Query}
 */
export function parseQuery(input) {
  const text = input.trim();
  const at = text.indexOf('?');
  const path = pathIn((at < 0 ? text : text.slice(0, at)).replace(/#.*$/s, ''));
  const ofVersion1 = isElsewhere(path) ? [] : parameters;
  /** @type {Query} */
  const query = { path, values: {}, others: [] };
  for (const piece of at < 0 ? [] : text.slice(at + 1).split('&')) {
    const [name, value] = halves(piece);
    const canonical = ofVersion1.find((one) => one.toLowerCase() === name.toLowerCase());
    if (value.trim() === '' || credentials.has(name.toLowerCase())) continue;
    if (canonical && query.values[canonical] === undefined) query.values[canonical] = value;
    // Said twice, it is the service's to refuse.
    else query.others.push([name, value]);
  }
  return query;
}

/** Behind `/api/v1/`, or the whole of one that version 1 does not have. @param {string} text */
function pathIn(text) {
  const path = decoded(text.replace(/^.*\/api\/v1(?=\/|$)/is, '')).trim();
  return isElsewhere(path) ? path : path.replace(/^\/+|\/+$/g, '');
}

/** Whether a path is an address that version 1 does not have: of version 2, or not of this API. @param {string} path */
export const isElsewhere = (path) => /^[a-z][a-z\d+.-]*:|^\/*v2(?:\/|$)|(?:^|\/)api\/v2(?:\/|$)/i.test(path);

/** Whether the metadata describe it: not all that the service answers is a collection. @param {string} path */
export const isDescribed = (path) => !/^(?:search|context|authentication|index|meta)(?:\/|$)/i.test(path);

/**
 * Legible, and good as the end of an address: only what would be read as something else is encoded.
 * @param {Query} query
 */
export function spellQuery({ path, values, others }) {
  const given = parameters.flatMap((name) => {
    const value = values[name];
    return value === undefined || value.trim() === '' ? [] : [/** @type {const} */ ([name, value])];
  });
  const pieces = [...given, ...others].map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return (isElsewhere(path) ? encoded(path) : encodedPath(path)) + (pieces.length === 0 ? '' : `?${pieces.join('&')}`);
}

/** The query of the page's own address, where the whole text is one value. @param {string} text */
export const encoded = (text) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}%&#+"<>\\^`{|}]/gu, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
    .replace(/[^\S ]/gu, encodeURIComponent)
    .replaceAll(' ', '+');

/** @param {string} path */
const encodedPath = (path) =>
  path
    .split('/')
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');

/** @param {string} piece @returns {[string, string]} */
function halves(piece) {
  const at = piece.indexOf('=');
  return at < 0 ? [decoded(piece), ''] : [decoded(piece.slice(0, at)), decoded(piece.slice(at + 1))];
}

/** What is not well encoded is taken as it stands. @param {string} text */
function decoded(text) {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
