-- include=[Id,Name,Effort,Project[Id,Name],EntityState[Id,Name],Tasks[Id,Name,Effort],Assignments[Role[Name],GeneralUser[FirstName,LastName]]]&append=[Tasks-Count,Bugs-Count]&where=(EntityState.Name eq 'In Progress') and (Project.Id eq 7)&take=25
-- values: <base>, "In Progress", "7", "7"
select ('{"ResourceType":"UserStory","Id":'
  || "i"."id"
  || ',"Name":'
  || coalesce(to_json("i"."name")::text, 'null')
  || ',"Project":'
  || coalesce((select ('{"ResourceType":"Project","Id":'
  || "t3"."id"
  || ',"Name":'
  || coalesce(to_json("t3"."name")::text, 'null')
  || '}')
from "general" "t3"
where "t3"."id" = "i"."project_id" and "t3"."delete_date" is null), 'null')
  || ',"Effort":'
  || coalesce(("i"."effort")::text, 'null')
  || ',"EntityState":'
  || coalesce((select ('{"ResourceType":"EntityState","Id":'
  || "t4"."id"
  || ',"Name":'
  || coalesce(to_json("t4"."name")::text, 'null')
  || '}')
from "entity_state" "t4"
where "t4"."id" = "i"."entity_state_id"), 'null')
  || ',"Tasks-Count":'
  || ((select count(*)
from "general" "t5"
where "t5"."user_story_id" = "i"."id" and "t5"."entity_type_id" = 5 and "t5"."delete_date" is null))::text
  || ',"Bugs-Count":'
  || ((select count(*)
from "general" "t6"
where "t6"."user_story_id" = "i"."id" and "t6"."entity_type_id" = 8 and "t6"."delete_date" is null))::text
  || (select (',"Assignments":{'
  || coalesce('"Next":'
  || to_json(case when count(*) > 25 then (''
  || $1::text
  || '/api/v1/UserStories/'
  || "i"."id"
  || '/Assignments/?include=%5BRole%5BName%5D%2CGeneralUser%5BFirstName%2CLastName%5D%5D&format=json&take=25&skip=25') end)
  || ',', '')
  || '"Items":['
  || coalesce(string_agg(('{"ResourceType":"Assignment","Id":'
  || "t8"."id"
  || ',"GeneralUser":'
  || coalesce((select ('{"ResourceType":"User","Id":'
  || "t9"."id"
  || ',"FirstName":'
  || coalesce(to_json("t9"."first_name")::text, 'null')
  || ',"LastName":'
  || coalesce(to_json("t9"."last_name")::text, 'null')
  || '}')
from "general_user" "t9"
where "t9"."id" = "t8"."general_user_id"), 'null')
  || ',"Role":'
  || coalesce((select ('{"ResourceType":"Role","Id":'
  || "t10"."id"
  || ',"Name":'
  || coalesce(to_json("t10"."name")::text, 'null')
  || '}')
from "role" "t10"
where "t10"."id" = "t8"."role_id"), 'null')
  || '}'), ','
order by "t8"."n") filter (where "t8"."n" <= 25), '')
  || ']}')
from (select c.*, row_number() over () as n
from (select "t7".*
from "assignment" "t7"
where "t7"."assignable_id" = "i"."id"
order by "t7"."general_user_id", "t7"."id"
limit 26 offset 0) c) "t8")
  || (select (',"Tasks":{'
  || coalesce('"Next":'
  || to_json(case when count(*) > 25 then (''
  || $1::text
  || '/api/v1/UserStories/'
  || "i"."id"
  || '/Tasks/?include=%5BId%2CName%2CEffort%5D&format=json&take=25&skip=25') end)
  || ',', '')
  || '"Items":['
  || coalesce(string_agg(('{"ResourceType":"Task","Id":'
  || "t12"."id"
  || ',"Name":'
  || coalesce(to_json("t12"."name")::text, 'null')
  || ',"Effort":'
  || coalesce(("t12"."effort")::text, 'null')
  || '}'), ','
order by "t12"."n") filter (where "t12"."n" <= 25), '')
  || ']}')
from (select c.*, row_number() over () as n
from (select "t11".*
from "general" "t11"
where "t11"."user_story_id" = "i"."id" and "t11"."entity_type_id" = 5 and "t11"."delete_date" is null
order by "t11"."name", "t11"."id"
limit 26 offset 0) c) "t12")
  || '}') as item, p.more
from (select id, row_number() over () as n, count(*) over () > 25 as more
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and (("t"."entity_state_id" = any(array(select "t1"."id"
from "entity_state" "t1"
where lower("t1"."name") = lower($2::text)))) and ("t"."project_id" = $3::bigint and exists (select 1
from "general" "t2"
where "t2"."id" = $4::bigint and "t2"."delete_date" is null))) and "t"."delete_date" is null
order by "t"."id" desc
limit 26 offset 0) ids) p
join "general" "i" on "i"."id" = p.id
where p.n <= 25
order by p.n
