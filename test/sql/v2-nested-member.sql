-- select={id,name,features:features.select({id,name,stories:userstories.where(entityState.isFinal==false).select({id,name,tasks:tasks.count()})})}&take=25
-- values: ",\"features\":", ",\"stories\":", ",\"tasks\":", <actor.projects>, <actor.teams>, false
select case when "i"."n" <= 25 then ((('{"id":'
  || ("i"."id")::text)
  || (',"name":'
  || to_json("i"."name")::text
  || $1::text
  || (('['
  || array_to_string(array(select case when sum(octet_length("t8".item)) over (rows unbounded preceding) <= 8388608 then "t8".item else answer_too_long() end
from (select ((('{"id":'
  || ("t1"."id")::text)
  || (',"name":'
  || to_json("t1"."name")::text
  || $2::text
  || (('['
  || array_to_string(array(select ((('{"id":'
  || ("t3"."id")::text)
  || (',"name":'
  || to_json("t3"."name")::text
  || $3::text
  || ((select count(*)
from "general" "t6"
where "t6"."user_story_id" = "t3"."id" and "t6"."entity_type_id" = 5 and "t6"."delete_date" is null and ("t6"."project_id" = any($4::bigint[]) or exists (select 1
from "team_assignment" "t7"
where "t7"."assignable_id" = "t6"."id" and "t7"."team_id" = any($5::bigint[])))))::text))
  || ('}')) as item
from "general" "t3"
where "t3"."feature_id" = "t1"."id" and "t3"."entity_type_id" = 4 and "t3"."delete_date" is null and ("t3"."project_id" = any($4::bigint[]) or exists (select 1
from "team_assignment" "t4"
where "t4"."assignable_id" = "t3"."id" and "t4"."team_id" = any($5::bigint[]))) and ("t3"."entity_state_id" = any(array(select "t5"."id"
from "entity_state" "t5"
where "t5"."is_final" = $6::boolean)))
order by "t3"."id" desc
limit 1000), ','))
  || (']'))))
  || ('}')) as item
from "general" "t1"
where "t1"."epic_id" = "i"."id" and "t1"."entity_type_id" = 9 and "t1"."delete_date" is null and ("t1"."project_id" = any($4::bigint[]) or exists (select 1
from "team_assignment" "t2"
where "t2"."assignable_id" = "t1"."id" and "t2"."team_id" = any($5::bigint[])))
order by "t1"."id" desc
limit 1000) "t8"), ','))
  || (']'))))
  || ('}')) end as items, "i"."n" > 25 as more
from (select p.*, row_number() over () as n
from (select "t"."id", "t"."name"
from "general" "t"
where "t"."entity_type_id" = 27 and "t"."delete_date" is null and ("t"."project_id" = any($4::bigint[]) or exists (select 1
from "team_assignment" "t9"
where "t9"."assignable_id" = "t"."id" and "t9"."team_id" = any($5::bigint[])))
order by "t"."id" desc
limit 26) p) "i"
