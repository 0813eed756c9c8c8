/**
 * Finds the entities whose words are looked for: the newest ones that exist for the actor, up to a number, best first.
 * So a word that is everywhere costs little more than a rare one, and what the actor may not see changes nothing but
 * the time.
 */
import {
  all,
  late,
  list,
  literal,
  name,
  type Sql,
  type SqlType,
  type Statement,
  sql,
  statement,
  value,
} from '../../sql.js';
import { affordable } from '../limits.js';
import type { Plan } from '../meaning.js';
import { rootRow, rowConditions } from './compiling.js';
import { compiling } from './page.js';
import { type Search, searchBlocks } from './search-blocks.js';

export interface SearchTerm {
  text: string;
  isPrefix: boolean;
  isExcluded: boolean;
  /** What is no single word to the database may become several. */
  isPhrase: boolean;
  id?: number;
}

/** What may be found. */
export interface SearchPlan extends Plan {
  /** Nothing of other projects passes its condition, where these are given. */
  readonly projects?: readonly number[];
  /** It has types or a filter. */
  readonly isFiltered: boolean;
}

/** Texts that are ranked. */
export const candidates = 500;

/**
 * Whether words stand beside each other is not in the index: so many texts that have all of them are read for it, the
 * newest first, and so many bytes of words as they are stored.
 */
export const readForPhrases = { texts: 3000, bytes: 16 * 2 ** 20 };

/** Characters of all texts of a page that pieces are taken from, and of each at most: tags and words take long. */
const pieceCharacters = { page: 500_000, text: 20_000 };

const lookedThrough = (take: number): number => Math.min(pieceCharacters.text, Math.floor(pieceCharacters.page / take));

/** Characters of the names of tags that are shown. */
const tagCharacters = 1200;

/** What has no rank was found neither in its name nor in its tags. */
const tagsSql = sql`case when p.exact > 0 then (
    select left(string_agg(t.name, ', ' order by lower(t.name)), ${literal(tagCharacters)})
    from general_tag l join tag t on t.id = l.tag_id where l.general_id = p.general_id) end`;

/**
 * Rows of id, rank in as many places as are shown, the comment that was found (or 0), name, the piece of the text
 * around the first word, which `pattern` finds, tags, whether there may be more texts than those that are ranked, and
 * more than those that were read for phrases. One without an id, where nothing was found, tells the same.
 */
export function compileSearch(plan: SearchPlan, terms: readonly SearchTerm[], pattern: string): Statement {
  const { take, skip } = plan.page;
  const ids = idsOf(terms.filter(({ isExcluded }) => !isExcluded));
  const named = value(ids, 'bigint[]');
  const isRead = hasPhrases(terms);
  const hits = isRead ? phraseHitsSql : hitsSql(plan, terms);
  const reading = isRead ? sql`looked as materialized (${lookedSql(plan, terms)}), ` : sql``;
  // What is named by its Id is found however many newer texts have the number.
  const byId = ids.length > 0 ? sql` union all (${namedSql(plan, terms, named)})` : sql``;
  return affordable(
    statement(sql`with wanted as materialized (${wantedSql(terms, plan)}), ${reading}hit as materialized ((${hits})${byId}), page as (
      select general_id, max(rank) as exact, round(max(rank)::numeric, 4)::float8 as rank,
        (array_agg(comment_id order by hit.rank desc, comment_id))[1] as comment_id
      from hit group by general_id order by general_id = any(${named}) desc, rank desc, general_id desc
      limit ${literal(take + 1)} offset ${value(skip, 'bigint')})
    select p.general_id, p.rank, p.comment_id, g.name, search_piece(left(case when p.comment_id = 0 then g.description else c.description end, ${literal(lookedThrough(take))}),
      ${value(pattern, 'text')}), ${tagsSql},
      (select count(*) from hit) >= ${literal(candidates)}, ${isRead ? isReadInPart() : sql`false`}
    from (values (1)) one left join page p on true left join general g on g.id = p.general_id left join comment c on c.id = p.comment_id
    order by p.general_id = any(${named}) desc, p.rank desc, p.general_id desc`),
  );
}

/** A row with the first of these letters that is none to the database, whose Unicode may be older; null: all are. */
export const compileUnknownLetter = (letters: string): Statement =>
  statement(
    sql`select substring(${value(letters, 'text')} collate "und-x-icu" from '[^[:alnum:]' || search_marks() || ']')`,
  );

/**
 * Of names and tags alone: it compares each place of a word with each of another, and texts have thousands. What has
 * the words elsewhere comes behind, newest first.
 */
const rank = sql`ts_rank(ts_filter(s.words, '{a,b}'), wanted.ranked, 1)`;

const hitsSql = (plan: SearchPlan, terms: readonly SearchTerm[]): Sql =>
  sql`select * from (${textsSql(plan, terms, sql`${rank} as rank`, candidates)}) hit limit ${literal(candidates)}`;

