/**
 * The words of a long text are kept, so that another name, a tag, a team or a project costs no second look for them: of a description of
 * 1 MiB that took some 30 ms each time. Those of texts that are there already are kept once they change. Functions that nothing calls any
 * more stay: whoever writes while this runs may be about to call them.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LongTexts1700000000033 implements MigrationInterface {
  name = 'LongTexts1700000000033';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...columns, ...functions, ...triggers]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

/** Bytes, with marks and uncompressed; fewer are read anew. */
const longBytes = 1000;

const columns = ['alter table search_text add column long_words tsvector'];

const functions = [
  // Null for a short text.
  `create function search_long(input text) returns tsvector language sql immutable parallel safe as $$
     select case when octet_length(input) > ${longBytes} then search_words(search_plain(input)) end $$`,
  // Without long_words the text is short.
  `create function search_of_general(id bigint, name text, tags text, custom_values jsonb, description text, long_words tsvector)
     returns tsvector language sql immutable parallel safe as $$
     select setweight(search_words(name) || ('#i' || id || ':1')::tsvector, 'A')
       || setweight(coalesce(search_words(tags), ''), 'B')
       || setweight(case when custom_values <> '{}' then coalesce(search_words(search_texts(custom_values)), '') else '' end, 'C')
       || coalesce(long_words, search_words(search_plain(description)), '') || search_places(id) $$`,
  `create function search_of_comment(general_id bigint, description text, long_words tsvector) returns tsvector
     language sql immutable parallel safe as $$
     select coalesce(long_words, search_words(search_plain(description)), '') || search_places(general_id) $$`,
  `create or replace function search_renew(ids bigint[]) returns void language sql as $$
     update search_text s
     set words = search_of_general(g.id, g.name, search_tags(g.id), g.custom_values, g.description, s.long_words)
       || search_access(g.id, g.entity_type_id, g.project_id)
     from general g where g.id = any(ids) and s.general_id = g.id and s.comment_id = 0 $$`,
  `create function search_renew_description(general bigint, new_description text) returns void language sql as $$
     update search_text s
     set long_words = kept.words,
       words = search_of_general(g.id, g.name, search_tags(g.id), g.custom_values, new_description, kept.words)
         || search_access(g.id, g.entity_type_id, g.project_id)
     from general g, (select search_long(new_description) as words offset 0) kept
     where g.id = general and s.general_id = general and s.comment_id = 0 $$`,
  `create or replace function search_renew_all(ids bigint[]) returns void language sql as $$
     select search_renew(ids);
     update search_text s set words = search_of_comment(c.general_id, c.description, s.long_words) || search_access(c.general_id)
     from comment c where c.general_id = any(ids) and s.general_id = c.general_id and s.comment_id = c.id $$`,
];

const replaced = (name: string, body: string): string =>
  `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${body}; return null; end $$`;

const triggers = [
  replaced(
    'search_new_general',
    `insert into search_text (general_id, comment_id, words, long_words)
       select id, 0, search_of_general(id, name, null, custom_values, description, long_words)
         || search_project(entity_type_id, project_id), long_words
       from (select *, search_long(description) as long_words from rows offset 0) r`,
  ),
  replaced(
    'search_changed_general',
    `if new.description is distinct from old.description then perform search_renew_description(new.id, new.description);
     else perform search_renew(array[new.id]); end if`,
  ),
  replaced(
    'search_new_comment',
    `insert into search_text (general_id, comment_id, words, long_words)
       select general_id, id, search_of_comment(general_id, description, long_words) || search_access(general_id), long_words
       from (select *, search_long(description) as long_words from rows offset 0) r`,
  ),
  replaced(
    'search_changed_comment',
    `update search_text s set general_id = new.general_id, long_words = r.long_words,
       words = search_of_comment(new.general_id, new.description, r.long_words) || search_access(new.general_id)
     from (select search_long(new.description) as long_words offset 0) r
     where s.general_id = old.general_id and s.comment_id = new.id`,
  ),
];
