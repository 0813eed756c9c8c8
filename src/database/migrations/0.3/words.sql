-- What a word is: a letter or digit with all that follows of these and of their marks; and each letter of scripts that
-- put no blanks between words. What is not seen is no part of it.

-- Marks, as the members of a bracket expression; some letters between them are among these.
create function search_marks() returns text language sql immutable parallel safe as $$
  select
    '\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
    '\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711-\u07f3\u07fd\u0816-\u082d\u0859-\u085b\u0897-\u08e1\u08e3-\u0963'
    '\u0981-\u09e3\u09fe-\u0a75\u0a81-\u0ae3\u0afa-\u0b63\u0b82-\u0bd7\u0c00-\u0c63\u0c81-\u0c83\u0cbc-\u0d4d\u0d57'
    '\u0d62-\u0d63\u0d81-\u0df3\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ece\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f84'
    '\u0f86-\u0fbc\u0fc6\u102b-\u103e\u1056-\u109d\u135d-\u135f\u1712-\u1734\u1752-\u17d3\u17dd\u180b-\u180d'
    '\u180f-\u193b\u1a17-\u1a1b\u1a55-\u1a7f\u1ab0-\u1b44\u1b6b-\u1b73\u1b80-\u1bf3\u1c24-\u1c37\u1cd0-\u1cd2'
    '\u1cd4-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2d7f-\u2dff\u302a-\u302f\u3099-\u309a\ua66f-\ua672\ua674-\ua67d'
    '\ua69e-\ua69f\ua6f0-\ua6f1\ua802-\ua827\ua82c\ua880-\ua8c5\ua8e0-\ua8f1\ua8ff-\ua92d\ua947-\ua953\ua980-\ua9c0'
    '\ua9e5-\uaa4d\uaa7b-\uaac1\uaaeb-\uaaef\uaaf5-\uaaf6\uabe3-\uabea\uabec-\uabed\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f'
    '\U000101fd-\U000102e0\U00010376-\U0001037a\U00010a01-\U00010a3f\U00010ae5-\U00010ae6\U00010d24-\U00010d6d'
    '\U00010eab-\U00010eac\U00010efa-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011000-\U00011046'
    '\U00011070-\U000110ba\U000110c2\U00011100-\U00011134\U00011145-\U00011173\U00011180-\U000111c0'
    '\U000111c9-\U000111cc\U000111ce-\U000111cf\U0001122c-\U00011237\U0001123e-\U00011241\U000112df-\U000113d2'
    '\U000113e1-\U00011446\U0001145e-\U000114c3\U000115af-\U000115c0\U000115dc-\U00011640\U000116ab-\U000116b7'
    '\U0001171d-\U0001172b\U0001182c-\U0001183a\U00011930-\U00011943\U000119d1-\U000119e0\U000119e4-\U00011a3e'
    '\U00011a47-\U00011a99\U00011b60-\U00011b67\U00011c2f-\U00011c3f\U00011c92-\U00011ef6\U00011f00-\U00011f42'
    '\U00011f5a\U00013440-\U0001612f\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016f4f-\U00016f92'
    '\U00016fe4-\U00016ff1\U0001bc9d-\U0001bc9e\U0001cf00-\U0001cf46\U0001d165-\U0001d169\U0001d16d-\U0001d172'
    '\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001da00-\U0001da36'
    '\U0001da3b-\U0001da6c\U0001da75\U0001da84\U0001da9b-\U0001e136\U0001e2ae-\U0001e2ef\U0001e4ec-\U0001e5ef'
    '\U0001e6e3-\U0001e6f5\U0001e8d0-\U0001e94a\U000e0100-\U000e01ef'
$$;

-- Letters that are words by themselves: Thai, Lao, Burmese, Khmer, Kana, Bopomofo, Han.
create function search_apart() returns text language sql immutable parallel safe as $$
  select
    '\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd\u0ec0-\u0ec6\u0edc-\u0edf\u1000-\u102a'
    '\u103f\u1050-\u1055\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070\u1075-\u1081\u108e\u1780-\u17b3\u17d7\u17dc'
    '\u3005\u3006\u3031-\u3035\u303b\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f'
    '\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9e4\ua9e7-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a'
    '\uaa7e\uaa7f\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff'
