/**
 * Generators of hostile requests, for fast-check: near-valid query texts, bodies and headers that are then mutated.
 * What they draw shrinks to the least text that still fails.
 */
import fc from 'fast-check';
import type { Field, ResourceType } from '../../src/model/model.js';
import { model } from './builder.js';
import { type Pool, RandomRequests } from './random-requests.js';

const numbers = [
  ...[
    '-1',
    '0',
    '-0',
    '1.5',
    '.5',
    '5.',
    '1e3',
    '1e309',
    '-1e309',
    '1e-400',
    'NaN',
    'Infinity',
    '0x10',
    '012',
    '1_000',
  ],
  ...[
    '2147483647',
    '2147483648',
    '9007199254740993',
    '99999999999999999999',
    '9'.repeat(400),
    `1e${'9'.repeat(20)}`,
    '١٢',
  ],
];
const prototypeNames = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'],
];
const names = [
  ...prototypeNames,
  'Id',
  'Name',
  'Password',
  'it',
  'null',
  'true',
  'Items',
  'ResourceType',
  'CustomFields',
];
const texts = [
  ...[
    '\0',
    '\u0001',
    '\u001f',
    '\u007f',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\ufffe',
    '\uffff',
    '\ud800',
    '\udc00',
    '\r\n',
    '\t',
  ],
  ...[
    '😀',
    'é',
    'e\u0301',
    'İ',
    'ß',
    'ﷺ',
    '\u202e',
    'Ａ',
    '%',
    '_',
    '\\',
    "'",
    '"',
    "''",
    '\\u0000',
    '{1}',
    '$1',
    '%00',
    '%ff',
  ],
];
const dates = [
  '0000-00-00',
  '2023-02-29',
  '9999-12-31',
  '+275760-09-13',
  '/Date(1e99)/',
  '/Date(99999999999999999)/',
  'Today-9e9',
];
const signs = [...'()[]{}<>,;:.?&=+-*/!|@#~`^ ', '==', '!=', '&&', '||', '--', '/*', '*/', '//'];
const empties = ['{}', 'new()', '[]', '()', '{},', "''", 'it.select({})', 'in []'];
const words = [
  'and',
  'or',
  'not',
  'eq',
  'in',
  'is null',
  'contains',
  'as',
  'asc',
  'desc',
  'select',
  'where',
  'count',
  'IIF',
];

/** What a mutation puts in. */
const pieces: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...numbers),
  fc.constantFrom(...names),
  fc.constantFrom(...texts),
  fc.constantFrom(...dates),
  fc.constantFrom(...signs),
  fc.constantFrom(...words),
  fc.constantFrom(...empties),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

type Edit = (tokens: string[], at: number, piece: string, times: number) => string[];

const edits: Edit[] = [
  (tokens, at, piece) => tokens.with(at, piece),
  (tokens, at, piece) => tokens.toSpliced(at, 0, piece),
  (tokens, at) => tokens.toSpliced(at, 1),
  (tokens, at) => tokens.slice(0, at),
  (tokens, at) => tokens.toSpliced(at, 0, tokens[at]!),
  (tokens, at) => [...tokens.slice(0, at), ...tokens.slice(at).reverse()],
  (_, __, piece) => [piece],
  (tokens, at) => emptied(tokens, at),
  (tokens, at, _, times) => tokens.with(at, `${'('.repeat(times)}${tokens[at]}${')'.repeat(times)}`),
  (tokens, at, _, times) => tokens.with(at, `${'['.repeat(times)}${tokens[at]}${']'.repeat(times)}`),
  (tokens, at, _, times) => tokens.with(at, `${tokens[at]}.`.repeat(times)),
  (tokens, at, _, times) => tokens.with(at, `${tokens[at]},`.repeat(times)),
];

