/**
 * What is searched: the words of each General and of each comment, kept beside them and right at the end of every statement, whoever writes.
 * Words are runs of letters and digits in lower case, of any language; none is reduced to its stem.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tidiedSoon } from './27-storage.js';

export class Search1700000000031 implements MigrationInterface {
  name = 'Search1700000000031';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...functions, ...table, ...triggers]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

/** Of a text its first characters are searched: the words of any that many fit a tsvector, which may have 1 MiB. */
const searchedCharacters = 100_000;

const functions = [
  // Nothing but words is left to cut, so that all locales cut alike.
  `create function search_clean(input text) returns text language sql immutable parallel safe as $$
     select regexp_replace(lower(left(input, ${searchedCharacters}) collate "und-x-icu"), '[^[:alnum:]]+', ' ', 'g') $$`,
  `create function search_words(input text) returns tsvector language sql immutable parallel safe as $$
     select to_tsvector('pg_catalog.simple', search_clean(input)) $$`,
  // The texts of an answer in HTML, without its marks.
  `create function search_plain(input text) returns text language sql immutable parallel safe as $$
     select regexp_replace(left(input, ${searchedCharacters}), '<[^>]*>|&#?[a-zA-Z0-9]+;', ' ', 'g') $$`,
  // The entity itself, and the blocks of ids that it lies in: of each 4,096, 65,536, 1,048,576 and 16,777,216 ids.
  `create function search_places(id bigint) returns tsvector language sql immutable parallel safe as $$
     select format('#a%s #b%s #c%s #d%s', id >> 12, id >> 16, id >> 20, id >> 24)::tsvector $$`,
  // Pointers to other entities, such as "6387 userstory,3527 bug", would tell of what the reader may not see.
  `create function search_texts(custom_values jsonb) returns text language sql immutable parallel safe as $$
     select string_agg(value #>> '{}', ' . ') from jsonb_each(custom_values) where jsonb_typeof(value) = 'string'
       and value #>> '{}' !~ '^\\d+ \\w+(,\\d+ \\w+)*$' $$`,
  `create function search_tags(general bigint) returns text language sql stable parallel safe as $$
     select string_agg(t.name, ' . ') from general_tag l join tag t on t.id = l.tag_id where l.general_id = general $$`,
  // Whose members may see it: of its project and of the teams it is assigned to. What others may see, too, is open (0): releases and
  // milestones, which have several projects, and what has none.
  `create function search_project(kind int, project bigint) returns tsvector language sql immutable parallel safe as $$
     select ('#p' || case when kind in (2, 32) then 0 else coalesce(project, 0) end)::tsvector $$`,
  `create function search_access(general bigint, kind int, project bigint) returns tsvector language sql stable parallel safe as $$
     select search_project(kind, project)
       || coalesce((select string_agg('#t' || team_id, ' ') from team_assignment where assignable_id = general), '')::tsvector $$`,
  `create function search_access(general bigint) returns tsvector language sql stable parallel safe as $$
     select search_access(g.id, g.entity_type_id, g.project_id) from general g where g.id = general $$`,
  // What members of these may see, and more; null where so many would take longer than they save.
  `create function search_access_of(projects bigint[], teams bigint[]) returns tsquery language sql immutable parallel safe as $$
     select case when cardinality(projects) + cardinality(teams) <= 100 then concat_ws('|', '#p0', nullif('#p' || array_to_string(projects, '|#p'), '#p'),
       nullif('#t' || array_to_string(teams, '|#t'), '#t'))::tsquery end $$`,
  `create function search_of_general(id bigint, name text, tags text, custom_values jsonb, description text) returns tsvector
     language sql immutable parallel safe as $$
     select setweight(search_words(name) || ('#i' || id || ':1')::tsvector, 'A')
       || setweight(coalesce(search_words(tags), ''), 'B')
       || setweight(case when custom_values <> '{}' then coalesce(search_words(search_texts(custom_values)), '') else '' end, 'C')
       || coalesce(search_words(search_plain(description)), '') || search_places(id) $$`,
  `create function search_of_comment(general_id bigint, description text) returns tsvector
     language sql immutable parallel safe as $$
     select coalesce(search_words(search_plain(description)), '') || search_places(general_id) $$`,
  // One after another; null where there is no letter and no digit.
  `create function search_phrase(input text, is_prefix boolean) returns tsquery language sql immutable parallel safe as $$
     select case when search_clean(input) !~ '[^ ]' then ''
       when is_prefix then (phraseto_tsquery('pg_catalog.simple', search_clean(input))::text || ':*')::tsquery
       else phraseto_tsquery('pg_catalog.simple', search_clean(input)) end $$`,
  // All of these, a number also as the id of an entity, and none of those that are excluded; null where nothing is looked for.
  `create function search_query(phrases text[], prefixes boolean[], ids bigint[], excluded boolean[]) returns tsquery
     language plpgsql immutable parallel safe as $$
     declare result tsquery; one tsquery; is_wanted boolean := false; begin
       for i in 1 .. cardinality(phrases) loop
         one := nullif(search_phrase(phrases[i], prefixes[i]), '');
         if ids[i] is not null then one := coalesce(one || ('#i' || ids[i])::tsquery, ('#i' || ids[i])::tsquery); end if;
         if excluded[i] then one := !! one; else is_wanted := is_wanted or one is not null; end if;
         result := case when result is null then one when one is null then result else result && one end;
       end loop;
       return case when is_wanted then result end;
     end $$`,
  // From the newest ids to the eldest: some small blocks, then larger ones.
  `create function search_blocks() returns setof tsquery language plpgsql stable as $$
     declare level int; n bigint; least_n bigint; begin
       n := (select max(general_id) from search_text) >> 12;
       for level in 0 .. 3 loop
         least_n := case when level = 3 then 0 else greatest(((n - 3) >> 4) << 4, 0) end;
         while n >= least_n loop
           return next ((array['#a', '#b', '#c', '#d'])[level + 1] || n)::tsquery;
           n := n - 1;
         end loop;
         n := (least_n >> 4) - 1;
       end loop;
     end $$`,
  // Of a text in HTML the piece around the first place that the pattern finds, as plain text; null where it finds none.
  `create function search_piece(html text, pattern text) returns text language plpgsql immutable parallel safe as $$
     declare plain text; place int; first int; begin
       plain := regexp_replace(search_plain(left(html, 20000)), '\\s+', ' ', 'g') collate "und-x-icu";
       place := length((regexp_match(plain, '^(.*?)(?:' || pattern || ')', 'i'))[1]) + 1;
       if place is null then return null; end if;
       first := greatest(place - 60, 1);
       return case when first > 1 then '…' else '' end || btrim(substr(plain, first, 240))
         || case when length(plain) >= first + 240 then '…' else '' end;
     end $$`,
];

