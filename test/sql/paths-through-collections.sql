-- include=[Id]&where=TestPlanRuns.TestPlan.Id eq 234
-- values: "234", "234"
select string_agg(case when "i"."n" <= 25 then (('{"ResourceType":"Bug","Id":'
  || "i"."id")
  || ('}')) end, ',') as items, count(*) > 25 as more
from (select p.*, row_number() over () as n
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 8 and exists (select 1
from "test_plan_run_bug" "t3"
join "general" "t1" on "t1"."id" = "t3"."test_plan_run_id"
where "t3"."bug_id" = "t"."id" and "t1"."entity_type_id" = 14 and ("t1"."test_plan_id" = $1::bigint and exists (select 1
from "general" "t2"
where "t2"."id" = $2::bigint and "t2"."entity_type_id" = 13 and "t2"."delete_date" is null)) and "t1"."delete_date" is null) and "t"."delete_date" is null
order by "t"."id" desc
limit 26) p) "i"
