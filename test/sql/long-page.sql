-- include=[Name,Project]&take=101&skip=10
-- values: 10
select string_agg(case when p.n <= 101 then ((('{"ResourceType":"UserStory","Id":'
  || "i"."id")
  || (',"Name":'
  || to_json("i"."name")::text))
  || ((',"Project":'
  || coalesce(((('{"ResourceType":"Project","Id":'
  || "t1"."id")
  || (',"Name":'
  || to_json("t1"."name")::text))
  || ((',"Process":'
  || coalesce((select (('{"ResourceType":"Process","Id":'
  || "t2"."id")
  || ('}'))
from "process" "t2"
where "t2"."id" = "t1"."process_id"), 'null'))
  || ('}'))), 'null'))
  || ('}'))) end, ','
order by p.n) as items, max(p.n) > 101 as more
from (select id, row_number() over () as n
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and "t"."delete_date" is null
order by "t"."id" desc
limit 102 offset $1::bigint) ids) p
join "general" "i" on "i"."id" = p.id left
join "general" "t1" on "t1"."id" = "i"."project_id" and "t1"."entity_type_id" = 1 and "t1"."delete_date" is null group by (p.n - 1) / 32
order by (p.n - 1) / 32
