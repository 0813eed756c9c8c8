/**
 * Finds the entities whose words are looked for: the newest ones that exist for the actor, up to a number, best first.
 * Blocks of ids are searched from the newest on, by the index, until there are enough; so a word that is everywhere
 * costs no more than a rare one, and what the actor may not see changes nothing but the time.
 */
import {
  all,
  late,
  list,
  literal,
  name,
  raw,
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

export interface SearchTerm {
  text: string;
  isPrefix: boolean;
  isExcluded: boolean;
  id?: number;
}

/** Texts that are ranked. */
export const candidates = 500;

/**
 * Whether words stand beside each other is not in the index: so many texts that have all of them are read for it, the
 * newest first, and so many bytes of words as they are stored.
 */
export const readForPhrases = { texts: 3000, bytes: 16 * 2 ** 20 };

/** So many texts of a block are looked at one by one, whoever may see them. */
const fewTexts = 1000;

/** The same where many texts are read for a phrase. */
const fewForPhrases = 4000;

/** Characters of all texts of a page that pieces are taken from, and of each at most: tags and words take long. */
const pieceCharacters = { page: 500_000, text: 20_000 };

const lookedThrough = (take: number): number => Math.min(pieceCharacters.text, Math.floor(pieceCharacters.page / take));

/**
 * Rows of id, rank, the comment that was found (or 0), name, and the piece of the text around the first word: `pattern`
 * finds that.
 */
export function compileSearch(plan: Plan, terms: readonly SearchTerm[], pattern: string): Statement {
  const { take, skip } = plan.page;
  const ids = terms.flatMap(({ id }) => id ?? []);
  const named = value(ids, 'bigint[]');
  return affordable(
    statement(sql`with wanted as materialized (${wantedSql(terms)}), hit as materialized (${hasPhrases(terms) ? phraseHitsSql(plan) : hitsSql(plan)}), page as (
      select general_id, max(rank) as rank, (array_agg(comment_id order by rank desc, comment_id))[1] as comment_id
      from hit group by general_id order by general_id = any(${named}) desc, rank desc, general_id desc
      limit ${literal(take + 1)} offset ${value(skip, 'bigint')})
    select p.general_id, p.rank, p.comment_id, g.name, search_piece(left(case when p.comment_id = 0 then g.description else c.description end, ${literal(lookedThrough(take))}),
      ${value(pattern, 'text')}) from page p join general g on g.id = p.general_id left join comment c on c.id = p.comment_id
    order by p.general_id = any(${named}) desc, p.rank desc, p.general_id desc`),
  );
}

/**
 * Of names and tags alone: it compares each place of a word with each of another, and texts have thousands. What has
 * the words elsewhere comes behind, newest first.
 */
const rank = sql`ts_rank(ts_filter(s.words, '{a,b}'), wanted.ranked, 1)`;

/** Block by block from the newest on, until there are enough. */
const hitsSql = (plan: Plan): Sql =>
  sql`select * from (${textsSql(plan, rank, candidates, fewTexts)}) hit limit ${literal(candidates)}`;

/** Of the newest texts that have all words, those in which they stand as they are wanted. */
function phraseHitsSql(plan: Plan): Sql {
  const { texts, bytes } = readForPhrases;
  const words = sql`s.words`;
  return sql`select s.general_id, s.comment_id, ${rank} as rank from wanted, (
      select c.*, sum(pg_column_size(c.words)) over (rows unbounded preceding) as bytes
      from (${textsSql(plan, words, texts, fewForPhrases)}) c limit ${literal(texts)}) s
    where s.bytes <= ${literal(bytes)} and s.words @@ wanted.words limit ${literal(candidates)}`;
}

/** The texts that have the words, the newest first: so many of each block. */
function textsSql(plan: Plan, what: Sql, most: number, few: number): Sql {
  const row = rootRow(plan, compiling());
  const exists = all(rowConditions(plan.resource, plan.where, row));
  const { probe, words } = inBlock(plan, few);
  // The sum keeps the database from walking along the ids, where a rare word would be far away.
  const shown = what === rank ? sql`${rank} as rank` : what;
  return sql`select texts.* from wanted, search_blocks() block${probe}, lateral (
    select s.general_id, s.comment_id, ${shown}
    from search_text s join ${name(plan.resource.table)} ${row.alias} on ${row.alias}.id = s.general_id
    where s.words @@ ${words} and ${exists}
    order by s.general_id + 0 desc, s.comment_id desc limit ${literal(most)}) texts`;
}

/**
 * What the index is asked of a block. Where many texts fit, it finds those that members of the caller's projects and
 * teams may see, and hardly more: it reads the lists of these for that, which takes longer than to look at a few.
 */
function inBlock({ privacy }: Plan, most: number): { probe: Sql; words: Sql } {
  const words = sql`(wanted.loose && block)`;
  if (privacy === 'everyone') return { probe: raw(''), words };
  const probe = sql`, lateral (select count(*) < ${literal(most)} as few from (
    select 1 from search_text where words @@ ${words} limit ${literal(most)}) fit) probe`;
  const seen = sql`search_access_of(${late('actor.projects')}, ${late('actor.teams')})`;
  return { probe, words: sql`(case when probe.few then ${words} else coalesce(${words} && ${seen}, ${words}) end)` };
}

/** What is no single word to the database may become several. */
const isPhrase = ({ text }: SearchTerm): boolean => !/^[\p{L}\p{Nd}]+\**$/u.test(text);

const hasPhrases = (terms: readonly SearchTerm[]): boolean => terms.some(isPhrase);

/**
 * What is wanted; what the index is asked: the same, but that words of phrases may stand anywhere; and what ranks:
 * words that are left out stand in no text that is found, and would make every rank 0.
 */
function wantedSql(terms: readonly SearchTerm[]): Sql {
  const words = querySql(terms);
  const looked = terms.filter(({ isExcluded }) => !isExcluded);
  const ranked = looked.length === terms.length ? sql`words` : querySql(looked);
  return sql`select words, ${looseSql(terms)} as loose, ${ranked} as ranked from (select ${words} as words) q`;
}

function looseSql(terms: readonly SearchTerm[]): Sql {
  if (!hasPhrases(terms)) return sql`words`;
  const certain = querySql(terms.filter((term) => !(term.isExcluded && isPhrase(term))));
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
