/**
 * Splits the raw query string of a URL into the parameters we know, decoded, each at most once; reads the page they ask
 * for; and complains about places in their texts.
 */
import {
  type ApiError,
  arrayParameter,
  badEncoding,
  badListName,
  badRequest,
  malformed,
  misspeltParameter,
  notWholeNumber,
  nulCharacter,
  queryTooLong,
  repeatedParameter,
  tooMuch,
} from '../errors.js';
import { nearest } from '../texts/near.js';
import { limits } from './limits.js';
import type { Page } from './meaning.js';

export interface Parameters {
  /** The decoded value; undefined when the parameter is absent or empty. */
  get(name: KnownParameter): string | undefined;
  /** The same for all texts that say the same, whatever else is in them. */
  readonly key: string;
  /** Names that version 2 alone knows. */
  readonly ignored: readonly OfVersion2[];
}

/** `own`: what the address takes besides the parameters of lists; messages suggest those. */
export function parseParameters(rawQuery: string, own?: readonly string[]): Parameters {
  const others = new Set<string>();
  const find = (name: string): KnownParameter | undefined => {
    const parameter = parameterNamed(name, own);
    if (!parameter) others.add(plainName(name).toLowerCase());
    return parameter;
  };
  const values = parameterTexts(rawQuery, find, limits.queryBytes);
  const ignored = ofVersion2.filter((name) => others.has(name.toLowerCase()));
  return { get: (name) => values.get(name) || undefined, key: keyOf(values, ignored), ignored };
}

const ofVersion2 = ['filter', 'select', 'result', 'groupBy'] as const;
export type OfVersion2 = (typeof ofVersion2)[number];

/** The decoded values by name; an unknown name is left out, unless `find` refuses it. */
export function parameterTexts<Name extends string>(
  rawQuery: string,
  find: (name: string) => Name | undefined,
  maxBytes: number,
): Map<Name, string> {
  if (rawQuery.length > maxBytes) throw queryTooLong(maxBytes);
  const pieces = rawQuery.split('&', limits.parameters + 1);
  if (pieces.length > limits.parameters) throw tooMuch('query', 'too many parameters', limits.parameters);
  const values = new Map<Name, string>();
  const lists = new Set<Name>();
  for (const piece of pieces) {
    const [rawName, rawValue] = halves(piece);
    const decodedName = decoded(rawName);
    if (!piece.includes('=') && isOfFields(decodedName)) continue;
    const name = find(decodedName);
    if (!name) continue;
    const value = readable(decodedName, rawValue);
    const given = values.get(name);
    if (isList(decodedName)) lists.add(name);
    if (given !== undefined && lists.has(name)) values.set(name, `${given},${value}`);
    else if (given !== undefined && given !== value) throw repeatedParameter(decodedName);
    else values.set(name, value);
  }
  return values;
}

/**
 * The text of an address with the parameters that only a form has. What the address gives wins; what it names without a
 * value is as if it were absent.
 */
export function withForm(rawQuery: string, form: string): string {
  const given = rawQuery.split('&').filter((piece) => halves(piece)[1] !== '');
  const names = new Set(given.map(nameOf));
  return [...given, ...form.split('&').filter((piece) => piece !== '' && !names.has(nameOf(piece)))].join('&');
}

/**
 * One parameter of texts that are refused as a whole: the first value of it in the first text that has one which can be
 * read.
 */
export function legibleParameter(name: string, ...texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const values = text
      .split('&')
      .filter((piece) => nameOf(piece) === name)
      .map((piece) => legible(halves(piece)[1]));
    const readable = values.find((value) => value);
    if (readable) return readable;
  }
  return undefined;
}

function legible(raw: string): string | undefined {
  try {
    return decoded(raw).trim();
  } catch {
    return undefined;
  }
}