/** The entity's own words, as comment 0, and those of each comment on it. */
const table = [
  `create table search_text (
     general_id bigint not null,
     comment_id bigint not null,
     words tsvector not null,
     constraint pk_search_text primary key (general_id, comment_id)
   ) with (${tidiedSoon})`,
  `create function search_renew(ids bigint[]) returns void language sql as $$
     update search_text s
     set words = search_of_general(g.id, g.name, search_tags(g.id), g.custom_values, g.description)
       || search_access(g.id, g.entity_type_id, g.project_id)
     from general g where g.id = any(ids) and s.general_id = g.id and s.comment_id = 0 $$`,
  `create function search_renew_all(ids bigint[]) returns void language sql as $$
     select search_renew(ids);
     update search_text s set words = search_of_comment(c.general_id, c.description) || search_access(c.general_id)
     from comment c where c.general_id = any(ids) and s.general_id = c.general_id and s.comment_id = c.id $$`,
  `insert into search_text select id, 0, search_of_general(id, name, search_tags(id), custom_values, description)
       || search_access(id, entity_type_id, project_id) from general`,
  `insert into search_text select general_id, id, search_of_comment(general_id, description) || search_access(general_id)
     from comment`,
  // What is not sorted in yet is read as a whole by each search, so that little of it is left.
  'create index ix_search_text_words on search_text using gin (words) with (gin_pending_list_limit = 256)',
];

const statement = (name: string, event: string, on: string, rows: string, body: string): string[] => [
  `create function ${name}() returns trigger language plpgsql as $$ begin ${body}; return null; end $$`,
  `create trigger ${name} after ${event} on ${on} referencing ${rows} for each statement execute function ${name}()`,
];

const changed = (columns: readonly string[]): string =>
  columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');

const row = (name: string, on: string, columns: readonly string[], body: string): string[] => [
  `create function ${name}() returns trigger language plpgsql as $$ begin ${body}; return null; end $$`,
  `create trigger ${name} after update of ${columns.join(', ')} on ${on} for each row when (${changed(columns)})
     execute function ${name}()`,
];

const renewTagged = 'perform search_renew(array(select distinct general_id from rows))';

const renewAssigned = 'perform search_renew_all(array(select distinct assignable_id from rows))';

const triggers = [
  ...statement(
    'search_new_general',
    'insert',
    'general',
    'new table as rows',
    `insert into search_text select id, 0, search_of_general(id, name, null, custom_values, description)
       || search_project(entity_type_id, project_id) from rows`,
  ),
  ...row(
    'search_changed_general',
    'general',
    ['name', 'description', 'custom_values'],
    'perform search_renew(array[new.id])',
  ),
  ...row('search_moved_general', 'general', ['project_id'], 'perform search_renew_all(array[new.id])'),
  ...statement('search_new_team', 'insert', 'team_assignment', 'new table as rows', renewAssigned),
  ...statement('search_gone_team', 'delete', 'team_assignment', 'old table as rows', renewAssigned),
  ...row(
    'search_other_team',
    'team_assignment',
    ['team_id', 'assignable_id'],
    'perform search_renew_all(array[old.assignable_id, new.assignable_id])',
  ),
  ...statement(
    'search_gone_general',
    'delete',
    'general',
    'old table as rows',
    'delete from search_text s using rows where s.general_id = rows.id',
  ),
  ...statement(
    'search_new_comment',
    'insert',
    'comment',
    'new table as rows',
    `insert into search_text
       select general_id, id, search_of_comment(general_id, description) || search_access(general_id) from rows`,
  ),
  ...row(
    'search_changed_comment',
    'comment',
    ['description', 'general_id'],
    `update search_text set general_id = new.general_id, words = search_of_comment(new.general_id, new.description) || search_access(new.general_id)
     where general_id = old.general_id and comment_id = new.id`,
  ),
  ...statement(
    'search_gone_comment',
    'delete',
    'comment',
    'old table as rows',
    'delete from search_text s using rows where s.general_id = rows.general_id and s.comment_id = rows.id',
  ),
  ...statement('search_new_tag', 'insert', 'general_tag', 'new table as rows', renewTagged),
  ...statement('search_gone_tag', 'delete', 'general_tag', 'old table as rows', renewTagged),
  ...row(
    'search_renamed_tag',
    'tag',
    ['name'],
    'perform search_renew(array(select general_id from general_tag where tag_id = new.id))',
  ),
];
