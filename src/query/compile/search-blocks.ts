/**
 * The texts that have words, block by block from the newest on. A block is a range of ids, whose word stands in each of
 * its texts: so the index finds what a block has of the words.
 *
 * - The two newest small blocks come first: what is everywhere is found there.
 * - Of a larger block the index is asked up to a number. Fewer texts are read at once; of more, and where few Generals
 *   of the block pass the filter, these are read; or else the block is searched in its 16 parts.
 * - The index reads all that begins as a prefix for each look. So where there is one, small blocks are read without the
 *   index, and the largest ones are looked at before their parts.
 */
import { constant, literal, name, type Sql, sql } from '../../sql.js';

export interface Search {
  /** The table of what is found, and the alias of its rows. */
  readonly table: string;
  readonly alias: Sql;
  /** What may be found. */
  readonly exists: Sql;
  /** Whether that leaves out more than what the caller does not see. */
  readonly isFiltered: boolean;
  readonly hasPrefix: boolean;
  /** What is shown of a text `s`, and of how many of each block. */
  readonly shown: Sql;
  readonly most: number;
}

/** A block with fewer texts that have the words, or fewer Generals that pass the filter, is read at once. */
export const readAtOnce = { texts: 2000, generals: 1000 };

/** Blocks of 4,096, 65,536 and 1,048,576 ids. */
type Level = 0 | 1 | 2;

const bitsOf = (level: number): Sql => literal(12 + 4 * level);

const wordOf = (level: Level, n: Sql): Sql => sql`(${constant(['#a', '#b', '#c'][level]!)} || ${n})::tsquery`;

/** The level of blocks whose texts or Generals are listed. */
const listed = literal(3);

/** The newest small block, the id that the two newest begin with, and the blocks of the other levels before it. */
const newest = sql`select a, first, first - 1 >> ${bitsOf(1)} as b, first - 1 >> ${bitsOf(2)} as c
  from (select a, a - 1 << ${bitsOf(0)} as first
    from (select max(general_id) >> ${bitsOf(0)} as a from search_text) m) m`;

/**
 * Rows of general_id, comment_id and what is shown, the newest first. `wanted` is a table of one row: `loose` is what
 * the index is asked of large blocks, `narrow` of small ones; both find what `exists`, and more.
 */
export function searchBlocks(search: Search): Sql {
  const { table, alias, exists, shown, most } = search;
  const blocks = inParts(search, inParts(search, firstBlocks(search), 2), 1);
  // The sum keeps the database from walking along the ids, where a rare word would be far away.
  return sql`select texts.* from wanted, (${newest}) newest, lateral (${blocks}) block, lateral (
    select s.general_id, s.comment_id, ${shown} from (${textsSql(search)}) s
    join ${name(table)} ${alias} on ${alias}.id = s.general_id
    where ${exists} order by s.general_id + 0 desc, s.comment_id desc limit ${literal(most)}) texts`;
}

/** Rows of level, n, texts and generals. */
function firstBlocks({ hasPrefix }: Search): Sql {
  const large = sql`union all select 1, n from generate_series(newest.b, greatest(newest.c - 1, 0) << 4, -1) n`;
  return sql`select level, n, null::tid[] as texts, null::bigint[] as generals from (
    select 0 as level, n from generate_series(newest.a, greatest(newest.a - 1, 0), -1) n ${hasPrefix ? sql`` : large}
    union all select 2, n from generate_series(newest.c - ${literal(hasPrefix ? 0 : 2)}, 0, -1) n) b`;
}

/** The same blocks, but those of the level as what is read at once, or as their parts. "offset 0" computes once. */
function inParts(search: Search, blocks: Sql, level: 1 | 2): Sql {
  const texts = literal(readAtOnce.texts);
  const isOfLevel = sql`b.level = ${literal(level)}`;
  const isLarge = sql`${isOfLevel} and cardinality(b.texts) = ${texts}`;
  const { few, isFew, isMany } = search.isFiltered && level === 1 ? passing(search, isLarge) : unfiltered;
  return sql`select part.* from (${blocks}) a,
    lateral (select a.level, a.n, ${textsOf(level)} as texts, a.generals offset 0) b${few}, lateral (
      select b.* where not ${isOfLevel}
      union all select ${listed}, b.n, b.texts, null where ${isOfLevel} and cardinality(b.texts) < ${texts}${isFew}
      union all select ${literal(level - 1)}, n, null, null
        from generate_series(least(b.n * 16 + 15, newest.first - 1 >> ${bitsOf(level - 1)}), b.n * 16, -1) n
        where ${isLarge}${isMany}) part`;
}

const unfiltered = { few: sql``, isFew: sql``, isMany: sql`` };

/** The Generals of a large block that pass the filter, up to a number. */
function passing({ table, alias, exists }: Search, isLarge: Sql): typeof unfiltered {
  const most = literal(readAtOnce.generals);
  const id = sql`${alias}.id`;
  return {
    few: sql`, lateral (select case when ${isLarge} then (select coalesce(array_agg(id), '{}') from (
        select ${id} from ${name(table)} ${alias} where ${id} >= b.n << ${bitsOf(1)}
          and ${id} < least(b.n + 1 << ${bitsOf(1)}, newest.first) and ${exists} limit ${most}) g) end as ids offset 0) p`,
    isFew: sql`
      union all select ${listed}, b.n, null, p.ids where ${isLarge} and cardinality(p.ids) < ${most}`,
    isMany: sql` and cardinality(p.ids) = ${most}`,
  };
}

/** Where the texts of a block of the level stand that have the words, up to a number. */
function textsOf(level: 1 | 2): Sql {
  // The sum keeps the database from walking along the ids until there are enough.
  return sql`case when a.level = ${literal(level)} then (select array_agg(ctid) from (select ctid from search_text
    where words @@ (wanted.loose && ${wordOf(level, sql`a.n`)}) and general_id + 0 < newest.first
    limit ${literal(readAtOnce.texts)}) t) else a.texts end`;
}

/** The texts of a block that have the words. */
function textsSql({ isFiltered, hasPrefix }: Search): Sql {
  const texts = sql`select general_id, comment_id, words from search_text where`;
  const n = sql`block.n`;
  const inSmallBlock = hasPrefix
    ? sql`general_id >= ${n} << ${bitsOf(0)} and general_id < ${n} + 1 << ${bitsOf(0)} and (words @@ wanted.narrow) is true`
    : sql`words @@ (wanted.narrow && ${wordOf(0, n)})`;
  const ofGenerals = sql` union all ${texts} general_id = any(block.generals) and (words @@ wanted.narrow) is true`;
  return sql`${texts} block.level = 0 and ${inSmallBlock}
    union all ${texts} ctid = any(block.texts)${isFiltered ? ofGenerals : sql``}`;
}
