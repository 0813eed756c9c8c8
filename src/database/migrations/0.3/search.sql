-- Words to search by at less cost. They are the same words as those of 0.2/search.sql, whose names this file shares.
--
-- What a statement changes is taken apart at once, not row by row. Expressions are such that PostgreSQL puts them into
-- a statement instead of calling a function for each row: of a function that has a query of its own, or that joins a
-- text and a number by "||", it cannot.

-- Blanks are left as they are, many or one: each place that is replaced costs as much as a word to take apart.
create or replace function search_clean(input text) returns text language sql immutable parallel safe as $$
  select regexp_replace(lower(left(input, 100000) collate "und-x-icu"), '[^[:alnum:] ]+', ' ', 'g')
$$;

create or replace function search_places(id bigint) returns tsvector language sql immutable parallel safe as $$
  select ('#a'::text || (id >> 12)::text || ' #b'::text || (id >> 16)::text || ' #c'::text || (id >> 20)::text
    || ' #d'::text || (id >> 24)::text)::tsvector
$$;

create or replace function search_project(kind int, project bigint) returns tsvector
  language sql immutable parallel safe as $$
  select ('#p'::text || case when kind in (2, 32) then '0' else coalesce(project::text, '0') end)::tsvector
$$;

create or replace function search_of_general(
  id bigint, name text, tags text, custom_values jsonb, description text, long_words tsvector
) returns tsvector language sql immutable parallel safe as $$
  select setweight(search_words(name), 'A') || ('#i'::text || id::text || ':1A'::text)::tsvector
    || case when tags is null then '' else setweight(search_words(tags), 'B') end
    || case when custom_values <> '{}'
      then setweight(coalesce(search_words(search_texts(custom_values)), ''), 'C') else '' end
    || coalesce(long_words, search_words(search_plain(description)), '') || search_places(id)
$$;

-- The words of these Generals anew, of their descriptions only where these have changed; and with those of comments.
-- Nothing calls search_renew_description any more.

create function search_renew(ids bigint[], are_described boolean) returns void language sql as $$
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

create or replace function search_renew(ids bigint[]) returns void language sql as $$
  select search_renew(ids, false)
$$;

-- Generals. A full join is one by hashes even where a session made its plan for a single row.

create or replace function search_new_general() returns trigger language plpgsql as $$
  begin
    insert into search_text (general_id, comment_id, words, long_words)
      select id, 0, search_of_general(id, name, null, custom_values, description, long_words)
        || search_project(entity_type_id, project_id), long_words
      from (
        select id, name, custom_values, description, entity_type_id, project_id,
          search_long(description) as long_words
        from rows offset 0) r;
    return null;
  end $$;

-- The trigger of each row only tells that its statement has something to renew: most find nothing of that kind. A
-- statement within a trigger has a depth of its own.
create or replace function search_changed_general() returns trigger language plpgsql as $$
  declare
    setting text;
  begin
    setting := set_config('worktrack.words', pg_trigger_depth()::text, true);
    return null;
  end $$;

create function search_renew_general() returns trigger language plpgsql as $$
  declare
    changed bigint[];
    described bigint[];
    setting text;
  begin
    if current_setting('worktrack.words', true) is distinct from pg_trigger_depth()::text then return null; end if;
    setting := set_config('worktrack.words', '', true);
    select
      array_agg(n.id) filter (where o.description is not distinct from n.description
        and (o.name is distinct from n.name or o.custom_values is distinct from n.custom_values
          and search_texts(o.custom_values) is distinct from search_texts(n.custom_values))),
      array_agg(n.id) filter (where o.description is distinct from n.description)
      into changed, described
      from stale o full join fresh n on n.id = o.id;
    if changed is not null then perform search_renew(changed, false); end if;
    if described is not null then perform search_renew(described, true); end if;
    return null;
  end $$;

-- Where an item goes to another project, "search_moved_general" renews its comments, too.
create trigger search_renew_general after update on general referencing old table as stale new table as fresh
  for each statement execute function search_renew_general();

-- Another team is another word, wherever it is.

create or replace function search_new_team() returns trigger language plpgsql as $$
  begin
    update search_text s set words = s.words || r.teams
      from (
        select assignable_id, string_agg('#t' || team_id, ' ')::tsvector as teams
        from rows group by assignable_id offset 0) r
      where s.general_id = r.assignable_id;
    return null;
  end $$;

create or replace function search_gone_team() returns trigger language plpgsql as $$
  begin
    update search_text s set words = ts_delete(s.words, r.teams)
      from (
        select assignable_id, array_agg('#t' || team_id) as teams
        from rows group by assignable_id offset 0) r
      where s.general_id = r.assignable_id;
    return null;
  end $$;

-- Comments.

create or replace function search_new_comment() returns trigger language plpgsql as $$
  begin
    insert into search_text (general_id, comment_id, words, long_words)
      select r.general_id, r.id, search_of_comment(r.general_id, r.description, r.long_words)
          || search_project(g.entity_type_id, g.project_id)
          || coalesce((select string_agg('#t' || a.team_id, ' ') from team_assignment a
            where a.assignable_id = r.general_id), '')::tsvector,
        r.long_words
      from (
        select id, general_id, description, search_long(description) as long_words
        from rows offset 0) r
      join general g on g.id = r.general_id;
    return null;
  end $$;
