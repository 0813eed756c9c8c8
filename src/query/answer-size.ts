/**
 * How long the text of an item may become, told from what is asked for. An item is one value in the database, which holds it several
 * times over while it is put together: what may be long comes an item a row, and collections in it are measured while they are read.
 */
import { type ApiError, badRequest } from '../errors.js';
import { literal, type Sql, sql } from '../sql.js';
import type { Row } from './compile-operand.js';
import type { Plan } from './plan.js';
import type { Page } from './query.js';

export interface Size {
  /** At most, once spelled. Of a part that is measured while it is read, what it is allowed. */
  readonly bytes: number;
  /** How many of its parts may be long. */
  readonly long: number;
}

/** Of an item in an answer. */
const itemBytes = 16 * 2 ** 20;

/** Parts that may be long, in an item. */
const mostLong = 8;

/** What a part may take in any item. */
export const leastShare = itemBytes / mostLong;

/** A part up to this is short. */
const shortBytes = 64 * 1024;

/** Items up to this, all together, come glued to one text. */
const gluedBytes = 4 * 2 ** 20;

/** What a text of so many characters takes at most, escapes included, leaving those aside that hardly occur. */
export const textSize = (length: number): Size => partSize(2 * length);

/** Characters of a text without a limit of its own. */
export const longestText = 2 ** 20;

export const partSize = (bytes: number): Size => ({ bytes, long: bytes > shortBytes ? 1 : 0 });

export const noSize: Size = { bytes: 0, long: 0 };

export const sizeOfAll = (sizes: readonly Size[]): Size =>
  sizes.reduce((one, other) => ({ bytes: one.bytes + other.bytes, long: one.long + other.long }), noSize);

/** What an item of the plan takes. */
export function sizeOf(plan: Plan): Size {
  return sizeOfAll([
    partSize(100 * (1 + plan.aggregates.length)),
    ...plan.members.map(memberSize),
    ...(plan.customFields?.some(({ fields }) => fields.length > 0) ? [textSize(longestText)] : []),
    ...plan.collections.map((member) => collectionSize(member.plan.page, sizeOf(member.plan))),
  ]);
}

function memberSize(member: Plan['members'][number]): Size {
  if (member.kind === 'reference') return sizeOf(member.plan);
  const { scalar, maxLength = longestText } = member.field;
  return scalar === 'text' || scalar === 'richText' ? textSize(maxLength) : partSize(100);
}

/** What a collection takes, of whose items each takes so much. */
export const collectionSize = ({ take }: Pick<Page, 'take'>, { bytes }: Size): Size =>
  isMeasured(take, bytes) ? { bytes: itemBytes, long: 1 } : { bytes: take * bytes, long: 0 };

const isMeasured = (take: number, bytes: number): boolean => take * bytes > 2 ** 20;

/** Bytes that each part of an item may take that is measured. Errors: 400 where too many of its parts may be long. */
export function share({ long }: Size): number {
  if (long > mostLong) throw tooManyLong(long);
  return Math.floor(itemBytes / Math.max(1, long));
}

/** Whether a page of such items comes glued to one text, or an item a row. */
export const isGlued = ({ take }: Pick<Page, 'take'>, { bytes }: Size): boolean => take * bytes <= gluedBytes;

/** The texts of a collection, refused once they take more than is allowed. `texts` selects one column, `item`. */
export function measured(
  texts: Sql,
  { take }: Pick<Page, 'take'>,
  { bytes }: Size,
  allowed: number,
  { aliases }: Pick<Row, 'aliases'>,
): Sql {
  if (!isMeasured(take, bytes)) return texts;
  const alias = aliases.next();
  const item = sql`${alias}.item`;
  const sum = sql`sum(octet_length(${item})) over (rows unbounded preceding)`;
  return sql`select case when ${sum} <= ${literal(allowed)} then ${item} else answer_too_long() end from (${texts}) ${alias}`;
}

const tooManyLong = (long: number): ApiError =>
  badRequest(
    `The request asks for ${long} long texts or collections of an item at once, and at most ${mostLong} are allowed. Include fewer of them, or fewer items of collections by innerTake, or ask for them in several requests.`,
  );
