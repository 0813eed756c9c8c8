-- include=[Id]&orderByDesc=Project.Name,Effort asc
-- values: 
select string_agg(case when p.n <= 25 then (('{"ResourceType":"UserStory","Id":'
  || "i"."id")
  || ('}')) end, ','
order by p.n) as items, count(*) > 25 as more
from (select id, row_number() over () as n
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and "t"."delete_date" is null
order by (select "t1"."name"
from "general" "t1"
where "t1"."id" = "t"."project_id" and "t1"."entity_type_id" = 1 and "t1"."delete_date" is null) desc nulls last, "t"."effort" nulls first, "t"."id"
limit 26) ids) p
join "general" "i" on "i"."id" = p.id
