-- include=[Id]&where=Release.Name ne 'x'
-- values: "x"
select ('{"ResourceType":"UserStory","Id":'
  || "t"."id"
  || '}') as item
from "general" "t"
where "t"."entity_type_id" = 4 and not exists (select 1
from "general" "t1"
where "t1"."id" = "t"."release_id" and "t1"."entity_type_id" = 2 and lower("t1"."name") = lower($1::text) and "t1"."delete_date" is null) and "t"."delete_date" is null
order by "t"."id" desc
limit 26
