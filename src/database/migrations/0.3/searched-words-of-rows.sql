-- The words of what was stored before, where they become others. Whoever writes by now writes the new ones. A text may
-- have other words than before where it has a sigma that ends a word, or a capital one, also as a reference of HTML; and
-- a custom field where it looked like pointers and is none.
-- What a text has is taken apart once, however the rows are joined.

with signs as materialized (
  select '[\u03a3\u03c2]' as sigma, '&(?:Sigma|sigmaf|#0*(?:931|962)|#[xX]0*3[aAcC][23]);' as html,
    '^\d+ \w+(,\d+ \w+)*$' as pointers)
select id from general g
where octet_length(g.name) <> length(g.name) and g.name ~ (select sigma from signs)
  or octet_length(g.description) <> length(g.description)
    and left(g.description, 100000) ~ (select sigma from signs)
  or strpos(g.description, '&') > 0 and left(g.description, 100000) ~ (select html from signs)
  or g.custom_values <> '{}' and (
    octet_length(g.custom_values::text) <> length(g.custom_values::text)
      and g.custom_values::text ~ (select sigma from signs)
    or exists (
      select from jsonb_each(g.custom_values)
      where jsonb_typeof(value) = 'string' and value #>> '{}' ~ (select pointers from signs)
        and value #>> '{}' !~* search_pointers()))
union
select l.general_id from general_tag l join tag t on t.id = l.tag_id where t.name ~ (select sigma from signs)
union
select general_id from comment
where octet_length(description) <> length(description) and left(description, 100000) ~ (select sigma from signs)
  or strpos(description, '&') > 0 and left(description, 100000) ~ (select html from signs)
order by id;

with n as materialized (
  select r.id, r.long_words,
    search_of_general(r.id, r.name, r.tags, r.custom_values, r.description, r.long_words)
      || search_access(r.id, r.entity_type_id, r.project_id) as words
  from (
    select g.id, g.name, g.custom_values, g.description, g.entity_type_id, g.project_id,
      search_long(g.description) as long_words, search_tags(g.id) as tags
    from general g
    where g.id = any($1::bigint[])
    offset 0) r)
update search_text s
set long_words = n.long_words, words = n.words
from n
where s.general_id = n.id and s.comment_id = 0
  -- Tags have no order.
  and (strip(s.words) <> strip(n.words) or ts_filter(s.words, '{a,c,d}') <> ts_filter(n.words, '{a,c,d}'));

with r as materialized (
  select id, general_id, long_words,
    search_of_comment(general_id, description, long_words) || search_access(general_id) as words
  from (
    select id, general_id, description, search_long(description) as long_words from comment
    where general_id = any($1::bigint[])
      and (octet_length(description) <> length(description) or strpos(description, '&') > 0)
    offset 0) c)
update search_text s
set long_words = r.long_words, words = r.words
from r
where s.general_id = r.general_id and s.comment_id = r.id and s.words <> r.words
