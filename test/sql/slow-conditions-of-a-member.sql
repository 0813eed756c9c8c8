-- include=[Id]&where=(Description contains 'x') and (Id eq 5) and (Feature.Description contains 'y') and (Tasks.Description contains 'z')
-- values: "5", <actor.projects>, <actor.teams>, "%x%", "%y%", "%z%"
select string_agg(case when "i"."n" <= 25 then (('{"ResourceType":"UserStory","Id":'
  || "i"."id")
  || ('}')) end, ',') as items, count(*) > 25 as more
from (select p.*, row_number() over () as n
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and "t"."id" = $1::bigint and (case when ("t"."delete_date" is null and ("t"."project_id" = any($2::bigint[]) or exists (select 1
from "team_assignment" "t1"
where "t1"."assignable_id" = "t"."id" and "t1"."team_id" = any($3::bigint[])))) then (((lower("t"."description") like lower($4::text collate "und-x-icu") and lower((select "t2"."description"
from "general" "t2"
where "t2"."id" = "t"."feature_id" and "t2"."entity_type_id" = 9 and "t2"."delete_date" is null and ("t2"."project_id" = any($2::bigint[]) or exists (select 1
from "team_assignment" "t3"
where "t3"."assignable_id" = "t2"."id" and "t3"."team_id" = any($3::bigint[])))) collate "und-x-icu") like lower($5::text collate "und-x-icu") and exists (select 1
from "general" "t4"
where "t4"."user_story_id" = "t"."id" and "t4"."entity_type_id" = 5 and (case when "t4"."user_story_id" = "t"."id" then (case when ("t4"."delete_date" is null and ("t4"."project_id" = any($2::bigint[]) or exists (select 1
from "team_assignment" "t5"
where "t5"."assignable_id" = "t4"."id" and "t5"."team_id" = any($3::bigint[])))) then ((lower("t4"."description") like lower($6::text collate "und-x-icu")) is true) else ((false) is true) end) else false end) and "t4"."delete_date" is null and ("t4"."project_id" = any($2::bigint[]) or exists (select 1
from "team_assignment" "t6"
where "t6"."assignable_id" = "t4"."id" and "t6"."team_id" = any($3::bigint[])))))) is true) else ((false) is true) end) and "t"."delete_date" is null and ("t"."project_id" = any($2::bigint[]) or exists (select 1
from "team_assignment" "t7"
where "t7"."assignable_id" = "t"."id" and "t7"."team_id" = any($3::bigint[])))
order by "t"."id" desc
limit 26) p) "i"
