-- include=[Id,Name,Effort,Project[Id,Name],EntityState[Id,Name],Tasks[Id,Name,Effort],Assignments[Role[Name],GeneralUser[FirstName,LastName]]]&append=[Tasks-Count,Bugs-Count]&where=(EntityState.Name eq 'In Progress') and (Project.Id eq 7)&take=25
-- values: <base>, "In Progress", "7", "7", "7"
select string_agg(case when "i"."n" <= 25 then ((('<UserStory ResourceType="UserStory" Id="'
  || "i"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("i"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || (('">'
  || coalesce(((('<Project ResourceType="Project" Id="'
  || "t1"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t1"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || ('" />')), '<Project nil="true" />')
  || coalesce((('<Effort>'
  || ("i"."effort")::text)
  || ('</Effort>')), '<Effort nil="true" />')
  || coalesce(((('<EntityState ResourceType="EntityState" Id="'
  || "t2"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t2"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || ('" />')), '<EntityState nil="true" />')
  || (select (((('<Tasks-Count>'
  || (case when cardinality("t3"."items1") > 25 then (select count(*)
from "general" "t4"
where "t4"."user_story_id" = "i"."id" and "t4"."entity_type_id" = 5 and "t4"."delete_date" is null) else cardinality("t3"."items1") end)::text)
  || ('</Tasks-Count><Bugs-Count>'
  || ((select count(*)
from "general" "t5"
where "t5"."user_story_id" = "i"."id" and "t5"."entity_type_id" = 8 and "t5"."delete_date" is null))::text))
  || (('</Bugs-Count><Assignments'
  || case when cardinality("t3"."items0") > 25 then (((' Next="'
  || $1::text)
  || ('/api/v1/UserStories/'
  || "i"."id"))
  || ('/Assignments/?include=%5BRole%5BName%5D%2CGeneralUser%5BFirstName%2CLastName%5D%5D&amp;format=json&amp;take=25&amp;skip=25"')) else '' end)
  || ('>'
  || array_to_string(case when cardinality("t3"."items0") > 25 then "t3"."items0"[:25] else "t3"."items0" end, ''))))
  || ((('</Assignments><Tasks'
  || case when cardinality("t3"."items1") > 25 then (((' Next="'
  || $1::text)
  || ('/api/v1/UserStories/'
  || "i"."id"))
  || ('/Tasks/?include=%5BId%2CName%2CEffort%5D&amp;format=json&amp;take=25&amp;skip=25"')) else '' end)
  || ('>'
  || array_to_string(case when cardinality("t3"."items1") > 25 then "t3"."items1"[:25] else "t3"."items1" end, '')))
  || ('</Tasks>')))
from (select array(select ((('<Assignment ResourceType="Assignment" Id="'
  || "t6"."id")
  || ('">'
  || coalesce((select ((('<GeneralUser ResourceType="User" Id="'
  || "t7"."id")
  || ('">'
  || coalesce((('<FirstName>'
  || replace(replace(replace(replace("t7"."first_name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</FirstName>')), '<FirstName nil="true" />')
  || coalesce((('<LastName>'
  || replace(replace(replace(replace("t7"."last_name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</LastName>')), '<LastName nil="true" />')))
  || ('</GeneralUser>'))
from "general_user" "t7"
where "t7"."id" = "t6"."general_user_id" and "t7"."kind" = 'User'), '<GeneralUser nil="true" />')
  || coalesce((select ((('<Role ResourceType="Role" Id="'
  || "t8"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t8"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || ('" />'))
from "role" "t8"
where "t8"."id" = "t6"."role_id"), '<Role nil="true" />')))
  || ('</Assignment>')) as item
from "assignment" "t6"
where "t6"."assignable_id" = "i"."id"
order by "t6"."general_user_id", "t6"."id"
limit 26) as "items0", array(select ((('<Task ResourceType="Task" Id="'
  || "t9"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t9"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || (('">'
  || coalesce((('<Effort>'
  || ("t9"."effort")::text)
  || ('</Effort>')), '<Effort nil="true" />'))
  || ('</Task>'))) as item
from "general" "t9"
where "t9"."user_story_id" = "i"."id" and "t9"."entity_type_id" = 5 and "t9"."delete_date" is null
order by "t9"."name", "t9"."id"
limit 26) as "items1" offset 0) "t3"))
  || ('</UserStory>'))) end, ' '
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
