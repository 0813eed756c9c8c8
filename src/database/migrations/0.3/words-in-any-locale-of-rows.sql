-- The words of what was stored before, where they become others. Whoever writes by now writes the new ones. A text may
-- have other words than before where it has a word that the parser took for a number; in custom fields, where it has a
-- letter beyond ASCII; where it has the zero of Han numerals, also as a reference of HTML; and where it is HTML with
-- scripts, styles, comments, or attributes whose values hold what ends a mark.

with signs as materialized (
  select '''[0-9]+e[0-9]' as number, '〇' as zero, '&#(?:0*12295|[xX]0*3007);' as zero_in_html,
    '<(?:!--|[sS][cC][rR][iI][pP][tT]|[sS][tT][yY][lL][eE])|=\s*(?:"[^">]*>|''[^''>]*>)' as html)
select general_id as id from search_text where words::text ~ (select number from signs)
union
select id from general g
where octet_length(g.name) <> length(g.name) and strpos(g.name, (select zero from signs)) > 0
  or octet_length(g.description) <> length(g.description)
    and strpos(left(g.description, 100000), (select zero from signs)) > 0
  or strpos(g.description, '&#') > 0 and left(g.description, 100000) ~ (select zero_in_html from signs)
  or strpos(g.description, '<') > 0 and left(g.description, 100000) ~ (select html from signs)
  or g.custom_values <> '{}' and octet_length(g.custom_values::text) <> length(g.custom_values::text)
union
select l.general_id from general_tag l join tag t on t.id = l.tag_id where strpos(t.name, (select zero from signs)) > 0
union
select general_id from comment
where octet_length(description) <> length(description)
    and strpos(left(description, 100000), (select zero from signs)) > 0
  or strpos(description, '&#') > 0 and left(description, 100000) ~ (select zero_in_html from signs)
  or strpos(description, '<') > 0 and left(description, 100000) ~ (select html from signs)
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
    offset 0) c)
update search_text s
set long_words = r.long_words, words = r.words
from r
where s.general_id = r.general_id and s.comment_id = r.id and s.words <> r.words
