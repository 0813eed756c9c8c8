-- What a word is, where a letter is made small by what stands around it, and where a query has more than words.

-- A sigma at the end of a word is like any other: where a word ends is not known before the text is cut into words, and
-- what begins a word may end in one.
create function search_lower(input text) returns text language sql immutable parallel safe as $$
  select replace(lower(input collate "und-x-icu"), 'ς', 'σ')
$$;

create or replace function search_clean(input text) returns text language sql immutable parallel safe as $$
  select regexp_replace(search_lower(input), '[^[:alnum:] ' || search_marks() || ']+', ' ', 'g')
$$;

-- One after another; null where there is no word. The last one may only begin so, unless it is too long to be one.
create or replace function search_phrase(input text, is_prefix boolean) returns tsquery
  language sql immutable parallel safe as $$
  select case
    when clean !~ '[^ ]' then ''
    when is_prefix and phraseto_tsquery('pg_catalog.simple', clean)::text <> ''
      then (phraseto_tsquery('pg_catalog.simple', clean)::text || ':*')::tsquery
    else phraseto_tsquery('pg_catalog.simple', clean) end
  from (select search_clean(input) as clean) c
$$;

-- Pointers to entities as they are stored, such as "6387 userstory,3527 bug": an id and the name of a kind each.
create function search_pointers() returns text language sql immutable parallel safe as $$
  select replace('^<one>(,<one>)*$', '<one>', '[0-9]+ (?:assignable|bug|build|epic|feature|general|generaluser|impediment|'
    'iteration|milestone|portfolioepic|program|project|release|request|requester|task|team|teamiteration|testcase|'
    'testplan|testplanrun|user|userstory)')
$$;

-- Pointers would tell of what the reader may not see. As in 0.3/settled-words.sql, but for what pointers are.
create or replace function search_texts(custom_values jsonb) returns text language sql immutable parallel safe as $$
  select left(string_agg(value #>> '{}', ' . '), 20000) from jsonb_each(custom_values)
  where jsonb_typeof(value) = 'string' and value #>> '{}' !~* search_pointers()
$$;

-- As in 0.3/words.sql, but for the small letters.
create or replace function search_piece(html text, pattern text)
  returns text language plpgsql immutable parallel safe as $$
  declare
    plain text;
    composed text;
    hit text[];
    place int;
    first int;
    shown int;
    -- The place in the text as it is: between these two of a block that so many composed characters come before.
    least_place int := 0;
    greatest_place int;
    block int := 0;
    before int := 0;
    more int;
    read text;
    -- The scripts of letters that are words by themselves.
    apart text := '\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u31ff\u3400-\u9fff\ua9e0-\ua9ff\uaa60-\uaa7f'
      '\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff';
  begin
    plain := regexp_replace(search_plain(left(html, 20000)), '\s+', ' ', 'g') collate "und-x-icu";
    composed := search_composed(plain);
    -- In small letters: to disregard case, each character of a range is looked at.
    read := search_lower(composed);
    pattern := search_lower(pattern);
    if octet_length(read) <> length(read) and read ~ ('[' || search_marks() || search_apart() || ']') then
      read := regexp_replace(read collate "und-x-icu", '[^[:alnum:]' || search_marks() || ']', ' ', 'g');
      pattern := replace(replace(replace(replace(replace(pattern,
        '<before>', '(?:^|[ ' || apart || '])[^[:alnum:] ]*'), '<behind>', '(?:[ ' || apart || ']|$)'),
        '<between>', ' [^[:alnum:]]*'), '<beside>', '[^[:alnum:]]*'), '<unmarked>', '(?![^[:alnum:] ])');
    else
      pattern := replace(replace(replace(replace(replace(pattern,
        '<before>', '(?:^|[^[:alnum:]])'), '<behind>', '(?:[^[:alnum:]]|$)'),
        '<between>', '[^[:alnum:]]+'), '<beside>', '[^[:alnum:]]*'), '<unmarked>', '');
    end if;
    hit := regexp_match(read collate "und-x-icu", '^(.*?)(' || pattern || ')');
    if hit is null then return null; end if;
    place := length(hit[1]) + 1;
    shown := least(greatest(2 * length(hit[2]) + 120, 240), 1200);
    if composed <> plain then
      loop
        more := length(search_composed(substr(plain, block + 1, 1000)));
        exit when before + more >= place or block + 1000 >= length(plain);
        before := before + more;
        block := block + 1000;
      end loop;
      greatest_place := 1000;
      while greatest_place - least_place > 16 loop
        first := (least_place + greatest_place) / 2;
        if before + length(search_composed(substr(plain, block + 1, first))) < place then least_place := first;
        else greatest_place := first; end if;
      end loop;
      place := block + least_place + 1;
    end if;
    first := greatest(place - 60, 1);
    return case when first > 1 then '…' else '' end || btrim(substr(plain, first, shown))
      || case when length(plain) >= first + shown then '…' else '' end;
  end $$;