$$;

-- What is not seen, such as soft hyphens and the marks that choose how a character looks; and what encloses a letter.
create function search_unseen() returns text language sql immutable parallel safe as $$
  select
    '\u00ad\u034f\u0488\u0489\u061c\u180b-\u180f\u1abe\u200d-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f'
    '\u20dd-\u20e0\u20e2-\u20e4\ua670-\ua672\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef'
$$;

-- As in 0.3/letters.sql, without what is not seen. The dot of an I, capital or small, is none to others.
create or replace function search_compose(input text) returns text language plpgsql immutable parallel safe as $$
  begin
    if input ~ ('[' || search_unseen() || ']') then
      input := regexp_replace(input, '[' || search_unseen() || ']+', '', 'g');
    end if;
    if input is not nfc normalized then
      input := normalize(regexp_replace(input collate "und-x-icu", '[^[:alnum:] ]{31,}', ' ', 'g'), nfc);
    end if;
    if input ~ '[０-９Ａ-Ｚａ-ｚİ]' then
      input := translate(input, '０１２３４５６７８９ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚİ',
        '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzI');
    end if;
    return replace(input, U&'i\0307', 'i');
  end $$;

-- Composed letters: without marks that follow none, and with blanks around those that are words by themselves.
create function search_spread(input text) returns text language plpgsql immutable parallel safe as $$
  begin
    input := search_compose(input);
    if input ~ ('[' || search_marks() || ']') then
      input := regexp_replace(input collate "und-x-icu", '(^|[^[:alnum:]' || search_marks() || '])[^[:alnum:] ]+',
        '\1', 'g');
    end if;
    if input ~ ('[' || search_apart() || ']') then
      input := regexp_replace(input collate "und-x-icu", '([' || search_apart() || '][^[:alnum:] ]*)', ' \1 ', 'g');
    end if;
    return input;
  end $$;

-- A text as its words are taken from it; its first characters are searched. Nearly all texts are ASCII, which costs
-- them next to nothing.
create function search_letters(input text) returns text language sql immutable parallel safe as $$
  select case when octet_length(input) = length(input) then left(input, 100000)
    else search_spread(left(input, 100000)) end
$$;

create or replace function search_clean(input text) returns text language sql immutable parallel safe as $$
  select regexp_replace(lower(input collate "und-x-icu"), '[^[:alnum:] ' || search_marks() || ']+', ' ', 'g')
$$;

