/**
 * How long the text of an item may become, computed from what is asked for. An item is one value in the database, which
 * holds it several times over while it is put together: what may be long comes in pieces of few items, and collections
 * in it are measured while they are read.
 */
import type { ScalarField } from '../../model/model.js';
import { literal, raw, type Sql, sql } from '../../sql.js';
import { limits } from '../limits.js';
import type { Chain, Operand, Page, Plan, Value } from '../meaning.js';
import { charactersOfCall, itemOf, ofSorts } from '../values.js';

const isPlain = ofSorts('single', 'test', 'entity');
const isNoText = ofSorts('test', 'entity', 'shape');

export interface Size {
  /** At most, once spelled. Of a part that is measured while it is read, what it is allowed. */
  readonly bytes: number;
  /** How many of its parts may be long. */
  readonly long: number;
  /** How many of these are texts, of up to 6 MiB each once they are spelled. */
  readonly texts: number;
  readonly collections: number;
  /** How many further collections are not short. */
  readonly lists: number;
}

/** Of an item in an answer: the database takes up to 16 times as much while it puts it together. */
export const itemBytes = 8 * 2 ** 20;

/** So many texts of an item may be as long as they like; where it may have more, they are measured. */
const mostUnmeasured = 2;

/** What each part of an item may take that may be long. */
export interface Share {
  readonly bytes: number;
  /** Texts are measured, too, not only collections. */
  readonly isTight: boolean;
}

const shortBytes = 64 * 1024;

/** What a text of so many characters takes at most, escapes included, leaving those aside that hardly occur. */
function textSize(length: number): Size {
  const { bytes, long } = partSize(2 * length);
  return { bytes, long, texts: long, collections: 0, lists: 0 };
}

/** Characters of a text without a limit of its own. */
const longestText = 2 ** 20;

const partSize = (bytes: number): Size => ({ ...noSize, bytes, long: bytes > shortBytes ? 1 : 0 });

export const noSize: Size = { bytes: 0, long: 0, texts: 0, collections: 0, lists: 0 };

const combined = (one: Size, other: Size, by: (one: number, other: number) => number): Size => ({
  bytes: by(one.bytes, other.bytes),
  long: by(one.long, other.long),
  texts: by(one.texts, other.texts),
  collections: by(one.collections, other.collections),
  lists: by(one.lists, other.lists),
});

const sizeOfAll = (sizes: readonly Size[]): Size =>
  sizes.reduce((all, size) => combined(all, size, (one, other) => one + other), noSize);

export const customFieldsSize = textSize(longestText);

export function sizeOf(plan: Plan): Size {
  return sizeOfAll([
    partSize(100 * (1 + plan.aggregates.length)),
    ...plan.members.map(memberSize),
    ...(plan.customFields?.some(({ fields }) => fields.length > 0) ? [customFieldsSize] : []),
    ...plan.collections.map((member) => collectionSize(member.plan.page, sizeOf(member.plan))),
  ]);
}

const memberSize = (member: Plan['members'][number]): Size =>
  member.kind === 'reference' ? sizeOf(member.plan) : scalarSize(member.field);

export function scalarSize({ scalar, maxLength }: ScalarField): Size {
  if (scalar !== 'text' && scalar !== 'richText') return partSize(100);
  // What is derived is made of the names of a user or of tags.
  return maxLength === undefined ? { ...textSize(longestText), texts: 0 } : textSize(maxLength);
}

/** What a collection takes, of whose items each takes so much. */
const collectionSize = ({ take }: Pick<Page, 'take'>, { bytes }: Size): Size =>
  isMeasured(take, bytes)
    ? { ...noSize, bytes: itemBytes, long: 1, collections: 1 }
    : { ...noSize, bytes: take * bytes, lists: take * bytes > shortBytes ? 1 : 0 };

const isMeasured = (take: number, bytes: number): boolean => take * bytes > 2 ** 20;

/**
 * What each part of an item may take: twice an even share, since seldom all are long, and the whole is measured. Inside
 * of another item none is larger than the part which that has.
 */
