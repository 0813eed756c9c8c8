-- where=assignments.count(generalUser.id==5)>0&select=id
-- values: "5", "5", <actor.projects>, <actor.teams>
select string_agg(case when "i"."n" <= 25 then ("i"."id")::text end, ',') as items, count(*) > 25 as more
from (select p.*, row_number() over () as n
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and exists (select 1
from "assignment" "t1"
where "t1"."assignable_id" = "t"."id" and ("t1"."general_user_id" = $1::bigint and exists (select 1
from "general_user" "t2"
where "t2"."id" = $2::bigint and "t2"."kind" = 'User'))) and "t"."delete_date" is null and ("t"."project_id" = any($3::bigint[]) or exists (select 1
from "team_assignment" "t3"
where "t3"."assignable_id" = "t"."id" and "t3"."team_id" = any($4::bigint[])))
order by "t"."id" desc
limit 26) p) "i"
