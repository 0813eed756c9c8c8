/**
 * Compares the stored words to search by with those that the texts have now. Of a large database that is a part of the
 * items, others each time, so that the look takes seconds; the mending takes up all. Nobody is kept waiting by the
 * look: words are written in the transaction of their text, and each page is seen at one moment.
 */
import { randomInt } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { DatabaseClient } from '../database/client.js';
import { type Ask, bytesOfTexts } from '../database/few-bytes.js';
import { patience } from '../database/migrate.js';
import type { Finding } from './finding.js';
import { askOf, lockRows, mendRows } from './mend-rows.js';

/** Texts of items and comments that are looked at, about: some 200 µs each, more where they are long. */
const most = 50_000;
const atOnce = 500;

/** The rows of the Generals in `$1` as they should be. */
const expected = `
  select r.id as general_id, 0::bigint as comment_id, r.long_words,
    search_of_general(r.id, r.name, r.tags, r.custom_values, r.description, r.long_words)
      || search_access(r.id, r.entity_type_id, r.project_id) as words
  from (
    select g.id, g.name, g.description, g.entity_type_id, g.project_id,
      search_values(g.custom_values, g.entity_type_id, g.project_id, g.process_id) as custom_values,
      search_long(g.description) as long_words, search_tags(g.id) as tags
    from general g where g.id = any($1::bigint[]) offset 0) r
  union all
  select c.general_id, c.id, c.long_words,
    search_of_comment(c.general_id, c.description, c.long_words) || search_access(c.general_id)
  from (
    select id, general_id, description, search_long(description) as long_words
    from comment where general_id = any($1::bigint[]) offset 0) c`;

/** Rows that are missing, that belong to nothing, or that have other words. Tags (b) have no order. */
const differing = `select coalesce(e.general_id, s.general_id) as general_id, coalesce(e.comment_id, s.comment_id) as comment_id,
    e.words, e.long_words
  from (${expected} offset 0) e
    full join (select * from search_text where general_id = any($1::bigint[])) s
      on s.general_id = e.general_id and s.comment_id = e.comment_id
  where e.words is null or s.words is null or s.long_words is distinct from e.long_words
    or strip(s.words) <> strip(e.words) or ts_filter(s.words, '{a,c,d}') <> ts_filter(e.words, '{a,c,d}')`;

const differingItems = `select distinct general_id as id from (${differing}) d order by 1`;

// Who is writing one of these has its words written when he ends, and whoever comes later waits.
const locks = [
  lockRows('general'),
  'select from comment where general_id = any($1::bigint[]) order by id for no key update nowait',
  'select from search_text where general_id = any($1::bigint[]) order by general_id, comment_id for update nowait',
];

const renewal = `with d as materialized (${differing}),
    gone as (delete from search_text s using d
      where d.words is null and s.general_id = d.general_id and s.comment_id = d.comment_id)
  insert into search_text (general_id, comment_id, words, long_words)
    select general_id, comment_id, words, long_words from d where words is not null
  on conflict (general_id, comment_id) do update set words = excluded.words, long_words = excluded.long_words`;

/** One in `$2` of those after `$1`; which ones, `$3` says. */
const page = `select max(id)::text as last, array_agg(id) filter (where is_chosen) as ids
  from (
    select id, (row_number() over (order by id) + $3::int) % $2::int = 0 as is_chosen
    from (select id from general where id > $1::bigint order by id limit $2::int * ${atOnce}) g) n`;

export async function checkWords(dataSource: DataSource, limit = most): Promise<Finding[]> {
  const [{ count }] = await dataSource.query(
    'select greatest((select count(*) from general), (select count(*) from search_text))::int as count',
  );
  const step = Math.max(1, Math.ceil(count / limit));
  let looked = 0;
  let wrong = 0;
  for await (const ids of pages((text, values) => dataSource.query(text, values), step)) {
    looked += ids.length;
    wrong += (await dataSource.query(differingItems, [ids])).length;
  }
  if (wrong === 0) return [];
  const part = step === 1 ? '' : `, of ${looked} looked at, one in ${step}`;
  const problem = `The words to search by of ${wrong} items are not those of their texts${part}.`;
  return [{ check: 'words', problem, mends: [(client) => mendWords(client)] }];
}

export async function mendWords(client: Pick<DatabaseClient, 'query'>, limits = patience): Promise<void> {
  const ask = askOf(client);
  const statements = [...locks, renewal];
  for await (const all of pages(ask, 1)) {
    const ids = (await ask(differingItems, [all])).map(({ id }) => id);
    await mendRows(client, { what: 'words to search by', ids, statements, bytes: bytesOfTexts }, limits);
  }
}

async function* pages(ask: Ask, step: number): AsyncGenerator<string[]> {
  const offset = randomInt(step);
  for (let after = '0'; ; ) {
    const [{ last, ids }] = await ask(page, [after, step, offset]);
    if (last === null) return;
    if (ids) yield ids;
    after = last;
  }
}
