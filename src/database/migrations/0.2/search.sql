-- What is searched: the words of each General and of each comment, kept beside them and right at the end of every
-- statement, whoever writes. Words are runs of letters and digits in lower case, of any language; none is reduced to
-- its stem.

-- The entity's own words, as comment 0, and those of each comment on it. Those of a long text are kept besides, so
-- that another name, a tag, a team or a project costs no second look for them.
create table search_text (
  general_id bigint not null,
  comment_id bigint not null,
  words tsvector not null,
  long_words tsvector,
  constraint pk_search_text primary key (general_id, comment_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- Each search reads the pending list of the index as a whole, so the list is kept short.
create index ix_search_text_words on search_text using gin (words) with (gin_pending_list_limit = 256);

-- Only words and blanks are left, so that all locales split the text alike. Of a text its first characters are
-- searched: the words of any 100,000 fit a tsvector, which may have 1 MiB.
create function search_clean(input text) returns text language sql immutable parallel safe as $$
  select regexp_replace(lower(left(input, 100000) collate "und-x-icu"), '[^[:alnum:]]+', ' ', 'g')
$$;

create function search_words(input text) returns tsvector language sql immutable parallel safe as $$
  select to_tsvector('pg_catalog.simple', search_clean(input))
$$;

-- The texts of an answer in HTML, without its marks.
create function search_plain(input text) returns text language sql immutable parallel safe as $$
  select regexp_replace(left(input, 100000), '<[^>]*>|&#?[a-zA-Z0-9]+;', ' ', 'g')
$$;

-- Null for a short text, whose words are read anew. In bytes, with marks and uncompressed.
create function search_long(input text) returns tsvector language sql immutable parallel safe as $$
  select case when octet_length(input) > 1000 then search_words(search_plain(input)) end
$$;

-- The entity itself, and the blocks of ids that it lies in: of each 4,096, 65,536, 1,048,576 and 16,777,216 ids.
create function search_places(id bigint) returns tsvector language sql immutable parallel safe as $$
  select format('#a%s #b%s #c%s #d%s', id >> 12, id >> 16, id >> 20, id >> 24)::tsvector
$$;

-- Pointers to other entities, such as "6387 userstory,3527 bug", would tell of what the reader may not see.
create function search_texts(custom_values jsonb) returns text language sql immutable parallel safe as $$
  select string_agg(value #>> '{}', ' . ') from jsonb_each(custom_values)
  where jsonb_typeof(value) = 'string' and value #>> '{}' !~ '^\d+ \w+(,\d+ \w+)*$'
$$;

create function search_tags(general bigint) returns text language sql stable parallel safe as $$
  select string_agg(t.name, ' . ') from general_tag l join tag t on t.id = l.tag_id where l.general_id = general
$$;

-- Whose members may see it: of its project and of the teams it is assigned to. What others may see, too, is open (0):
-- releases and milestones, which have several projects, and what has none.
create function search_project(kind int, project bigint) returns tsvector language sql immutable parallel safe as $$
  select ('#p' || case when kind in (2, 32) then 0 else coalesce(project, 0) end)::tsvector
$$;

create function search_access(general bigint, kind int, project bigint) returns tsvector
  language sql stable parallel safe as $$
  select search_project(kind, project)
    || coalesce(
      (select string_agg('#t' || team_id, ' ') from team_assignment where assignable_id = general), '')::tsvector
$$;

create function search_access(general bigint) returns tsvector language sql stable parallel safe as $$
  select search_access(g.id, g.entity_type_id, g.project_id) from general g where g.id = general
$$;

-- What members of these may see, and more; null for so many that the condition would take longer than it saves.
create function search_access_of(projects bigint[], teams bigint[]) returns tsquery
  language sql immutable parallel safe as $$
  select case when cardinality(projects) + cardinality(teams) <= 100 then
    concat_ws('|', '#p0',
      nullif('#p' || array_to_string(projects, '|#p'), '#p'),
      nullif('#t' || array_to_string(teams, '|#t'), '#t'))::tsquery end
$$;

-- Without long_words the text is short.
create function search_of_general(
  id bigint, name text, tags text, custom_values jsonb, description text, long_words tsvector
) returns tsvector language sql immutable parallel safe as $$
  select setweight(search_words(name) || ('#i' || id || ':1')::tsvector, 'A')
    || setweight(coalesce(search_words(tags), ''), 'B')
    || setweight(
      case when custom_values <> '{}' then coalesce(search_words(search_texts(custom_values)), '') else '' end, 'C')
    || coalesce(long_words, search_words(search_plain(description)), '') || search_places(id)
$$;

create function search_of_comment(general_id bigint, description text, long_words tsvector) returns tsvector
  language sql immutable parallel safe as $$
  select coalesce(long_words, search_words(search_plain(description)), '') || search_places(general_id)
$$;

-- One after another; null where there is no letter and no digit.
create function search_phrase(input text, is_prefix boolean) returns tsquery language sql immutable parallel safe as $$
  select case
    when search_clean(input) !~ '[^ ]' then ''
    when is_prefix then (phraseto_tsquery('pg_catalog.simple', search_clean(input))::text || ':*')::tsquery
    else phraseto_tsquery('pg_catalog.simple', search_clean(input)) end
$$;

-- All of these, a number also as the id of an entity, and none of those that are excluded; null where nothing is
-- looked for.
create function search_query(phrases text[], prefixes boolean[], ids bigint[], excluded boolean[]) returns tsquery
  language plpgsql immutable parallel safe as $$
  declare
    result tsquery;
    one tsquery;
    is_wanted boolean := false;
  begin
    for i in 1 .. cardinality(phrases) loop
      one := nullif(search_phrase(phrases[i], prefixes[i]), '');
      if ids[i] is not null then one := coalesce(one || ('#i' || ids[i])::tsquery, ('#i' || ids[i])::tsquery); end if;
      if excluded[i] then one := !! one; else is_wanted := is_wanted or one is not null; end if;
      result := case when result is null then one when one is null then result else result && one end;
    end loop;
    return case when is_wanted then result end;
  end $$;

-- From the newest ids to the eldest: some small blocks, then larger ones.
create function search_blocks() returns setof tsquery language plpgsql stable as $$
  declare
    level int;
    n bigint;
    least_n bigint;
  begin
    n := (select max(general_id) from search_text) >> 12;
    for level in 0 .. 3 loop
      least_n := case when level = 3 then 0 else greatest(((n - 3) >> 4) << 4, 0) end;
      while n >= least_n loop
        return next ((array['#a', '#b', '#c', '#d'])[level + 1] || n)::tsquery;
        n := n - 1;
      end loop;
      n := (least_n >> 4) - 1;
    end loop;
  end $$;

-- Of a text in HTML the piece around the first place that the pattern finds, as plain text; null where it finds none.
create function search_piece(html text, pattern text) returns text language plpgsql immutable parallel safe as $$
  declare
    plain text;
    place int;
    first int;
  begin
    plain := regexp_replace(search_plain(left(html, 20000)), '\s+', ' ', 'g') collate "und-x-icu";
    place := length((regexp_match(plain, '^(.*?)(?:' || pattern || ')', 'i'))[1]) + 1;
    if place is null then return null; end if;
    first := greatest(place - 60, 1);
    return case when first > 1 then '…' else '' end || btrim(substr(plain, first, 240))
      || case when length(plain) >= first + 240 then '…' else '' end;
  end $$;

-- The words of these Generals anew, but for their descriptions; with those of their comments; and for a new
-- description.

create function search_renew(ids bigint[]) returns void language sql as $$
  update search_text s
  set words = search_of_general(g.id, g.name, search_tags(g.id), g.custom_values, g.description, s.long_words)
    || search_access(g.id, g.entity_type_id, g.project_id)
  from general g
  where g.id = any(ids) and s.general_id = g.id and s.comment_id = 0
$$;

create function search_renew_all(ids bigint[]) returns void language sql as $$
  select search_renew(ids);
  update search_text s
  set words = search_of_comment(c.general_id, c.description, s.long_words) || search_access(c.general_id)
  from comment c
  where c.general_id = any(ids) and s.general_id = c.general_id and s.comment_id = c.id
$$;

create function search_renew_description(general bigint, new_description text) returns void language sql as $$
  update search_text s
  set long_words = kept.words,
    words = search_of_general(g.id, g.name, search_tags(g.id), g.custom_values, new_description, kept.words)
      || search_access(g.id, g.entity_type_id, g.project_id)
  from general g, (select search_long(new_description) as words offset 0) kept
  where g.id = general and s.general_id = general and s.comment_id = 0
$$;

-- Generals. A new one has no tags and no teams yet.

create function search_new_general() returns trigger language plpgsql as $$
  begin
    insert into search_text (general_id, comment_id, words, long_words)
      select id, 0, search_of_general(id, name, null, custom_values, description, long_words)
        || search_project(entity_type_id, project_id), long_words
      from (select *, search_long(description) as long_words from rows offset 0) r;
    return null;
  end $$;

create function search_changed_general() returns trigger language plpgsql as $$
  begin
    if new.description is distinct from old.description then
      perform search_renew_description(new.id, new.description);
    else
      perform search_renew(array[new.id]);
    end if;
    return null;
  end $$;

create function search_moved_general() returns trigger language plpgsql as $$
  begin
    perform search_renew_all(array[new.id]);
    return null;
  end $$;

create function search_gone_general() returns trigger language plpgsql as $$
  begin
    delete from search_text s using rows where s.general_id = rows.id;
    return null;
  end $$;

create trigger search_new_general after insert on general referencing new table as rows
  for each statement execute function search_new_general();

create trigger search_changed_general after update of name, description, custom_values on general
  for each row when (old.name is distinct from new.name or old.description is distinct from new.description
    or old.custom_values is distinct from new.custom_values)
  execute function search_changed_general();

create trigger search_moved_general after update of project_id on general
  for each row when (old.project_id is distinct from new.project_id) execute function search_moved_general();

create trigger search_gone_general after delete on general referencing old table as rows
  for each statement execute function search_gone_general();

-- Their teams.

create function search_new_team() returns trigger language plpgsql as $$
  begin
    perform search_renew_all(array(select distinct assignable_id from rows));
    return null;
  end $$;

create function search_other_team() returns trigger language plpgsql as $$
  begin
    perform search_renew_all(array[old.assignable_id, new.assignable_id]);
    return null;
  end $$;

create function search_gone_team() returns trigger language plpgsql as $$
  begin
    perform search_renew_all(array(select distinct assignable_id from rows));
    return null;
  end $$;

create trigger search_new_team after insert on team_assignment referencing new table as rows
  for each statement execute function search_new_team();

create trigger search_other_team after update of team_id, assignable_id on team_assignment
  for each row when (old.team_id is distinct from new.team_id or old.assignable_id is distinct from new.assignable_id)
  execute function search_other_team();

create trigger search_gone_team after delete on team_assignment referencing old table as rows
  for each statement execute function search_gone_team();

-- Their tags.

create function search_new_tag() returns trigger language plpgsql as $$
  begin
    perform search_renew(array(select distinct general_id from rows));
    return null;
  end $$;

create function search_gone_tag() returns trigger language plpgsql as $$
  begin
    perform search_renew(array(select distinct general_id from rows));
    return null;
  end $$;

create function search_renamed_tag() returns trigger language plpgsql as $$
  begin
    perform search_renew(array(select general_id from general_tag where tag_id = new.id));
    return null;
  end $$;

create trigger search_new_tag after insert on general_tag referencing new table as rows
  for each statement execute function search_new_tag();

create trigger search_gone_tag after delete on general_tag referencing old table as rows
  for each statement execute function search_gone_tag();

create trigger search_renamed_tag after update of name on tag
  for each row when (old.name is distinct from new.name) execute function search_renamed_tag();

-- Comments.

create function search_new_comment() returns trigger language plpgsql as $$
  begin
    insert into search_text (general_id, comment_id, words, long_words)
      select general_id, id, search_of_comment(general_id, description, long_words) || search_access(general_id),
        long_words
      from (select *, search_long(description) as long_words from rows offset 0) r;
    return null;
  end $$;

create function search_changed_comment() returns trigger language plpgsql as $$
  begin
    update search_text s
    set general_id = new.general_id,
      long_words = r.long_words,
      words = search_of_comment(new.general_id, new.description, r.long_words) || search_access(new.general_id)
    from (select search_long(new.description) as long_words offset 0) r
    where s.general_id = old.general_id and s.comment_id = new.id;
    return null;
  end $$;

create function search_gone_comment() returns trigger language plpgsql as $$
  begin
    delete from search_text s using rows where s.general_id = rows.general_id and s.comment_id = rows.id;
    return null;
  end $$;

create trigger search_new_comment after insert on comment referencing new table as rows
  for each statement execute function search_new_comment();

create trigger search_changed_comment after update of description, general_id on comment
  for each row when (old.description is distinct from new.description or old.general_id is distinct from new.general_id)
  execute function search_changed_comment();

create trigger search_gone_comment after delete on comment referencing old table as rows
  for each statement execute function search_gone_comment();