/** Nothing is left inside of the next brackets. */
function emptied(tokens: string[], at: number): string[] {
  const opening = tokens.findIndex((token, index) => index >= at && /^[([{]$/.test(token));
  let depth = 0;
  const closing = tokens.findIndex((token, index) => {
    if (index < opening) return false;
    if (/^[([{]$/.test(token)) depth++;
    return /^[)\]}]$/.test(token) && --depth === 0;
  });
  return opening < 0 || closing < 0 ? tokens : tokens.toSpliced(opening + 1, closing - opening - 1);
}

/** Numbers, words, quoted texts, runs of white space and all other characters one by one. */
const tokensOf = (text: string): string[] =>
  text.match(/[\p{L}_][\p{L}\p{N}_]*|\d+(?:\.\d+)?|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\s+|./gsu) ?? [];

const edit = fc.record({ by: fc.constantFrom(...edits), at: fc.nat(), piece: pieces, times: fc.nat({ max: 60 }) });
/** In what is not edited, the stages behind the parser look at odd values. */
const someEdits = (unedited: number) =>
  fc.oneof(
    { weight: unedited, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(edit, { minLength: 1, maxLength: 3 }) },
  );

/**
 * A text with up to three edits; each shrinks away where it does not matter. `unedited` of `unedited + 2` have none.
 */
export const mutated = (text: fc.Arbitrary<string>, unedited = 1): fc.Arbitrary<string> =>
  fc.tuple(text, someEdits(unedited)).map(([start, list]) =>
    list.reduce((before, { by, at, piece, times }) => {
      const tokens = tokensOf(before);
      return tokens.length === 0 ? piece : by(tokens, at % tokens.length, piece, times).join('');
    }, start),
  );

/** Percent-encoded; half of a surrogate pair as the three bytes that no UTF-8 has. */
export const encoded = (text: string): string =>
  [...text]
    .map((letter) =>
      /\p{Cs}/u.test(letter)
        ? [
            0xe0 | (letter.charCodeAt(0) >> 12),
            0x80 | ((letter.charCodeAt(0) >> 6) & 63),
            0x80 | (letter.charCodeAt(0) & 63),
          ]
            .map((byte) => `%${byte.toString(16)}`)
            .join('')
        : encodeURIComponent(letter),
    )
    .join('');

// --- what reads ------------------------------------------------------------------------------------------------------

/**
 * Choices that are drawn beforehand, so that they shrink; after the last one always the last of the sides, which ends
 * recursion.
 */
const dice: fc.Arbitrary<(sides: number) => number> = fc
  .array(fc.noBias(fc.nat({ max: 0xffff })), { minLength: 20, maxLength: 200, size: 'max' })
  .map((drawn) => {
    let next = 0;
    return (sides: number) => (drawn[next++] ?? sides - 1) % sides;
  });

/** A request of the version over the whole model, one of its parameters mutated. */
export function reads(version: 1 | 2, pool: Pool): fc.Arbitrary<string> {
  const near = dice.map((drawn) => new URL(new RandomRequests(drawn, pool).next(version), 'http://a'));
  return fc.tuple(near, fc.nat()).chain(([{ pathname, searchParams }, choice]) => {
    const edited = /^(where|include|append|orderBy|orderByDesc|select|result|groupBy)$/;
    const parameters = [...searchParams].filter(([name]) => edited.test(name));
    const [name, value] = parameters[choice % parameters.length] ?? ['where', ''];
    // Long pages cost much and show nothing more.
    const others = [...searchParams]
      .filter(([other]) => other !== name)
      .map(([other, text]) => [other, other === 'take' ? '3' : text]);
    const option = fc.tuple(fc.constantFrom(...options), fc.constantFrom(...prototypeNames, ...numbers));
    return fc
      .tuple(mutated(fc.constant(value)), rarely(mutated(fc.constant(name))), rarely(option))
      .map(([mutant, another, odd]) => [
        [name, mutant],
        ...(another === undefined ? [] : [[another, '1']]),
        ...(odd === undefined || searchParams.has(odd[0]) ? [] : [odd]),
        ...others,
      ])
      .map((all) => `${pathname}?${all.map(([one, text]) => `${encoded(one!)}=${encoded(text!)}`).join('&')}`);
  });
}

/** Whose values are words or numbers, most of them. */
const options = [
  ...['dateformat', 'isodate', 'resultFormat', 'consistency', 'acid', 'take', 'skip', 'innerTake', 'innerSkip'],
  ...['prettify', 'includeDeleted', 'callback', 'type', 'ids'],
];

const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 19, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

// --- bodies ----------------------------------------------------------------------------------------------------------

type Json = unknown;

export const writtenKinds = [
  ...['UserStory', 'Bug', 'Task', 'Feature', 'Epic', 'Request', 'Release', 'Iteration', 'TestCase', 'Impediment'],
  ...['Comment', 'Time', 'Assignment', 'TeamAssignment', 'RoleEffort', 'Relation', 'Tag', 'TestStep', 'Build'],
];

const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(...numbers, ...texts, ...dates, ...prototypeNames),
  fc.dictionary(fc.constantFrom(...names), fc.constantFrom(null, 1, 'x', {}, []), { maxKeys: 3 }),
  fc.integer({ min: 1, max: 40 }).map((depth) => Array.from({ length: depth }).reduce<Json>((inner) => [inner], 1)),
);

const plainValues: Record<string, fc.Arbitrary<Json>> = {
  id: fc.oneof(fc.nat({ max: 1000 }), fc.maxSafeInteger()),
  integer: fc.oneof(fc.nat({ max: 1000 }), fc.maxSafeInteger()),
  long: fc.maxSafeInteger(),
  decimal: fc.oneof(fc.nat({ max: 100 }), fc.double(), fc.constantFrom('3.5', '99999999999999.99999')),
  double: fc.double(),
  flag: fc.oneof(fc.boolean(), fc.constantFrom('true', 0, 'maybe')),
  moment: fc.oneof(
    fc.constantFrom('2026-01-31', '/Date(1767225600000+0100)/', '2026-01-31T12:00:00Z', ...dates),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  ),
};
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300, size: 'max' }) },
);

