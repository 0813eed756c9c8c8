-- include=[Id,Name,Effort,Project[Id,Name],EntityState[Id,Name],Tasks[Id,Name,Effort],Assignments[Role[Name],GeneralUser[FirstName,LastName]]]&append=[Tasks-Count,Bugs-Count]&where=(EntityState.Name eq 'In Progress') and (Project.Id eq 7)&take=25
-- values: <actor.projects>, <actor.teams>, <base>, "In Progress", "7", "7"
select ('{"ResourceType":"UserStory","Id":'
  || "i"."id"
  || ',"Name":'
  || coalesce(to_json("i"."name")::text, 'null')
  || ',"Project":'
  || coalesce((select ('{"ResourceType":"Project","Id":'
  || "t4"."id"
  || ',"Name":'
  || coalesce(to_json("t4"."name")::text, 'null')
  || '}')
from "general" "t4"
where "t4"."id" = "i"."project_id" and "t4"."delete_date" is null and "t4"."id" = any($1::int[])), 'null')
  || ',"Effort":'
  || coalesce(("i"."effort")::text, 'null')
  || ',"EntityState":'
  || coalesce((select ('{"ResourceType":"EntityState","Id":'
  || "t5"."id"
  || ',"Name":'
  || coalesce(to_json("t5"."name")::text, 'null')
  || '}')
from "entity_state" "t5"
where "t5"."id" = "i"."entity_state_id"), 'null')
  || ',"Tasks-Count":'
  || ((select count(*)
from "general" "t6"
where "t6"."user_story_id" = "i"."id" and "t6"."entity_type_id" = 5 and "t6"."delete_date" is null and ("t6"."project_id" = any($1::int[]) or exists (select 1
from "team_assignment" "t7"
where "t7"."assignable_id" = "t6"."id" and "t7"."team_id" = any($2::int[])))))::text
  || ',"Bugs-Count":'
  || ((select count(*)
from "general" "t8"
where "t8"."user_story_id" = "i"."id" and "t8"."entity_type_id" = 8 and "t8"."delete_date" is null and ("t8"."project_id" = any($1::int[]) or exists (select 1
from "team_assignment" "t9"
where "t9"."assignable_id" = "t8"."id" and "t9"."team_id" = any($2::int[])))))::text
  || (select (',"Assignments":{'
  || coalesce('"Next":'
  || to_json(case when count(*) > 25 then (''
  || $3::text
  || '/api/v1/UserStories/'
  || "i"."id"
  || '/Assignments/?include=%5BRole%5BName%5D%2CGeneralUser%5BFirstName%2CLastName%5D%5D&format=json&take=25&skip=25') end)
  || ',', '')
  || '"Items":['
  || coalesce(string_agg(('{"ResourceType":"Assignment","Id":'
  || "t11"."id"
  || ',"GeneralUser":'
  || coalesce((select ('{"ResourceType":"User","Id":'
  || "t12"."id"
  || ',"FirstName":'
  || coalesce(to_json("t12"."first_name")::text, 'null')
  || ',"LastName":'
  || coalesce(to_json("t12"."last_name")::text, 'null')
  || '}')
from "general_user" "t12"
where "t12"."id" = "t11"."general_user_id"), 'null')
  || ',"Role":'
  || coalesce((select ('{"ResourceType":"Role","Id":'
  || "t13"."id"
  || ',"Name":'
  || coalesce(to_json("t13"."name")::text, 'null')
  || '}')
from "role" "t13"
where "t13"."id" = "t11"."role_id"), 'null')
  || '}'), ','
order by "t11"."n") filter (where "t11"."n" <= 25), '')
  || ']}')
from (select c.*, row_number() over () as n
from (select "t10".*
from "assignment" "t10"
where "t10"."assignable_id" = "i"."id"
order by "t10"."general_user_id", "t10"."id"
limit 26 offset 0) c) "t11")
  || (select (',"Tasks":{'
  || coalesce('"Next":'
  || to_json(case when count(*) > 25 then (''
  || $3::text
  || '/api/v1/UserStories/'
  || "i"."id"
  || '/Tasks/?include=%5BId%2CName%2CEffort%5D&format=json&take=25&skip=25') end)
  || ',', '')
  || '"Items":['
  || coalesce(string_agg(('{"ResourceType":"Task","Id":'
  || "t15"."id"
  || ',"Name":'
  || coalesce(to_json("t15"."name")::text, 'null')
  || ',"Effort":'
  || coalesce(("t15"."effort")::text, 'null')
  || '}'), ','
order by "t15"."n") filter (where "t15"."n" <= 25), '')
  || ']}')
from (select c.*, row_number() over () as n
from (select "t14".*
from "general" "t14"
where "t14"."user_story_id" = "i"."id" and "t14"."entity_type_id" = 5 and "t14"."delete_date" is null and ("t14"."project_id" = any($1::int[]) or exists (select 1
from "team_assignment" "t16"
where "t16"."assignable_id" = "t14"."id" and "t16"."team_id" = any($2::int[])))
order by "t14"."name", "t14"."id"
limit 26 offset 0) c) "t15")
  || '}') as item, p.more
from (select id, row_number() over () as n, count(*) over () > 25 as more
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and (("t"."entity_state_id" = any(array(select "t1"."id"
from "entity_state" "t1"
where lower("t1"."name") = lower($4::text)))) and ("t"."project_id" = $5::bigint and exists (select 1
from "general" "t2"
where "t2"."id" = $6::bigint and "t2"."delete_date" is null and "t2"."id" = any($1::int[])))) and "t"."delete_date" is null and ("t"."project_id" = any($1::int[]) or exists (select 1
from "team_assignment" "t3"
where "t3"."assignable_id" = "t"."id" and "t3"."team_id" = any($2::int[])))
order by "t"."id" desc
limit 26 offset 0) ids) p
join "general" "i" on "i"."id" = p.id
where p.n <= 25
order by p.n
