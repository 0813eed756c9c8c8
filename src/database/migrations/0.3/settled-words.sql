-- Words to search by are made of rows that others may be changing: their own row is locked before these are read, so
-- that whoever comes second reads what the first one has stored. As in search.sql otherwise.
create or replace function search_renew(ids bigint[], are_described boolean) returns void language sql as $$
  select from search_text where general_id = any(ids) and comment_id = 0 order by general_id for update;
  update search_text s
  set long_words = case when are_described then n.long_words else s.long_words end,
    words = search_of_general(n.id, n.name, n.tags, n.custom_values, n.description,
        case when are_described then n.long_words else s.long_words end)
      || search_project(n.entity_type_id, n.project_id) || n.teams
  from (
    select g.id, g.name, g.custom_values, g.description, g.entity_type_id, g.project_id,
      case when are_described then search_long(g.description) end as long_words,
      (select string_agg(t.name, ' . ') from general_tag l join tag t on t.id = l.tag_id where l.general_id = g.id)
        as tags,
      coalesce((select string_agg('#t' || a.team_id, ' ') from team_assignment a where a.assignable_id = g.id), '')
        ::tsvector as teams
    from general g where g.id = any(ids) offset 0) n
  where s.general_id = n.id and s.comment_id = 0
$$;

-- Whoever is adding the tag to an item refers to it: he ends first, or waits and reads the new name.
create or replace function search_renamed_tag() returns trigger language plpgsql as $$
  begin
    perform 1 from tag where id = new.id for update;
    perform search_renew(array(select general_id from general_tag where tag_id = new.id));
    return null;
  end $$;

-- As in words.sql, which has taken more characters of tags and custom fields at first.
create or replace function search_texts(custom_values jsonb) returns text language sql immutable parallel safe as $$
  select left(string_agg(value #>> '{}', ' . '), 20000) from jsonb_each(custom_values)
  where jsonb_typeof(value) = 'string' and value #>> '{}' !~ '^\d+ \w+(,\d+ \w+)*$'
$$;

create or replace function search_of_general(
  id bigint, name text, tags text, custom_values jsonb, description text, long_words tsvector
) returns tsvector language sql immutable parallel safe as $$
  select setweight(search_words(search_letters(name)), 'A') || ('#i'::text || id::text || ':1A'::text)::tsvector
    || case when tags is null then '' else setweight(search_words(search_letters(left(tags, 10000))), 'B') end
    || case when custom_values <> '{}'
      then setweight(coalesce(search_words(search_letters(search_texts(custom_values))), ''), 'C') else '' end
    || coalesce(long_words, search_words(search_letters(search_plain(description))), '') || search_places(id)
$$;