/** Ids that there are, by the name of the kind. */
export type IdsByKind = ReadonlyMap<string, readonly number[]>;

const idOf = (ids: IdsByKind, { name }: ResourceType): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...(ids.get(name) ?? [1])) },
    { weight: 1, arbitrary: fc.constantFrom(0, 1, 3, 999_999, 2 ** 31, 2 ** 53 - 1, 2 ** 53) },
  );

function valueFor(field: Field, ids: IdsByKind, depth: number): fc.Arbitrary<Json> {
  if (field.kind === 'scalar') return plainValues[field.scalar] ?? text;
  if (field.kind === 'reference')
    return fc.oneof(
      idOf(ids, field.target).map((Id) => ({ Id })),
      fc.constantFrom<Json>(null, { Name: 'Open' }, { Name: 'High' }, { Id: null }, {}),
    );
  const items = fc.array(entity(field.target, ids, depth - 1), { maxLength: 3 });
  return fc.oneof(
    items,
    items.map((Items) => ({ Items })),
    fc.constant(null),
  );
}

/** Members of the kind with fitting values for the most part. */
function entity(resource: ResourceType, ids: IdsByKind, depth: number): fc.Arbitrary<Record<string, Json>> {
  const fields = resource.fields.filter((field) => depth > 0 || field.kind !== 'collection');
  const member = fc
    .constantFrom(...fields)
    .chain((field) =>
      fc.tuple(
        fc.oneof(
          { weight: 20, arbitrary: fc.constant(field.name) },
          { weight: 1, arbitrary: fc.constantFrom(...names) },
        ),
        fc.oneof({ weight: 20, arbitrary: valueFor(field, ids, depth) }, { weight: 1, arbitrary: odd }),
      ),
    );
  return fc.array(member, { maxLength: 6 }).map((members) => Object.fromEntries(members));
}

export interface Write {
  path: string;
  type: 'application/json' | 'application/xml';
  body: string;
}

/** Creates and updates, of one and of many, from near-valid to mutated beyond recognition. */
export function writes(format: 'json' | 'xml', ids: IdsByKind, base: Record<string, Json>): fc.Arbitrary<Write> {
  const spell = { json: (_: string, value: Json) => JSON.stringify(value), xml: toXml }[format];
  return fc.constantFrom(...writtenKinds.map((kind) => model.resource(kind))).chain((resource) => {
    const one = fc
      .tuple(entity(resource, ids, 2), fc.boolean())
      .map(([members, isWhole]) => (isWhole ? { ...base, ...members } : members));
    const target = fc.oneof(
      fc.tuple(fc.constant(''), one),
      fc.tuple(
        idOf(ids, resource).map((id) => `/${id}`),
        one,
      ),
      fc.tuple(fc.constant('/bulk'), fc.array(one, { maxLength: 4 })),
    );
    return target.chain(([place, value]) => {
      const name = place === '/bulk' ? resource.collection : resource.name;
      return mutated(fc.constant(spell(name, value)), 6).map((body) => ({
        path: `/api/v1/${resource.collection}${place}`,
        type: `application/${format}` as const,
        body,
      }));
    });
  });
}

