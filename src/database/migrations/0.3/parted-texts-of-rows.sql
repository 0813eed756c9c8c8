-- The words of what was stored before, where they become others: of what has tags or texts of custom fields. Whoever
-- writes by now writes the new ones.

select general_id as id from general_tag
union
select id from general where custom_values <> '{}' and search_texts(custom_values) is not null
order by id;

with n as materialized (
  select r.id,
    search_of_general(r.id, r.name, r.tags, r.custom_values, r.description, r.long_words)
      || search_access(r.id, r.entity_type_id, r.project_id) as words
  from (
    select g.id, g.name, g.description, g.entity_type_id, g.project_id, s.long_words, search_tags(g.id) as tags,
      search_values(g.custom_values, g.entity_type_id, g.project_id, g.process_id) as custom_values
    from general g join search_text s on s.general_id = g.id and s.comment_id = 0
    where g.id = any($1::bigint[])
    offset 0) r)
update search_text s
set words = n.words
from n
where s.general_id = n.id and s.comment_id = 0
  -- Tags have no order.
  and (strip(s.words) <> strip(n.words) or ts_filter(s.words, '{a,c,d}') <> ts_filter(n.words, '{a,c,d}'))
