-- include=[Id]&where=DeleteDate is not null
-- values: 
select string_agg(case when p.n <= 25 then (('{"ResourceType":"User","Id":'
  || "i"."id")
  || ('}')) end, ','
order by p.n) as items, count(*) > 25 as more
from (select id, row_number() over () as n
from (select "t"."id"
from "general_user" "t"
where "t"."kind" = 'User' and not ("t"."delete_date") is null
order by "t"."last_name" nulls first, "t"."id"
limit 26) ids) p
join "general_user" "i" on "i"."id" = p.id
