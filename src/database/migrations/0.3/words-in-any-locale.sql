-- What a word is does not depend on the locale of the database, nor on what its parser takes for a number.

-- A "collate" within "search_lower" does not come out of it: without one here, a query and values of custom fields are
-- cut by the locale of the database. The parser takes 3e8 of 3e8a1f2 for a number unless a letter follows the "e": it is
-- one of full width, which "search_compose" leaves in no text.
create or replace function search_clean(input text) returns text language sql immutable parallel safe as $$
  select regexp_replace(
    regexp_replace(search_lower(input) collate "und-x-icu", '[^[:alnum:] ' || search_marks() || ']+', ' ', 'g'),
    '(^| )([0-9]+e)(?=[0-9])', '\1\2ｅ', 'g')
$$;

-- As in 0.3/searched-words.sql, but for the collation.
create or replace function search_texts(custom_values jsonb) returns text language sql immutable parallel safe as $$
  select left(string_agg(value #>> '{}', ' . '), 20000) collate "und-x-icu" from jsonb_each(custom_values)
  where jsonb_typeof(value) = 'string' and (value #>> '{}') collate "und-x-icu" !~* search_pointers()
$$;

-- As in 0.3/words.sql, but for the zero of Han numerals, which counts as a sign: it becomes the letter for zero.
create or replace function search_compose(input text) returns text language plpgsql immutable parallel safe as $$
  begin
    if input ~ ('[' || search_unseen() || ']') then
      input := regexp_replace(input, '[' || search_unseen() || ']+', '', 'g');
    end if;
    if input is not nfc normalized then
      input := normalize(regexp_replace(input collate "und-x-icu", '[^[:alnum:] ]{31,}', ' ', 'g'), nfc);
    end if;
    if input ~ '[０-９Ａ-Ｚａ-ｚİ〇]' then
      input := translate(input, '０１２３４５６７８９ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚİ〇',
        '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzI零');
    end if;
    return replace(input, U&'i\0307', 'i');
  end $$;

-- What is shown of HTML, as far as its words go: no scripts, styles and comments, and no marks. One pattern for scripts,
-- styles and comments would take a time that grows with the square of the text where many begin and none ends.
create function search_shown(html text) returns text language plpgsql immutable parallel safe as $$
  declare
    attributes text := '(?:=\s*"[^"]*"|=\s*''[^'']*''|[^>])*';
  begin
    html := left(html, 100000);
    if html ~* '<(?:!--|script|style)' then
      html := regexp_replace(html, '<script[\s/>].*?</script\s*>', ' ', 'gi');
      html := regexp_replace(html, '<style[\s/>].*?</style\s*>', ' ', 'gi');
      html := regexp_replace(html, '<!--.*?-->', ' ', 'g');
    end if;
    -- A mark that holds what ends one in the value of an attribute. "search_plain" reads all others.
    html := regexp_replace(html, '<[a-zA-Z/!?]' || attributes
      || '=\s*(?:"[^">]*>[^"]*"|''[^''>]*>[^'']*'')' || attributes || '>', ' ', 'g');
    return search_plain(html);
  end $$;