-- What references of HTML stand for, where that is a letter or has a meaning to HTML; all others are blanks.
create function search_referred(reference text) returns text language plpgsql immutable parallel safe as $$
  declare
    code text := lower(substr(reference, 2));
    point int;
  begin
    if left(reference, 1) <> '#' then
      return coalesce('
      {"AElig":"Æ","Aacute":"Á","Acirc":"Â","Agrave":"À","Alpha":"Α","Aring":"Å","Atilde":"Ã","Auml":"Ä","Beta":"Β",
      "Ccedil":"Ç","Chi":"Χ","Delta":"Δ","ETH":"Ð","Eacute":"É","Ecirc":"Ê","Egrave":"È","Epsilon":"Ε","Eta":"Η",
      "Euml":"Ë","Gamma":"Γ","Iacute":"Í","Icirc":"Î","Igrave":"Ì","Iota":"Ι","Iuml":"Ï","Kappa":"Κ","Lambda":"Λ",
      "Mu":"Μ","Ntilde":"Ñ","Nu":"Ν","OElig":"Œ","Oacute":"Ó","Ocirc":"Ô","Ograve":"Ò","Omega":"Ω","Omicron":"Ο",
      "Oslash":"Ø","Otilde":"Õ","Ouml":"Ö","Phi":"Φ","Pi":"Π","Psi":"Ψ","Rho":"Ρ","Scaron":"Š","Sigma":"Σ",
      "THORN":"Þ","Tau":"Τ","Theta":"Θ","Uacute":"Ú","Ucirc":"Û","Ugrave":"Ù","Upsilon":"Υ","Uuml":"Ü","Xi":"Ξ",
      "Yacute":"Ý","Yuml":"Ÿ","Zeta":"Ζ","aacute":"á","acirc":"â","aelig":"æ","agrave":"à","alefsym":"ℵ","alpha":"α",
      "aring":"å","atilde":"ã","auml":"ä","beta":"β","ccedil":"ç","chi":"χ","circ":"ˆ","delta":"δ","eacute":"é",
      "ecirc":"ê","egrave":"è","epsilon":"ε","eta":"η","eth":"ð","euml":"ë","fnof":"ƒ","gamma":"γ","iacute":"í",
      "icirc":"î","igrave":"ì","image":"ℑ","iota":"ι","iuml":"ï","kappa":"κ","lambda":"λ","micro":"µ","mu":"μ",
      "ntilde":"ñ","nu":"ν","oacute":"ó","ocirc":"ô","oelig":"œ","ograve":"ò","omega":"ω","omicron":"ο","ordf":"ª",
      "ordm":"º","oslash":"ø","otilde":"õ","ouml":"ö","phi":"φ","pi":"π","piv":"ϖ","psi":"ψ","real":"ℜ","rho":"ρ",
      "scaron":"š","sigma":"σ","sigmaf":"ς","szlig":"ß","tau":"τ","theta":"θ","thetasym":"ϑ","thorn":"þ","uacute":"ú",
      "ucirc":"û","ugrave":"ù","upsih":"ϒ","upsilon":"υ","uuml":"ü","xi":"ξ","yacute":"ý","yuml":"ÿ","zeta":"ζ",
      "amp":"&","lt":"<","gt":">","quot":"\"","apos":"''","shy":""}
        '::jsonb ->> reference, ' ');
    end if;
    if code ~ '^[0-9]{1,7}$' then point := code::int;
    elsif code ~ '^x[0-9a-f]{1,6}$' then point := ('x' || lpad(substr(code, 2), 8, '0'))::bit(32)::int;
    end if;
    if point between 32 and 55295 or point between 57344 and 65533 or point between 65536 and 1114111 then
      return chr(point);
    end if;
    return ' ';
  end $$;

-- A mark of HTML begins with a letter, a slash or the like: "a < b" is none.
create or replace function search_plain(input text) returns text language plpgsql immutable parallel safe as $$
  begin
    input := replace(regexp_replace(left(input, 100000), '<[a-zA-Z/!?][^>]*>', ' ', 'g'), '&nbsp;', ' ');
    if strpos(input, '&') = 0 or input !~ '&#?[a-zA-Z0-9]+;' then return input; end if;
    return (
      select string_agg(
        case
          when n = 1 then part
          when reference is null then '&' || part
          else search_referred(reference) || substr(part, length(reference) + 2) end, '' order by n)
      from (
        select part, n, substring(part from '^(#?[a-zA-Z0-9]+);') as reference
        from string_to_table(input, '&') with ordinality as p(part, n) offset 0) parts);
  end $$;

create or replace function search_long(input text) returns tsvector language sql immutable parallel safe as $$
  select case when octet_length(input) > 1000 then search_words(search_letters(search_plain(input))) end
$$;

-- A character takes 8 bytes of a tsvector at most, and those of all texts of an item have to fit its 1 MiB.
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

create or replace function search_of_comment(general_id bigint, description text, long_words tsvector)
  returns tsvector language sql immutable parallel safe as $$
  select coalesce(long_words, search_words(search_letters(search_plain(description))), '')
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
      one := nullif(search_phrase(search_letters(phrases[i]), prefixes[i]), '');
      if ids[i] is not null then one := coalesce(one || ('#i' || ids[i])::tsquery, ('#i' || ids[i])::tsquery); end if;
      if excluded[i] then one := !! one; else is_wanted := is_wanted or one is not null; end if;
      result := case when result is null then one when one is null then result else result && one end;
    end loop;
    return case when is_wanted then result end;
  end $$;

-- As in 0.3/letters.sql. In the pattern <before> and <behind> stand where nothing of a word is, <between> between two
-- words, <beside> beside a letter that is one by itself, and <unmarked> where no mark of a letter is. Marks are told
-- from all else by making that blank, since a pattern that names them all takes long to be read.
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
    read := lower(composed collate "und-x-icu");
    pattern := lower(pattern collate "und-x-icu");
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
