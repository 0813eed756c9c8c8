-- include=[Id]&where=DeleteDate is not null
-- values: 
select ('{"ResourceType":"User","Id":'
  || "i"."id"
  || '}') as item
from (select id, row_number() over () as n
from (select "t"."id"
from "general_user" "t"
where "t"."kind" = 'User' and not (("t"."delete_date") is null)
order by "t"."last_name" nulls first, "t"."id"
limit 26) ids) p
join "general_user" "i" on "i"."id" = p.id
order by p.n
