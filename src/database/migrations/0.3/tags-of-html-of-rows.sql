-- The words of what was stored before, where they become others: texts with what looks like a mark of HTML and is none,
-- and those with pictures and formulas.
-- Whoever writes by now writes the new ones.

select id from general
where strpos(description, '<') > 0 and left(description, 100000) ~* (search_no_mark() || '|<(?:svg|math)[\s/>]')
union
select general_id from comment
where strpos(description, '<') > 0 and left(description, 100000) ~* (search_no_mark() || '|<(?:svg|math)[\s/>]')
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
    where general_id = any($1::bigint[]) and left(description, 100000) ~* (search_no_mark() || '|<(?:svg|math)[\s/>]')
    offset 0) c)
update search_text s
set long_words = r.long_words, words = r.words
from r
where s.general_id = r.general_id and s.comment_id = r.id and s.words <> r.words
