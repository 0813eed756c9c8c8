-- include=[Name]
-- values: <actor.projects>, <actor.teams>
select string_agg(case when "i"."n" <= 25 then ((('{"ResourceType":"General","Id":'
  || "i"."id")
  || (',"Name":'
  || to_json("i"."name")::text))
  || ('}')) end, ',') as items, count(*) > 25 as more
from (select p.*, row_number() over () as n
from (select "t"."id", "t"."name"
from "general" "t"
where "t"."delete_date" is null and ("t"."project_id" = any($1::bigint[]) or ("t"."entity_type_id" = 1 and "t"."id" = any($1::bigint[])) or ("t"."entity_type_id" = 10 and exists (select 1
from "general" "t1"
where "t1"."program_id" = "t"."id" and "t1"."id" = any($1::bigint[]))) or ("t"."entity_type_id" = 2 and exists (select 1
from "release_project" "t2"
where "t2"."release_id" = "t"."id" and "t2"."project_id" = any($1::bigint[]))) or ("t"."entity_type_id" = 32 and exists (select 1
from "milestone_project" "t3"
where "t3"."milestone_id" = "t"."id" and "t3"."project_id" = any($1::bigint[]))) or exists (select 1
from "team_assignment" "t4"
where "t4"."assignable_id" = "t"."id" and "t4"."team_id" = any($2::bigint[])) or "t"."entity_type_id" = 23 or "t"."entity_type_id" = 24 or ("t"."entity_type_id" = 31 and ("t"."project_id") is null))
order by "t"."id"
limit 26) p) "i"
