-- select={id,name,features:features.select({id,name,stories:userstories.where(entityState.isFinal==false).select({id,name,tasks:tasks.count()})})}&take=25
-- values: ",\"features\":", ",\"stories\":", ",\"tasks\":", false
select case when "i"."n" <= 25 then ((('{"id":'
  || ("i"."id")::text)
  || (',"name":'
  || to_json("i"."name")::text
  || $1::text
  || (('['
  || array_to_string(array(select case when sum(octet_length("t5".item)) over (rows unbounded preceding) <= 8388608 then "t5".item else answer_too_long() end
from (select ((('{"id":'
  || ("t1"."id")::text)
  || (',"name":'
  || to_json("t1"."name")::text
  || $2::text
  || (('['
  || array_to_string(array(select ((('{"id":'
  || ("t2"."id")::text)
  || (',"name":'
  || to_json("t2"."name")::text
  || $3::text
  || ((select count(*)
from "general" "t4"
where "t4"."user_story_id" = "t2"."id" and "t4"."entity_type_id" = 5 and "t4"."delete_date" is null))::text))
  || ('}')) as item
from "general" "t2"
where "t2"."feature_id" = "t1"."id" and "t2"."entity_type_id" = 4 and "t2"."delete_date" is null and ("t2"."entity_state_id" = any(array(select "t3"."id"
from "entity_state" "t3"
where "t3"."is_final" = $4::boolean)))
order by "t2"."id" desc
limit 1000), ','))
  || (']'))))
  || ('}')) as item
from "general" "t1"
where "t1"."epic_id" = "i"."id" and "t1"."entity_type_id" = 9 and "t1"."delete_date" is null
order by "t1"."id" desc
limit 1000) "t5"), ','))
  || (']'))))
  || ('}')) end as items, "i"."n" > 25 as more
from (select p.*, row_number() over () as n
from (select "t"."id", "t"."name"
from "general" "t"
where "t"."entity_type_id" = 27 and "t"."delete_date" is null
order by "t"."id" desc
limit 26) p) "i"