const xmlPieces: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Values are elements, Ids and Names attributes; names are left as they are, however hostile. */
function toXml(name: string, value: Json): string {
  if (value === null) return `<${name} nil="true"/>`;
  if (typeof value !== 'object')
    return `<${name}>${String(value).replace(/[&<>]/g, (letter) => xmlPieces[letter]!)}</${name}>`;
  if (Array.isArray(value)) return `<${name}>${value.map((item) => toXml(singular(name), item)).join('')}</${name}>`;
  const members = Object.entries(value).map(([member, inner]) => [member, inner] as const);
  const isAttribute = ([member, inner]: readonly [string, Json]) =>
    /^(Id|Name)$/.test(member) && typeof inner !== 'object';
  const attributes = members
    .filter(isAttribute)
    .map(
      ([member, inner]) =>
        ` ${member}="${String(inner).replace(/[&<>"]/g, (letter) => xmlPieces[letter] ?? '&quot;')}"`,
    );
  const inside = members.filter((one) => !isAttribute(one)).map(([member, inner]) => toXml(member, inner));
  return `<${name}${attributes.join('')}>${inside.join('')}</${name}>`;
}

const singular = (name: string): string =>
  model.resources.find(({ collection }) => collection === name)?.name ?? name.replace(/s$/, '');

// --- headers ---------------------------------------------------------------------------------------------------------

const values: Record<string, readonly string[]> = {
  Authorization: ['Basic YWxpY2U6ZGVtbw==', 'Basic eDp4', 'Bearer abc', 'Basic', 'Negotiate x', 'Digest username="a"'],
  'X-Access-Token': ['abc', 'MzpVWjlqMi9q'],
  Cookie: ['worktrack_session=abc', 'a=b; worktrack_session=x; worktrack_session=y', 'worktrack_sign_on=a.b.c'],
  Accept: [
    'application/json',
    'text/xml',
    '*/*',
    'application/json;q=0.5, application/xml;q=0.9',
    'image/png',
    'a/b;q=x',
  ],
  'Accept-Encoding': ['gzip', 'br;q=1.0, *;q=0', 'identity', 'x'],
  'Content-Type': [
    'application/json',
    'application/xml; charset=utf-8',
    'text/plain',
    'multipart/form-data; boundary=x',
  ],
  'Content-Encoding': ['identity', 'gzip'],
  'If-Match': ['*', '"1-x"', 'W/"1-x"', '"0", "7"', 'x'],
  'If-None-Match': ['*', '"1-x"', 'W/"1-x", "y"'],
  'If-Modified-Since': ['Sat, 29 Oct 1994 19:43:31 GMT', 'yesterday'],
  'If-Unmodified-Since': ['Sat, 29 Oct 1994 19:43:31 GMT'],
  'If-Range': ['"x"'],
  Range: ['bytes=0-10', 'bytes=-1', 'items=0-9'],
  'Idempotency-Key': ['key-1', 'a b', 'x'.repeat(256)],
  Host: ['here', 'a:99999', '[::1]:3000', 'user@a', '1.2.3.999'],
  Origin: ['https://evil.test', 'null', 'http://here'],
  'Sec-Fetch-Site': ['cross-site', 'same-origin'],
  'X-Requested-With': ['XMLHttpRequest'],
  'X-Session-User': ['3', 'x'],
  'X-Forwarded-Host': ['evil.test', 'a, b'],
  'X-Forwarded-For': ['10.0.0.1', '::1, x'],
  'X-Forwarded-Proto': ['https', 'javascript'],
  'X-HTTP-Method-Override': ['DELETE'],
  Referer: ['http://a/?token=x'],
};

const header: fc.Arbitrary<string> = fc.constantFrom(...Object.keys(values)).chain((name) =>
  fc
    .tuple(
      fc.oneof({ weight: 8, arbitrary: fc.constant(name) }, { weight: 1, arbitrary: fc.constant(name.toLowerCase()) }),
      mutated(fc.constantFrom(...values[name]!)),
    )
    // Line breaks would make other headers of it, and other lengths of the body: test/hostile/connections.api-spec.ts
    // does that.
    .map((parts) => parts.join(': ').replace(/[\r\n]/g, '')),
);

export interface RawRequest {
  line: string;
  headers: string[];
  body: string;
}

/** Up to six headers of those that the service reads. */
export function withHeaders(lines: readonly string[], bodies: readonly string[]): fc.Arbitrary<RawRequest> {
  return fc.record({
    line: fc.constantFrom(...lines),
    headers: fc.array(header, { maxLength: 6 }),
    body: fc.constantFrom(...bodies),
  });
}
