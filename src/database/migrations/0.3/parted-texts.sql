-- Each text of an item stands apart from the others: a phrase lies within one of them. RichText custom fields are read
-- as HTML, and of a link its label.

-- Texts with the separator of units (1F) between them as their words are taken from them, with a word of its own in
-- front of each. That word is a letter of full width, which "search_compose" leaves in no text.
create function search_parts(input text) returns text language plpgsql immutable parallel safe as $$
  begin
    if octet_length(input) = length(input) then return 'ｘ ' || replace(input, chr(31), ' ｘ '); end if;
    return (
      select string_agg('ｘ ' || search_spread(part), ' ' order by n)
      from string_to_table(input, chr(31)) with ordinality as p(part, n));
  end $$;

-- The places of the words between the texts are left empty.
create function search_words_of_parts(input text) returns tsvector language sql immutable parallel safe as $$
  select ts_delete(search_words(search_parts(input)), 'ｘ')
$$;

create or replace function search_tags(general bigint) returns text language sql stable parallel safe as $$
  select string_agg(t.name, chr(31) order by t.id)
  from general_tag l join tag t on t.id = l.tag_id where l.general_id = general
$$;

-- As in 0.3/words-in-any-locale.sql, but for labels and for what stands between the texts.
create or replace function search_texts(custom_values jsonb) returns text language sql immutable parallel safe as $$
  select left(string_agg(one, chr(31)), 20000) collate "und-x-icu"
  from (
    select case jsonb_typeof(value) when 'string' then value #>> '{}' when 'object' then value ->> 'Label' end as one
    from jsonb_each(custom_values)) texts
  where one collate "und-x-icu" !~* search_pointers()
$$;

-- Values of custom fields with the words of HTML in the place of HTML. They are defined for a kind in a process: a
-- project has one of its own.
create function search_values(custom_values jsonb, kind int, project bigint, process bigint) returns jsonb
  language plpgsql stable parallel safe as $$
  declare
    rich text[];
  begin
    if custom_values = '{}' then return custom_values; end if;
    rich := array(
      select f.name from custom_field f
      where f.field_type = 'RichText' and f.entity_type_id = kind and (f.process_id is null
        or f.process_id = case when kind = 1 then process
          else (select p.process_id from general p where p.id = project) end));
    if not custom_values ?| rich then return custom_values; end if;
    return (
      select jsonb_object_agg(key, case when key = any(rich) then to_jsonb(search_shown(value #>> '{}')) else value end)
      from jsonb_each(custom_values));
  end $$;

-- The word of the Id keeps the description apart from what is in front of it.
create or replace function search_of_general(
  id bigint, name text, tags text, custom_values jsonb, description text, long_words tsvector
) returns tsvector language sql immutable parallel safe as $$
  select setweight(search_words(search_letters(name)), 'A')
    || case when tags is null then '' else setweight(search_words_of_parts(left(tags, 10000)), 'B') end
    || case when custom_values <> '{}'
      then setweight(coalesce(search_words_of_parts(search_texts(custom_values)), ''), 'C') else '' end
    || ('#i'::text || id::text || ':1A'::text)::tsvector
    || coalesce(long_words, search_words(search_letters(search_shown(description))), '') || search_places(id)
$$;

create or replace function search_renew(ids bigint[], are_described boolean) returns void language sql as $$
  select from search_text where general_id = any(ids) and comment_id = 0 order by general_id for update;
  update search_text s
  set long_words = case when are_described then n.long_words else s.long_words end,
    words = search_of_general(n.id, n.name, n.tags, n.custom_values, n.description,
        case when are_described then n.long_words else s.long_words end)
      || search_project(n.entity_type_id, n.project_id) || n.teams
  from (
    select g.id, g.name, g.description, g.entity_type_id, g.project_id,
      search_values(g.custom_values, g.entity_type_id, g.project_id, g.process_id) as custom_values,
      case when are_described then search_long(g.description) end as long_words,
      (select string_agg(t.name, chr(31) order by t.id)
        from general_tag l join tag t on t.id = l.tag_id where l.general_id = g.id) as tags,
      coalesce((select string_agg('#t' || a.team_id, ' ') from team_assignment a where a.assignable_id = g.id), '')
        ::tsvector as teams
    from general g where g.id = any(ids) offset 0) n
  where s.general_id = n.id and s.comment_id = 0
$$;

create or replace function search_new_general() returns trigger language plpgsql as $$
  begin
    insert into search_text (general_id, comment_id, words, long_words)
      select id, 0, search_of_general(id, name, null, custom_values, description, long_words)
        || search_project(entity_type_id, project_id), long_words
      from (
        select id, name, description, entity_type_id, project_id,
          search_values(custom_values, entity_type_id, project_id, process_id) as custom_values,
          search_long(description) as long_words
        from rows offset 0) r;
    return null;
  end $$;
