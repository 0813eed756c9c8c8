-- where=name.toUpper()=='X' and project.id==5 and comments.count(description.contains('x'))>0 and feature.description.length()>5&select=id
-- values: "5", "5", <actor.projects>, <actor.teams>, "X", "%x%", "5"
select string_agg(case when "i"."n" <= 25 then ("i"."id")::text end, ',') as items, count(*) > 25 as more
from (select p.*, row_number() over () as n
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and ("t"."project_id" = $1::bigint and exists (select 1
from "general" "t1"
where "t1"."id" = $2::bigint and "t1"."entity_type_id" = 1 and "t1"."delete_date" is null and "t1"."id" = any($3::bigint[]))) and (case when ("t"."delete_date" is null and ("t"."project_id" = any($3::bigint[]) or exists (select 1
from "team_assignment" "t2"
where "t2"."assignable_id" = "t"."id" and "t2"."team_id" = any($4::bigint[])))) then (((lower(upper((("t"."name") collate "und-x-icu")) collate "und-x-icu") = lower($5::text collate "und-x-icu") and exists (select 1
from "comment" "t3"
where "t3"."general_id" = "t"."id" and (case when "t3"."general_id" = "t"."id" then lower("t3"."description") like lower($6::text collate "und-x-icu") else false end)) and char_length((select "t4"."description"
from "general" "t4"
where "t4"."id" = "t"."feature_id" and "t4"."entity_type_id" = 9 and "t4"."delete_date" is null and ("t4"."project_id" = any($3::bigint[]) or exists (select 1
from "team_assignment" "t5"
where "t5"."assignable_id" = "t4"."id" and "t5"."team_id" = any($4::bigint[]))))) > $7::bigint)) is true) else ((false) is true) end) and "t"."delete_date" is null and ("t"."project_id" = any($3::bigint[]) or exists (select 1
from "team_assignment" "t6"
where "t6"."assignable_id" = "t"."id" and "t6"."team_id" = any($4::bigint[])))
order by "t"."id" desc
limit 26) p) "i"
