-- The words of what was stored before its letters were composed, where they become others. Whoever writes by now
-- writes the new ones.

select id from general g
where search_composed(g.name) is distinct from left(g.name, 100000)
  or search_composed(g.description) is distinct from left(g.description, 100000)
  or g.custom_values <> '{}'
    and search_composed(g.custom_values::text) is distinct from left(g.custom_values::text, 100000)
union
select l.general_id from general_tag l join tag t on t.id = l.tag_id
where search_composed(t.name) is distinct from t.name
union
select general_id from comment where search_composed(description) is distinct from left(description, 100000)
order by id;

select search_renew(
  array(
    select g.id from general g
    where g.id = any($1::bigint[]) and (search_composed(g.name) is distinct from left(g.name, 100000)
      or search_composed(g.description) is distinct from left(g.description, 100000)
      or g.custom_values <> '{}'
        and search_composed(g.custom_values::text) is distinct from left(g.custom_values::text, 100000)
      or exists (
        select from general_tag l join tag t on t.id = l.tag_id
        where l.general_id = g.id and search_composed(t.name) is distinct from t.name))),
  true);

update search_text s
set long_words = r.long_words,
  words = search_of_comment(r.general_id, r.description, r.long_words) || search_access(r.general_id)
from (
  select id, general_id, description, search_long(description) as long_words from comment
  where general_id = any($1::bigint[]) and search_composed(description) is distinct from left(description, 100000)
  offset 0) r
where s.general_id = r.general_id and s.comment_id = r.id