/** In lower case and without brackets. What cannot be decoded is refused where its value is read. */
function nameOf(piece: string): string {
  const [raw] = halves(piece);
  try {
    return decoded(raw).toLowerCase().replace(/\[.*/, '');
  } catch {
    return raw;
  }
}

/** No value holds a NUL. */
const keyOf = (values: ReadonlyMap<KnownParameter, string>, ignored: readonly string[]): string =>
  [...[...values].map(([name, value]) => `${name}=${value}`), ...ignored].join('\0');

const spellings = [
  'where',
  'include',
  'exclude',
  'append',
  'orderBy',
  'orderByDesc',
  'take',
  'skip',
  'innerTake',
  'innerSkip',
  'format',
  'resultFormat',
  'resultInclude',
  'resultExclude',
  'resultAppend',
  'childrenIds',
  'dateformat',
  'isodate',
  'token',
  'access_token',
  'callback',
  'acid',
  'consistency',
  'ids',
  'projectIds',
  'teamIds',
  'login',
  'search',
] as const;

/** Lists of ids may be given one by one, numbered or not: `ids[]=1&ids[]=2`, `ids[0]=1&ids[1]=2`. */
const isList = (name: string): boolean => /^(?:ids|projectIds|teamIds)\[\d{0,9}\]$/i.test(name);

/** `include[Id,Name]` gives `include` no value: it is as if absent. Written so, a filter is refused. */
const isOfFields = (name: string): boolean => /^(?:result)?(?:include|exclude|append)\[./i.test(name);

const isOfList = (plain: string): boolean => isList(`${plain}[]`);

/** Names are looked up in lower case. */
export type KnownParameter = Lowercase<(typeof spellings)[number]>;

const byLowerCase = new Map<string, KnownParameter>(
  spellings.map((name) => [name.toLowerCase(), name.toLowerCase() as KnownParameter]),
);

/** The name is in lower case. */
export const isOfVersion1 = (name: string): boolean => byLowerCase.has(name) || isList(name);

/** Of some addresses alone. */
const ofFew: ReadonlySet<string> = new Set(['childrenIds', 'ids', 'projectIds', 'teamIds', 'login', 'search']);

const ofLists = spellings.filter((name) => !ofFew.has(name));

function plainName(input: string): string {
  const bracket = input.indexOf('[');
  return bracket < 0 ? input : input.slice(0, bracket);
}

/** `x.where` is the `where` of something else. */
const isOfOther = (input: string): boolean => byLowerCase.has(/\w\.(\w+)$/.exec(input)?.[1]?.toLowerCase() ?? '');

/** Unknown names are ignored, since clients send cache-busters; but a misspelt filter must not return everything. */
function parameterNamed(input: string, own?: readonly string[]): KnownParameter | undefined {
  const plain = plainName(input);
  const name = byLowerCase.get(plain.toLowerCase());
  if (name && plain !== input && !isList(input))
    throw isOfList(plain) ? badListName(plain) : arrayParameter(`${plain}[]`);
  if (name) return name;
  const near = isOfOther(plain) ? undefined : nearest(plain, spellings);
  // What is refused is the same at all addresses, since parsed texts are kept for all of them.
  if (near) throw misspeltParameter(plain, own ? nearest(plain, [...own, ...ofLists]) : near);
  return undefined;
}

/** White space alone is an empty value. A message never holds the value: it may be a credential. */
function readable(name: string, raw: string): string {
  const value = decoded(raw);
  if (value.includes('\0')) throw nulCharacter(name);
  return value.trim() === '' ? '' : value;
}

function halves(piece: string): [name: string, value: string] {
  const equals = piece.indexOf('=');
  return equals < 0 ? [piece, ''] : [piece.slice(0, equals), piece.slice(equals + 1)];
}

/** Most values are written in ASCII, escapes for everything else: the engine's own decoder knows the same rules. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: every character of ASCII is meant
const isAscii = (raw: string): boolean => !/[^\u0000-\u007f]/.test(raw);

function decoded(raw: string): string {
  if (!isAscii(raw)) return decodedBytes(raw);
  const spaced = raw.includes('+') ? raw.replaceAll('+', ' ') : raw;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw badEncoding();
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Node hands over each byte of the request target as one character, so raw text is decoded as escaped text is. */
function decodedBytes(raw: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: every character that is not one byte is meant
  if (/%(?![0-9a-fA-F]{2})|[^\u0000-\u00ff]/.test(raw)) throw badEncoding();
  const bytes = raw
    .replaceAll('+', ' ')
    .replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    throw badEncoding();
  }
}

/** A flag, by the same words wherever one is. Forms of HTML write `on`, or its own name, for one that is set. */
export function isSwitchedOn(parameter: string, text: string | undefined): boolean {
  const word = text?.trim().toLowerCase();
  if (word === undefined || isOff(word)) return false;
  if (['1', 'true', 'yes', 'on', parameter.toLowerCase()].includes(word)) return true;
  throw badRequest(`${parameter}: use 'true', '1' or 'yes', or 'false', '0' or 'no'.`, 'InvalidParameter');
}

/** Whether a flag that any value switches on is switched off all the same. */
export const isOff = (text: string): boolean => ['0', 'false', 'no', 'off'].includes(text.trim().toLowerCase());

/** Whole numbers of 0 or more. */
export interface PageTexts {
  take?: string;
  skip?: string;
}

/** `names` are the parameters' names in messages: `innerTake` and `innerSkip` are read by the same rules. */
export function parsePage({ take, skip }: PageTexts, names = { take: 'take', skip: 'skip' }): Page {
  return {
    take: take === undefined ? limits.defaultTake : Math.min(wholeNumber(names.take, take), limits.take),
    skip: skip === undefined ? 0 : exact(names.skip, skip),
  };
}

function wholeNumber(parameter: string, input: string): number {
  const digits = input.trim();
  if (!/^[0-9]+$/.test(digits)) throw notWholeNumber(parameter, input);
  return Number(digits);
}

/**
 * A skip is never rounded: what a number cannot hold exactly is refused (PostgreSQL's bigint could hold little more).
 */
function exact(parameter: string, input: string): number {
  const number = wholeNumber(parameter, input);
  if (!Number.isSafeInteger(number)) throw notWholeNumber(parameter, input);
  return number;
}

export class Source {
  constructor(
    readonly parameter: string,
    readonly text: string,
  ) {
    if (text.includes('\0')) throw nulCharacter(parameter);
    if (!text.isWellFormed()) throw badEncoding();
  }

  /** Clients count characters: a surrogate pair is one. `start` counts UTF-16 units. */
  place(start: number): number {
    let pairs = 0;
    for (let at = 0; at < start; at++) if ((this.text.charCodeAt(at) & 0xfc00) === 0xd800) pairs++;
    return start - pairs;
  }

  /** Something else was expected there. */
  refuse(start: number, expected: string, actual: string): ApiError {
    return malformed(this.parameter, this.place(start), expected, actual);
  }
}
