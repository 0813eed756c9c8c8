-- The words of what was stored before, where they become others. Whoever writes by now writes the new ones. A text may
-- have other words than before where it has marks, or letters that are composed or made small with some; letters that
-- are words by themselves; or what is not seen: ASCII has none of these. And in HTML where it has references to
-- letters, or a sign that begins no mark. Of custom fields and tags fewer characters are searched.
-- What a text has is taken apart once, however the rows are joined.

with signs as materialized (
  select '[\u0130\u2adc\ufb1d-\ufb4e\U0001d15e-\U0001d1c0'
      || search_marks() || search_apart() || search_unseen() || ']' as other,
    '<[^a-zA-Z/!?>]|&(?!(?:nbsp|amp|lt|gt|quot|apos|#39|#160);)#?[a-zA-Z0-9]+;' as html)
select id from general g
where octet_length(g.name) <> length(g.name) and left(g.name, 100000) ~ (select other from signs)
  or octet_length(g.description) <> length(g.description)
    and left(g.description, 100000) ~ (select other from signs)
  or left(g.description, 100000) ~ (select html from signs)
  or g.custom_values <> '{}' and octet_length(g.custom_values::text) <> length(g.custom_values::text)
    and g.custom_values::text ~ (select other from signs)
  or length(g.custom_values::text) > 20000
union
select l.general_id from general_tag l join tag t on t.id = l.tag_id
group by 1 having bool_or(t.name ~ (select other from signs)) or sum(length(t.name) + 3) > 10000
union
select general_id from comment
where octet_length(description) <> length(description)
    and left(description, 100000) ~ (select other from signs)
  or left(description, 100000) ~ (select html from signs)
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
      and (octet_length(description) <> length(description)
        or left(description, 100000) ~ '<[^a-zA-Z/!?>]|&(?!(?:nbsp|amp|lt|gt|quot|apos|#39|#160);)#?[a-zA-Z0-9]+;')
    offset 0) c)
update search_text s
set long_words = r.long_words, words = r.words
from r
where s.general_id = r.general_id and s.comment_id = r.id and s.words <> r.words