/** The newest texts that have all words, and whether these stand in them as they are wanted. */
function lookedSql(plan: SearchPlan, terms: readonly SearchTerm[]): Sql {
  const { texts, bytes } = readForPhrases;
  return sql`select s.general_id, s.comment_id, s.is_read, s.fits, case when s.fits then ${rank} end as rank from wanted, lateral (
      select c.*, c.bytes <= ${literal(bytes)} as is_read, c.bytes <= ${literal(bytes)} and c.words @@ wanted.words as fits from (
        select c.*, sum(pg_column_size(c.words)) over (rows unbounded preceding) as bytes
        from (${textsSql(plan, terms, sql`s.words`, texts)}) c limit ${literal(texts)}) c) s`;
}

const phraseHitsSql = sql`select general_id, comment_id, rank from looked where fits limit ${literal(candidates)}`;

/** Where enough were found, the others are not looked at for this. */
const isReadInPart = (): Sql =>
  sql`(select count(*) from hit) < ${literal(candidates)} and (select count(*) >= ${literal(readForPhrases.texts)} or bool_or(not is_read) from looked)`;

/** Of the items that are named by their Ids, which are words of their own texts and of no comments. */
function namedSql(plan: SearchPlan, terms: readonly SearchTerm[], named: Sql): Sql {
  const { table, alias, exists } = searchedSql(plan, terms);
  return sql`select s.general_id, s.comment_id, ${rank} as rank from wanted, search_text s
    join ${name(table)} ${alias} on ${alias}.id = s.general_id
    where s.general_id = any(${named}) and s.comment_id = 0 and s.words @@ wanted.words and ${exists}`;
}

function textsSql(plan: SearchPlan, terms: readonly SearchTerm[], shown: Sql, most: number): Sql {
  const hasPrefix = terms.some(({ isPrefix }) => isPrefix);
  const { isFiltered } = plan;
  return searchBlocks({ ...searchedSql(plan, terms), isFiltered, hasPrefix, shown, most });
}

/** The items that may be found. */
function searchedSql(plan: SearchPlan, terms: readonly SearchTerm[]): Pick<Search, 'table' | 'alias' | 'exists'> {
  const row = rootRow(plan, compiling());
  const excluded = idsOf(terms.filter(({ isExcluded }) => isExcluded));
  // The Id of an item is no word of its comments.
  const others = excluded.length > 0 ? [sql`${row.alias}.id <> all(${value(excluded, 'bigint[]')})`] : [];
  const exists = all([...rowConditions(plan.resource, plan.where, row), ...others]);
  return { table: plan.resource.table, alias: row.alias, exists };
}

const idsOf = (terms: readonly SearchTerm[]): number[] => terms.flatMap(({ id }) => id ?? []);

const hasPhrases = (terms: readonly SearchTerm[]): boolean => terms.some(({ isPhrase }) => isPhrase);

/** The index reads a list for each project and team: of more than these, only for small blocks. */
const listsForLargeBlocks = 8;

/**
 * What is wanted; what the index is asked: the same, but that words of phrases may stand anywhere, and in whose
 * projects and teams; and what ranks: words that are left out stand in no text that is found, and would make every rank
 * 0.
 */
function wantedSql(terms: readonly SearchTerm[], { projects, privacy }: SearchPlan): Sql {
  const words = querySql(terms);
  const looked = terms.filter(({ isExcluded }) => !isExcluded);
  const ranked = looked.length === terms.length ? sql`words` : querySql(looked);
  const lists = [
    ...(projects ? [{ projects: value(projects, 'bigint[]'), teams: sql`'{}'::bigint[]` }] : []),
    ...(privacy === 'everyone' ? [] : [{ projects: late('actor.projects'), teams: late('actor.teams') }]),
  ];
  const access = lists.map((one) => sql`search_access_of(${one.projects}, ${one.teams})`);
  const short = lists.map(
    (
      one,
      at,
    ) => sql`case when cardinality(${one.projects}) + cardinality(${one.teams}) <= ${literal(listsForLargeBlocks)}
      then ${access[at]!} end`,
  );
  return sql`select words, ${narrowed(short)} as loose, ${narrowed(access)} as narrow, ranked from (
    select words, ${looseSql(terms)} as spread, ${ranked} as ranked from (select ${words} as words) q) q`;
}

/** What is null, as it is for more than a hundred, leaves out nothing. */
const narrowed = (access: readonly Sql[]): Sql =>
  access.reduce((words, one) => sql`coalesce(${words} && ${one}, ${words})`, sql`spread`);

function looseSql(terms: readonly SearchTerm[]): Sql {
  if (!hasPhrases(terms)) return sql`words`;
  const certain = querySql(terms.filter(({ isExcluded, isPhrase }) => !(isExcluded && isPhrase)));
  return sql`replace(${certain}::text, '<->', '&')::tsquery`;
}

function querySql(terms: readonly SearchTerm[]): Sql {
  const each = (partOf: (term: SearchTerm) => unknown, type: SqlType): Sql => value(terms.map(partOf), type);
  return sql`search_query(${list([
    each(({ text }) => text, 'text[]'),
    each(({ isPrefix }) => isPrefix, 'boolean[]'),
    each(({ id }) => id ?? null, 'bigint[]'),
    each(({ isExcluded }) => isExcluded, 'boolean[]'),
  ])})`;
}
