-- include=[Id,Name,Effort,Project[Id,Name],EntityState[Id,Name],Tasks[Id,Name,Effort],Assignments[Role[Name],GeneralUser[FirstName,LastName]]]&append=[Tasks-Count,Bugs-Count]&where=(EntityState.Name eq 'In Progress') and (Project.Id eq 7)&take=25
-- values: <base>, "In Progress", "7", "7", "7"
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
where "t4"."user_story_id" = "i"."id" and "t4"."entity_type_id" = 5 and "t4"."delete_date" is null) else cardinality("t3"."items1") end)::text)
  || (',"Bugs-Count":'
  || ((select count(*)
from "general" "t5"
where "t5"."user_story_id" = "i"."id" and "t5"."entity_type_id" = 8 and "t5"."delete_date" is null))::text))
  || ((',"Assignments":{'
  || case when cardinality("t3"."items0") > 25 then ((('"Next":"'
  || $1::text)
  || ('/api/v1/UserStories/'
  || "i"."id"))
  || ('/Assignments/?include=%5BRole%5BName%5D%2CGeneralUser%5BFirstName%2CLastName%5D%5D&format=json&take=25&skip=25",')) else '' end)
  || ('"Items":['
  || array_to_string(case when cardinality("t3"."items0") > 25 then "t3"."items0"[:25] else "t3"."items0" end, ','))))
  || (((']},"Tasks":{'
  || case when cardinality("t3"."items1") > 25 then ((('"Next":"'
  || $1::text)
  || ('/api/v1/UserStories/'
  || "i"."id"))
  || ('/Tasks/?include=%5BId%2CName%2CEffort%5D&format=json&take=25&skip=25",')) else '' end)
  || ('"Items":['
  || array_to_string(case when cardinality("t3"."items1") > 25 then "t3"."items1"[:25] else "t3"."items1" end, ',')))
  || (']}')))
from (select array(select ((('{"ResourceType":"Assignment","Id":'
  || "t6"."id")
  || (',"GeneralUser":'
  || coalesce((select ((('{"ResourceType":"User","Id":'
  || "t7"."id")
  || (',"FirstName":'
  || coalesce(to_json("t7"."first_name")::text, 'null')))
  || ((',"LastName":'
  || coalesce(to_json("t7"."last_name")::text, 'null'))
  || ('}')))
from "general_user" "t7"
where "t7"."id" = "t6"."general_user_id" and "t7"."kind" = 'User'), 'null')))
  || ((',"Role":'
  || coalesce((select ((('{"ResourceType":"Role","Id":'
  || "t8"."id")
  || (',"Name":'
  || to_json("t8"."name")::text))
  || ('}'))
from "role" "t8"
where "t8"."id" = "t6"."role_id"), 'null'))
  || ('}'))) as item
from "assignment" "t6"
where "t6"."assignable_id" = "i"."id"
order by "t6"."general_user_id", "t6"."id"
limit 26) as "items0", array(select ((('{"ResourceType":"Task","Id":'
  || "t9"."id")
  || (',"Name":'
  || to_json("t9"."name")::text))
  || ((',"Effort":'
  || coalesce(("t9"."effort")::text, 'null'))
  || ('}'))) as item
from "general" "t9"
where "t9"."user_story_id" = "i"."id" and "t9"."entity_type_id" = 5 and "t9"."delete_date" is null
order by "t9"."name", "t9"."id"
limit 26) as "items1" offset 0) "t3")))
  || ('}'))) end, ','
order by "i"."n") as items, count(*) > 25 as more
from (select p.*, row_number() over () as n
from (select "t11"."id", "t11"."name", "t11"."effort", "t11"."project_id", "t11"."entity_state_id"
from unnest(array(select "t10"."id"
from "entity_state" "t10"
where "t10"."entity_type_id" = 4 and lower("t10"."name") = lower($2::text collate "und-x-icu"))) "t12" cross
join lateral (select "t"."id", "t"."name", "t"."effort", "t"."project_id", "t"."entity_state_id"
from "general" "t"
where "t"."entity_type_id" = 4 and "t"."entity_state_id" = "t12" and ("t"."project_id" = $3::bigint and exists (select 1
from "general" "t13"
where "t13"."id" = $4::bigint and "t13"."entity_type_id" = 1 and "t13"."delete_date" is null)) and "t"."delete_date" is null
order by "t"."id" desc
limit 26) "t11"
order by "t11"."id" desc
limit 26) p) "i" left
join "general" "t1" on "t1"."id" = $5::bigint and "t1"."entity_type_id" = 1 and "t1"."delete_date" is null left
join "entity_state" "t2" on "t2"."id" = "i"."entity_state_id"
