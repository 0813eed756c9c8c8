-- Which signs begin a mark of HTML, for the words to search by and the pieces that are shown.

-- A "<" that looks like the beginning of a mark and is none, since HTML has no element of that name: an address, the
-- parameter of a type. In any letter case.
create function search_no_mark() returns text language sql immutable parallel safe as $$
  select
    '<(?=/?[a-z])(?!/?(?:'
    '(?:[a-z]|st)[0-9]{0,2}:[a-z]+'
    '|a|abbr|acronym|address|applet|area|article|aside|audio|b|base|basefont|bdi|bdo|bgsound|big|blink'
    '|blockquote|body|br|button|canvas|caption|center|cite|code|col|colgroup|data|datalist|dd|del|details|dfn'
    '|dialog|dir|div|dl|dt|em|embed|fieldset|figcaption|figure|font|footer|form|frame|frameset'
    '|google-sheets-html-origin|h1|h2|h3|h4|h5|h6|head|header|hgroup|hr|html|i|iframe|img|input|ins|isindex'
    '|kbd|keygen|label|legend|li|link|listing|main|map|mark|marquee|math|menu|menuitem|meta|meter|multicol|nav'
    '|nextid|nobr|noembed|noframes|noscript|object|ol|optgroup|option|output|p|param|picture|plaintext|pre'
    '|progress|q|rb|rp|rt|rtc|ruby|s|samp|script|search|section|select|slot|small|source|spacer|span|strike'
    '|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|time|title|tr|track|tt'
    '|u|ul|var|video|wbr|xml|xmp'
    ')(?:[\s/>]|$))'
$$;

-- As in 0.3/words-in-any-locale.sql, but for these, which are read as text, and for pictures and formulas: what they
-- hold is no text.
create or replace function search_shown(html text) returns text language plpgsql immutable parallel safe as $$
  declare
    attributes text := '(?:=\s*"[^"]*"|=\s*''[^'']*''|[^>])*';
  begin
    html := left(html, 100000);
    html := regexp_replace(html, search_no_mark(), '&lt;', 'gi');
    if html ~* '<(?:!--|script|style|svg|math)' then
      html := regexp_replace(html, '<script[\s/>].*?</script\s*>', ' ', 'gi');
      html := regexp_replace(html, '<style[\s/>].*?</style\s*>', ' ', 'gi');
      html := regexp_replace(html, '<svg[\s/>].*?</svg\s*>', ' ', 'gi');
      html := regexp_replace(html, '<math[\s/>].*?</math\s*>', ' ', 'gi');
      html := regexp_replace(html, '<!--.*?-->', ' ', 'g');
    end if;
    -- A mark that holds what ends one in the value of an attribute. "search_plain" reads all others.
    html := regexp_replace(html, '<[a-zA-Z/!?]' || attributes
      || '=\s*(?:"[^">]*>[^"]*"|''[^''>]*>[^'']*'')' || attributes || '>', ' ', 'g');
    return search_plain(html);
  end $$;
