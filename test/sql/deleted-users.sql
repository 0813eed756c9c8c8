-- include=[Id]&where=DeleteDate is not null
-- values: 
select ('{"ResourceType":"User","Id":'
  || "i"."id"
  || '}') as item, p.more
from (select id, row_number() over () as n, count(*) over () > 25 as more
from (select "t"."id"
from "general_user" "t"
where "t"."kind" = 'User' and not (("t"."delete_date") is null)
order by "t"."last_name" nulls first, "t"."id"
limit 26 offset 0) ids) p
join "general_user" "i" on "i"."id" = p.id
where p.n <= 25
order by p.n
