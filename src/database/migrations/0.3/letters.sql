-- A letter is the same whether it is stored as one character or as a base and its marks; so is one of full width.
-- Only services of older versions, which may run beside this one, still call "search_blocks".

-- Of a letter 30 marks count: more are put in their order in a time that grows with their square, which nothing ends.
-- They are no letters to "search_clean" either, so that nothing else is lost.
create function search_compose(input text) returns text language plpgsql immutable parallel safe as $$
  begin
    if input is not nfc normalized then
      input := normalize(regexp_replace(input collate "und-x-icu", '[^[:alnum:] ]{31,}', ' ', 'g'), nfc);
    end if;
    if input ~ '[０-９Ａ-Ｚａ-ｚ]' then
      input := translate(input, '０１２３４５６７８９ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ',
        '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
    end if;
    return input;
  end $$;

-- Nearly all texts are ASCII, which costs them next to nothing. PostgreSQL puts it into a statement only where the
-- argument is a column or a parameter.
create function search_composed(input text) returns text language sql immutable parallel safe as $$
  select case when octet_length(input) = length(input) then left(input, 100000)
    else search_compose(left(input, 100000)) end
$$;

create or replace function search_long(input text) returns tsvector language sql immutable parallel safe as $$
  select case when octet_length(input) > 1000 then search_words(search_plain(search_composed(input))) end
$$;

-- Composed letters are shorter, so words that were too long to be stored may be words from now on: those of all texts of
-- an item have to fit the 1 MiB of a tsvector.
create or replace function search_texts(custom_values jsonb) returns text language sql immutable parallel safe as $$
  select left(string_agg(search_composed(value #>> '{}'), ' . '), 20000) from jsonb_each(custom_values)
  where jsonb_typeof(value) = 'string' and value #>> '{}' !~ '^\d+ \w+(,\d+ \w+)*$'
$$;

create or replace function search_of_general(
  id bigint, name text, tags text, custom_values jsonb, description text, long_words tsvector
) returns tsvector language sql immutable parallel safe as $$
  select setweight(search_words(search_composed(name)), 'A') || ('#i'::text || id::text || ':1A'::text)::tsvector
    || case when tags is null then '' else setweight(search_words(search_composed(left(tags, 10000))), 'B') end
    || case when custom_values <> '{}'
      then setweight(coalesce(search_words(search_texts(custom_values)), ''), 'C') else '' end
    || coalesce(long_words, search_words(search_plain(search_composed(description))), '') || search_places(id)
$$;

create or replace function search_of_comment(general_id bigint, description text, long_words tsvector)
  returns tsvector language sql immutable parallel safe as $$
  select coalesce(long_words, search_words(search_plain(search_composed(description))), '')
    || search_places(general_id)
$$;

create or replace function search_query(phrases text[], prefixes boolean[], ids bigint[], excluded boolean[])
  returns tsquery language plpgsql immutable parallel safe as $$
  declare
    result tsquery;
    one tsquery;
    is_wanted boolean := false;
  begin
    for i in 1 .. cardinality(phrases) loop
      one := nullif(search_phrase(search_composed(phrases[i]), prefixes[i]), '');
      if ids[i] is not null then one := coalesce(one || ('#i' || ids[i])::tsquery, ('#i' || ids[i])::tsquery); end if;
      if excluded[i] then one := !! one; else is_wanted := is_wanted or one is not null; end if;
      result := case when result is null then one when one is null then result else result && one end;
    end loop;
    return case when is_wanted then result end;
  end $$;

-- The pattern finds its place in the composed text; the piece is shown as the text has it, longer than others where
-- what was found is longer.
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
  begin
    plain := regexp_replace(search_plain(left(html, 20000)), '\s+', ' ', 'g') collate "und-x-icu";
    composed := search_composed(plain);
    hit := regexp_match(composed, '^(.*?)(' || pattern || ')', 'i');
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