export const shareOf = (size: Size, { bytes }: Pick<Share, 'bytes'> = whole): Share => ({
  bytes: Math.min(bytes, Math.floor((2 * itemBytes) / Math.max(2, longParts(size)))),
  isTight: size.texts > mostUnmeasured,
});

/** Lists are such parts where all together may be longer than an item may be. */
const addedLists = ({ bytes, lists }: Size): number => (bytes > itemBytes ? lists : 0);

const longParts = (size: Size): number => size.long + addedLists(size);

const whole = { bytes: itemBytes };

/**
 * The texts of a collection, which end the statement once they take more than their share. `texts` selects one column,
 * `item`. Where one more than are shown only tells that there is one (`hasOneMore`), that is empty.
 */
export function measured(
  texts: Sql,
  { take, hasOneMore }: Pick<Page, 'take'> & { hasOneMore?: boolean },
  { bytes }: Size,
  allowed: Share,
  { aliases }: { aliases: { next(): Sql } },
): Sql {
  if (!isMeasured(take, bytes) && take * bytes <= allowed.bytes) return texts;
  const alias = aliases.next();
  const item = sql`${alias}.item`;
  const isMore = hasOneMore
    ? sql`when row_number() over (rows unbounded preceding) > ${literal(take)} then '' `
    : raw('');
  const sum = sql`sum(octet_length(${item})) over (rows unbounded preceding)`;
  return sql`select case ${isMore}when ${sum} <= ${literal(allowed.bytes)} then ${item} else answer_too_long() end from (${texts}) ${alias}`;
}

/** An item as it is spelled, measured where its parts together may be longer than it may be. */
export const measuredItem = (spelled: Sql, size: Size): Sql =>
  size.texts > mostUnmeasured || (size.collections + addedLists(size) > 0 && longParts(size) > 1)
    ? sql`measured_text(${spelled}, ${literal(itemBytes)})`
    : spelled;

/** A text as it is spelled, measured where it may be long and more than a few are. */
export const measuredText = (spelled: Sql, { long }: Size, { bytes, isTight }: Share): Sql =>
  isTight && long > 0 ? sql`measured_text(${spelled}, ${literal(bytes)})` : spelled;

// --- of what expressions show ----------------------------------------------------------------------------------------

export function expressionSize(node: Value): Size {
  if (isPlain(node)) return singleSize(node);
  switch (node.kind) {
    case 'object':
      return sizeOfAll(node.members.map((member) => expressionSize(member.value)));
    case 'item':
      return sizeOf(node.shown ?? node.plan);
    case 'customFields':
      return customFieldsSize;
    case 'mapped':
      return expressionSize(node.body);
    case 'first':
      return node.of.projection ? expressionSize(node.of.projection) : noSize;
    case 'chain':
      return collectionSize(pageOf(node), expressionSize(node.projection!));
    case 'conditional':
      return combined(expressionSize(node.yes), expressionSize(node.no), Math.max);
    case 'key':
      return node.type.kind === 'object' ? textSize(longestText) : singleSize(node);
  }
}

export const pageOf = ({ take = limits.take }: Chain) => ({ take });

const singleSize = (node: Value): Size => (node.type.kind === 'text' ? textSize(charactersOf(node)) : partSize(100));

/** Of a text at most. */
function charactersOf(node: Value): number {
  if (node.type.kind !== 'text' || isNoText(node)) return 50;
  switch (node.kind) {
    case 'literal':
      return String(node.value ?? '').length;
    case 'field':
      return charactersOfField(node.operand);
    case 'call':
      return Math.min(longestText, charactersOfCall(node) ?? sumOf(node.args));
    case 'conditional':
      return Math.max(charactersOf(node.yes), charactersOf(node.no));
    case 'aggregate':
      return node.value ? charactersOf(node.value) : longestText;
    case 'first':
      return charactersOf(itemOf(node.of));
    case 'late':
    case 'element':
    case 'key':
      return longestText;
  }
}

const sumOf = (nodes: readonly Value[]): number => nodes.reduce((sum, node) => sum + charactersOf(node), 0);

const charactersOfField = (operand: Operand): number =>
  operand.kind === 'field'
    ? (operand.field.maxLength ?? (operand.field.scalar === 'choice' ? 100 : longestText))
    : longestText;
