-- include=[Id,Name,Effort,Project[Id,Name],EntityState[Id,Name],Tasks[Id,Name,Effort],Assignments[Role[Name],GeneralUser[FirstName,LastName]]]&append=[Tasks-Count,Bugs-Count]&where=(EntityState.Name eq 'In Progress') and (Project.Id eq 7)&take=25
-- values: <actor.projects>, <actor.teams>, <base>, "In Progress", "7", "7", "7"
select string_agg(case when "i"."n" <= 25 then (((('{"ResourceType":"UserStory","Id":'
  || "i"."id")
  || (',"Name":'
  || to_json("i"."name")::text))
  || (',"Project":'
  || coalesce(((('{"ResourceType":"Project","Id":'
  || "t1"."id")
  || (',"Name":'
  || to_json("t1"."name")::text))
  || ('}')), 'null')))
  || (((',"Effort":'
  || coalesce(("i"."effort")::text, 'null'))
  || (',"EntityState":'
  || coalesce(((('{"ResourceType":"EntityState","Id":'
  || "t2"."id")
  || (',"Name":'
  || to_json("t2"."name")::text))
  || ('}')), 'null')
  || (select ((((',"Tasks-Count":'
  || (case when cardinality("t3"."items1") > 25 then (select count(*)
from "general" "t4"
where "t4"."user_story_id" = "i"."id" and "t4"."entity_type_id" = 5 and "t4"."delete_date" is null and ("t4"."project_id" = any($1::bigint[]) or exists (select 1
from "team_assignment" "t5"
where "t5"."assignable_id" = "t4"."id" and "t5"."team_id" = any($2::bigint[])))) else cardinality("t3"."items1") end)::text)
  || (',"Bugs-Count":'
  || ((select count(*)
from "general" "t6"
where "t6"."user_story_id" = "i"."id" and "t6"."entity_type_id" = 8 and "t6"."delete_date" is null and ("t6"."project_id" = any($1::bigint[]) or exists (select 1
from "team_assignment" "t7"
where "t7"."assignable_id" = "t6"."id" and "t7"."team_id" = any($2::bigint[])))))::text))
  || ((',"Assignments":{'
  || case when cardinality("t3"."items0") > 25 then ((('"Next":"'
  || $3::text)
  || ('/api/v1/UserStories/'
  || "i"."id"))
  || ('/Assignments/?include=%5BRole%5BName%5D%2CGeneralUser%5BFirstName%2CLastName%5D%5D&format=json&take=25&skip=25",')) else '' end)
  || ('"Items":['
  || array_to_string(case when cardinality("t3"."items0") > 25 then "t3"."items0"[:25] else "t3"."items0" end, ','))))
  || (((']},"Tasks":{'
  || case when cardinality("t3"."items1") > 25 then ((('"Next":"'
  || $3::text)
  || ('/api/v1/UserStories/'
  || "i"."id"))
  || ('/Tasks/?include=%5BId%2CName%2CEffort%5D&format=json&take=25&skip=25",')) else '' end)
  || ('"Items":['
  || array_to_string(case when cardinality("t3"."items1") > 25 then "t3"."items1"[:25] else "t3"."items1" end, ',')))
  || (']}')))
from (select array(select ((('{"ResourceType":"Assignment","Id":'
  || "t8"."id")
  || (',"GeneralUser":'
  || coalesce((select ((('{"ResourceType":"User","Id":'
  || "t9"."id")
  || (',"FirstName":'
  || coalesce(to_json("t9"."first_name")::text, 'null')))
  || ((',"LastName":'
  || coalesce(to_json("t9"."last_name")::text, 'null'))
  || ('}')))
from "general_user" "t9"
where "t9"."id" = "t8"."general_user_id" and "t9"."kind" = 'User'), 'null')))
  || ((',"Role":'
  || coalesce((select ((('{"ResourceType":"Role","Id":'
  || "t10"."id")
  || (',"Name":'
  || to_json("t10"."name")::text))
  || ('}'))
from "role" "t10"
where "t10"."id" = "t8"."role_id"), 'null'))
  || ('}'))) as item
from "assignment" "t8"
where "t8"."assignable_id" = "i"."id"
order by "t8"."general_user_id", "t8"."id"
limit 26) as "items0", array(select ((('{"ResourceType":"Task","Id":'
  || "t11"."id")
  || (',"Name":'
  || to_json("t11"."name")::text))
  || ((',"Effort":'
  || coalesce(("t11"."effort")::text, 'null'))
  || ('}'))) as item
from "general" "t11"
where "t11"."user_story_id" = "i"."id" and "t11"."entity_type_id" = 5 and "t11"."delete_date" is null and ("t11"."project_id" = any($1::bigint[]) or exists (select 1
from "team_assignment" "t12"
where "t12"."assignable_id" = "t11"."id" and "t12"."team_id" = any($2::bigint[])))
order by "t11"."name", "t11"."id"
limit 26) as "items1" offset 0) "t3")))
  || ('}'))) end, ','
order by "i"."n") as items, count(*) > 25 as more
from (select p.*, row_number() over () as n
from (select "t14"."id", "t14"."name", "t14"."effort", "t14"."project_id", "t14"."entity_state_id"
from unnest(array(select "t13"."id"
from "entity_state" "t13"
where "t13"."entity_type_id" = 4 and lower("t13"."name") = lower($4::text collate "und-x-icu"))) "t15" cross
join lateral (select "t"."id", "t"."name", "t"."effort", "t"."project_id", "t"."entity_state_id"
from "general" "t"
where "t"."entity_type_id" = 4 and "t"."entity_state_id" = "t15" and ("t"."project_id" = $5::bigint and exists (select 1
from "general" "t16"
where "t16"."id" = $6::bigint and "t16"."entity_type_id" = 1 and "t16"."delete_date" is null and "t16"."id" = any($1::bigint[]))) and "t"."delete_date" is null and ("t"."project_id" = any($1::bigint[]) or exists (select 1
from "team_assignment" "t17"
where "t17"."assignable_id" = "t"."id" and "t17"."team_id" = any($2::bigint[])))
order by "t"."id" desc
limit 26) "t14"
order by "t14"."id" desc
limit 26) p) "i" left
join "general" "t1" on "t1"."id" = $7::bigint and "t1"."entity_type_id" = 1 and "t1"."delete_date" is null and "t1"."id" = any($1::bigint[]) left
join "entity_state" "t2" on "t2"."id" = "i"."entity_state_id"
