/**
 * What a client sent in a body, without regard to its format. JSON and XML parsers make the same payload; nothing after
 * them knows which it was. Names are as sent; values are not typed yet.
 */
import { type ApiError, badMember, badRequest } from '../errors.js';
import { parseId } from '../model/ids.js';
import { wholeNumber } from '../texts/whole-numbers.js';

export type PayloadValue =
  | { kind: 'null' }
  | { kind: 'text'; text: string }
  /** `text` is the number as the client wrote it, so that no digit of a decimal is lost. */
  | { kind: 'number'; text: string }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'object'; object: Payload }
  /** `names` are those of the elements in XML: one where all have the same, else those of each. */
  | { kind: 'list'; items: PayloadValue[]; names?: readonly string[] };

/** One entity as sent. Member names are unique without regard to case; order is as sent. */
export interface Payload {
  members: PayloadMember[];
  /** What its element is called in XML, where that tells the kind. */
  element?: string;
}

export interface PayloadMember {
  name: string;
  value: PayloadValue;
}

/** A body is one entity or, for bulk, a list of them. */
export type Body = { kind: 'one'; entity: Payload } | { kind: 'many'; entities: Payload[] };

/** Limits of a body (see docs/operations.md, "Limits"). */
export const bodyLimits = {
  bytes: 10 * 1024 * 1024,
  depth: 20,
  /** Values and comments in JSON, elements in XML. */
  items: 200_000,
  /** Of one object in JSON, and attributes of one element in XML. */
  members: 1000,
  /** Items of collections included. */
  entities: 10_000,
  /** Names in all texts of tags. */
  tags: 20_000,
  /** Characters of one text: as many as the longest that is stored has. */
  text: 1024 * 1024,
} as const;

/**
 * Of elements with different names, the first name that comes twice: where they were meant as members, that is what is
 * wrong.
 */
export function repeatedName(value: PayloadValue): string | undefined {
  if (value.kind !== 'list' || !value.names) return undefined;
  const names = value.names.map((name) => name.toLowerCase());
  if (new Set(names).size < 2) return undefined;
  return value.names.find((_, at) => names.indexOf(names[at]!) < at);
}

/** Undefined where no entity can have it. */
export const idOf = (value: PayloadValue | undefined): number | undefined =>
  value?.kind === 'number' || value?.kind === 'text' ? parseId(wholeNumber(value.text) ?? '') : undefined;

export const givenTwice = (path: string): ApiError => badMember(path, 'the member is given twice.');

export const tooLongText = (path: string): ApiError =>
  badMember(path, `at most ${bodyLimits.text} characters are allowed.`);

export const tooManyEntities = (): ApiError =>
  badRequest(
    `The body has more than ${bodyLimits.entities} entities, items of collections included. Send them in several requests.`,
    'TooMuch',
  );

export const tooManyTags = (): ApiError =>
  badRequest(
    `The body has more than ${bodyLimits.tags} tags, those of all entities counted. Send them in several requests.`,
    'TooMuch',
  );
