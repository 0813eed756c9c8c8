-- take=1
-- values: 
select case when "i"."n" <= 1 then ((((('<UserStory ResourceType="UserStory" Id="'
  || "i"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("i"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || (('">'
  || coalesce((('<Description>'
  || replace(replace(replace(replace("i"."description", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</Description>')), '<Description nil="true" />')
  || coalesce((('<StartDate>'
  || case when ("i"."start_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then replace(("i"."start_date")::timestamp::text, ' ', 'T') end)
  || ('</StartDate>')), '<StartDate nil="true" />')
  || coalesce((('<EndDate>'
  || case when ("i"."end_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then replace(("i"."end_date")::timestamp::text, ' ', 'T') end)
  || ('</EndDate>')), '<EndDate nil="true" />')
  || coalesce((('<CreateDate>'
  || case when ("i"."create_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then replace(("i"."create_date")::timestamp::text, ' ', 'T') end)
  || ('</CreateDate>')), '<CreateDate nil="true" />'))
  || (''
  || coalesce((('<ModifyDate>'
  || case when ("i"."modify_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then replace(("i"."modify_date")::timestamp::text, ' ', 'T') end)
  || ('</ModifyDate>')), '<ModifyDate nil="true" />')
  || coalesce((('<LastCommentDate>'
  || case when ("i"."last_comment_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then replace(("i"."last_comment_date")::timestamp::text, ' ', 'T') end)
  || ('</LastCommentDate>')), '<LastCommentDate nil="true" />')
  || coalesce((('<Tags>'
  || replace(replace(replace(replace(coalesce((select string_agg(tag.name, ', '
order by lower(tag.name))
from general_tag
join tag on tag.id = general_tag.tag_id
where general_tag.general_id = "i"."id"), ''), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</Tags>')), '<Tags nil="true" />'))))
  || ((('<NumericPriority>'
  || ("i"."numeric_priority")::text)
  || ('</NumericPriority><EntityVersion>'
  || ("i"."entity_version")::text))
  || (('</EntityVersion>'
  || coalesce((select ((('<EntityType ResourceType="EntityType" Id="'
  || "t1"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t1"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || ('" />'))
from "entity_type" "t1"
where "t1"."id" = "i"."entity_type_id"), '<EntityType nil="true" />')
  || coalesce((select ((('<LastEditor ResourceType="GeneralUser" Id="'
  || "t2"."id")
  || ('">'
  || coalesce((('<FirstName>'
  || replace(replace(replace(replace("t2"."first_name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</FirstName>')), '<FirstName nil="true" />')
  || coalesce((('<LastName>'
  || replace(replace(replace(replace("t2"."last_name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</LastName>')), '<LastName nil="true" />')
  || coalesce((('<Login>'
  || replace(replace(replace(replace("t2"."login", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</Login>')), '<Login nil="true" />')
  || coalesce((('<FullName>'
  || replace(replace(replace(replace(concat_ws(' ', nullif("t2"."first_name", ''), nullif("t2"."last_name", '')), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</FullName>')), '<FullName nil="true" />')))
  || ('</LastEditor>'))
from "general_user" "t2"
where "t2"."id" = "i"."last_editor_id"), '<LastEditor nil="true" />')
  || coalesce((select ((('<Owner ResourceType="GeneralUser" Id="'
  || "t3"."id")
  || ('">'
  || coalesce((('<FirstName>'
  || replace(replace(replace(replace("t3"."first_name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</FirstName>')), '<FirstName nil="true" />')
  || coalesce((('<LastName>'
  || replace(replace(replace(replace("t3"."last_name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</LastName>')), '<LastName nil="true" />')
  || coalesce((('<Login>'
  || replace(replace(replace(replace("t3"."login", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</Login>')), '<Login nil="true" />')
  || coalesce((('<FullName>'
  || replace(replace(replace(replace(concat_ws(' ', nullif("t3"."first_name", ''), nullif("t3"."last_name", '')), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</FullName>')), '<FullName nil="true" />')))
  || ('</Owner>'))
from "general_user" "t3"
where "t3"."id" = "i"."owner_id"), '<Owner nil="true" />')
  || coalesce((select ((('<Creator ResourceType="GeneralUser" Id="'
  || "t4"."id")
  || ('">'
  || coalesce((('<FirstName>'
  || replace(replace(replace(replace("t4"."first_name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</FirstName>')), '<FirstName nil="true" />')
  || coalesce((('<LastName>'
  || replace(replace(replace(replace("t4"."last_name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</LastName>')), '<LastName nil="true" />')
  || coalesce((('<Login>'
  || replace(replace(replace(replace("t4"."login", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</Login>')), '<Login nil="true" />')
  || coalesce((('<FullName>'
  || replace(replace(replace(replace(concat_ws(' ', nullif("t4"."first_name", ''), nullif("t4"."last_name", '')), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</FullName>')), '<FullName nil="true" />')))
  || ('</Creator>'))
from "general_user" "t4"
where "t4"."id" = "i"."owner_id"), '<Creator nil="true" />'))
  || (''
  || coalesce((select ((('<LastCommentedUser ResourceType="GeneralUser" Id="'
  || "t5"."id")
  || ('">'
  || coalesce((('<FirstName>'
  || replace(replace(replace(replace("t5"."first_name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</FirstName>')), '<FirstName nil="true" />')
  || coalesce((('<LastName>'
  || replace(replace(replace(replace("t5"."last_name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</LastName>')), '<LastName nil="true" />')
  || coalesce((('<Login>'
  || replace(replace(replace(replace("t5"."login", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</Login>')), '<Login nil="true" />')
  || coalesce((('<FullName>'
  || replace(replace(replace(replace(concat_ws(' ', nullif("t5"."first_name", ''), nullif("t5"."last_name", '')), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</FullName>')), '<FullName nil="true" />')))
  || ('</LastCommentedUser>'))
from "general_user" "t5"
where "t5"."id" = "i"."last_commented_user_id"), '<LastCommentedUser nil="true" />')
  || coalesce((select ((('<Project ResourceType="Project" Id="'
  || "t6"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t6"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || (('">'
  || coalesce((select (('<Process ResourceType="Process" Id="'
  || "t7"."id")
  || ('" />'))
from "process" "t7"
where "t7"."id" = "t6"."process_id"), '<Process nil="true" />'))
  || ('</Project>')))
from "general" "t6"
where "t6"."id" = "i"."project_id" and "t6"."entity_type_id" = 1 and "t6"."delete_date" is null), '<Project nil="true" />')
  || coalesce((select ((('<LinkedTestPlan ResourceType="TestPlan" Id="'
  || "t8"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t8"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || ('" />'))
from "general" "t8"
where "t8"."id" = "i"."linked_test_plan_id" and "t8"."entity_type_id" = 13 and "t8"."delete_date" is null), '<LinkedTestPlan nil="true" />')
  || coalesce((select ((('<Milestone ResourceType="Milestone" Id="'
  || "t9"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t9"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || ('" />'))
from "general" "t9"
where "t9"."id" = "i"."milestone_id" and "t9"."entity_type_id" = 32 and "t9"."delete_date" is null), '<Milestone nil="true" />')))))
  || ((((''
  || coalesce((('<Effort>'
  || ("i"."effort")::text)
  || ('</Effort>')), '<Effort nil="true" />')
  || coalesce((('<EffortCompleted>'
  || ("i"."effort_completed")::text)
  || ('</EffortCompleted>')), '<EffortCompleted nil="true" />')
  || coalesce((('<EffortToDo>'
  || ("i"."effort_to_do")::text)
  || ('</EffortToDo>')), '<EffortToDo nil="true" />')
  || coalesce((('<Progress>'
  || ("i"."progress")::text)
  || ('</Progress>')), '<Progress nil="true" />'))
  || (''
  || coalesce((('<TimeSpent>'
  || ("i"."time_spent")::text)
  || ('</TimeSpent>')), '<TimeSpent nil="true" />')
  || coalesce((('<TimeRemain>'
  || ("i"."time_remain")::text)
  || ('</TimeRemain>')), '<TimeRemain nil="true" />')
  || coalesce((('<LastStateChangeDate>'
  || case when ("i"."last_state_change_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then replace(("i"."last_state_change_date")::timestamp::text, ' ', 'T') end)
  || ('</LastStateChangeDate>')), '<LastStateChangeDate nil="true" />')
  || coalesce((('<PlannedStartDate>'
  || case when ("i"."planned_start_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then replace(("i"."planned_start_date")::timestamp::text, ' ', 'T') end)
  || ('</PlannedStartDate>')), '<PlannedStartDate nil="true" />')))
  || ((''
  || coalesce((('<PlannedEndDate>'
  || case when ("i"."planned_end_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then replace(("i"."planned_end_date")::timestamp::text, ' ', 'T') end)
  || ('</PlannedEndDate>')), '<PlannedEndDate nil="true" />')
  || coalesce((('<Units>'
  || replace(replace(replace(replace("i"."units", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</Units>')), '<Units nil="true" />')
  || coalesce((select ((('<Release ResourceType="Release" Id="'
  || "t10"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t10"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || ('" />'))
from "general" "t10"
where "t10"."id" = "i"."release_id" and "t10"."entity_type_id" = 2 and "t10"."delete_date" is null), '<Release nil="true" />')
  || coalesce((select ((('<Iteration ResourceType="Iteration" Id="'
  || "t11"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t11"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || ('" />'))
from "general" "t11"
where "t11"."id" = "i"."iteration_id" and "t11"."entity_type_id" = 3 and "t11"."delete_date" is null), '<Iteration nil="true" />'))
  || (''
  || coalesce((select ((('<TeamIteration ResourceType="TeamIteration" Id="'
  || "t12"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t12"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || ('" />'))
from "general" "t12"
where "t12"."id" = "i"."team_iteration_id" and "t12"."entity_type_id" = 24 and "t12"."delete_date" is null), '<TeamIteration nil="true" />')
  || coalesce((select ((('<Team ResourceType="Team" Id="'
  || "t13"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t13"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || ('" />'))
from "general" "t13"
where "t13"."id" = "i"."team_id" and "t13"."entity_type_id" = 23 and "t13"."delete_date" is null), '<Team nil="true" />')
  || coalesce((select ((('<Priority ResourceType="Priority" Id="'
  || "t14"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t14"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || (('"><Importance>'
  || ("t14"."importance")::text)
  || ('</Importance></Priority>')))
from "priority" "t14"
where "t14"."id" = "i"."priority_id"), '<Priority nil="true" />')
  || coalesce((select ((('<EntityState ResourceType="EntityState" Id="'
  || "t15"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t15"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || (('"><NumericPriority>'
  || ("t15"."numeric_priority")::text)
  || ('</NumericPriority></EntityState>')))
from "entity_state" "t15"
where "t15"."id" = "i"."entity_state_id"), '<EntityState nil="true" />'))))
  || (((''
  || coalesce((select (('<ResponsibleTeam ResourceType="TeamAssignment" Id="'
  || "t16"."id")
  || ('" />'))
from "team_assignment" "t16"
where "t16"."id" = "i"."responsible_team_id" and exists (select 1
from "general" "t17"
where "t17"."id" = "t16"."assignable_id" and "t17"."entity_type_id" in (4, 5, 8, 9, 13, 14, 17, 27, 31) and "t17"."delete_date" is null)), '<ResponsibleTeam nil="true" />')
  || coalesce((('<InitialEstimate>'
  || ("i"."initial_estimate")::text)
  || ('</InitialEstimate>')), '<InitialEstimate nil="true" />')
  || coalesce((select ((('<Feature ResourceType="Feature" Id="'
  || "t18"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t18"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || ('" />'))
from "general" "t18"
where "t18"."id" = "i"."feature_id" and "t18"."entity_type_id" = 9 and "t18"."delete_date" is null), '<Feature nil="true" />')
  || coalesce((select ((('<Build ResourceType="Build" Id="'
  || "t19"."id")
  || ('" Name="'
  || replace(replace(replace(replace(replace(replace(replace("t19"."name", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')))
  || ('" />'))
from "general" "t19"
where "t19"."id" = "i"."build_id" and "t19"."entity_type_id" = 11 and "t19"."delete_date" is null), '<Build nil="true" />'))
  || ('<CustomFields>'
  || (case when true and (select "t20"."process_id"
from "general" "t20"
where "t20"."id" = "i"."project_id") = 2 then (('<Field Type="DropDown"><Name>Risk</Name>'
  || coalesce((('<Value>'
  || replace(replace(replace(replace((case when jsonb_typeof(("i"."custom_values" -> 'Risk')) = 'object' then ("i"."custom_values" -> 'Risk') ->> 'Url' else ("i"."custom_values" ->> 'Risk') end), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</Value>')), '<Value nil="true" />'))
  || ('</Field>')) when true and (select "t20"."process_id"
from "general" "t20"
where "t20"."id" = "i"."project_id") = 3 then (('<Field Type="DropDown"><Name>Risk</Name>'
  || coalesce((('<Value>'
  || replace(replace(replace(replace((case when jsonb_typeof(("i"."custom_values" -> 'Risk')) = 'object' then ("i"."custom_values" -> 'Risk') ->> 'Url' else ("i"."custom_values" ->> 'Risk') end), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\r', '&#13;'))
  || ('</Value>')), '<Value nil="true" />'))
  || ('</Field>')) else '' end)))
  || ('</CustomFields></UserStory>')))) end as items, "i"."n" > 1 as more
from (select p.*, row_number() over () as n
from (select "t"."id", "t"."name", "t"."description", "t"."start_date", "t"."end_date", "t"."create_date", "t"."modify_date", "t"."last_comment_date", "t"."numeric_priority", "t"."entity_version", "t"."entity_type_id", "t"."last_editor_id", "t"."owner_id", "t"."last_commented_user_id", "t"."project_id", "t"."linked_test_plan_id", "t"."milestone_id", "t"."effort", "t"."effort_completed", "t"."effort_to_do", "t"."progress", "t"."time_spent", "t"."time_remain", "t"."last_state_change_date", "t"."planned_start_date", "t"."planned_end_date", "t"."units", "t"."release_id", "t"."iteration_id", "t"."team_iteration_id", "t"."team_id", "t"."priority_id", "t"."entity_state_id", "t"."responsible_team_id", "t"."initial_estimate", "t"."feature_id", "t"."build_id", "t"."custom_values"
from "general" "t"
where "t"."entity_type_id" = 4 and "t"."delete_date" is null
order by "t"."id" desc
limit 2) p) "i"
