-- take=1
-- values: 
select case when "i"."n" <= 1 then ((((((('{"ResourceType":"UserStory","Id":'
  || "i"."id")
  || (',"Name":'
  || to_json("i"."name")::text))
  || (',"Description":'
  || coalesce(to_json("i"."description")::text, 'null')))
  || (((',"StartDate":'
  || coalesce(case when ("i"."start_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then '"\/Date('
  || (date_part('epoch', "i"."start_date") * 1000)::bigint
  || '+0000)\/"' end, 'null'))
  || (',"EndDate":'
  || coalesce(case when ("i"."end_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then '"\/Date('
  || (date_part('epoch', "i"."end_date") * 1000)::bigint
  || '+0000)\/"' end, 'null')))
  || (',"CreateDate":'
  || coalesce(case when ("i"."create_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then '"\/Date('
  || (date_part('epoch', "i"."create_date") * 1000)::bigint
  || '+0000)\/"' end, 'null'))))
  || ((((',"ModifyDate":'
  || coalesce(case when ("i"."modify_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then '"\/Date('
  || (date_part('epoch', "i"."modify_date") * 1000)::bigint
  || '+0000)\/"' end, 'null'))
  || (',"LastCommentDate":'
  || coalesce(case when ("i"."last_comment_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then '"\/Date('
  || (date_part('epoch', "i"."last_comment_date") * 1000)::bigint
  || '+0000)\/"' end, 'null')))
  || (',"Tags":'
  || coalesce(to_json(coalesce((select string_agg(tag.name, ', '
order by lower(tag.name))
from general_tag
join tag on tag.id = general_tag.tag_id
where general_tag.general_id = "i"."id"), ''))::text, 'null')))
  || ((',"NumericPriority":'
  || ("i"."numeric_priority")::text)
  || (',"EntityVersion":'
  || ("i"."entity_version")::text))))
  || (((((',"EntityType":'
  || coalesce((select ((('{"ResourceType":"EntityType","Id":'
  || "t1"."id")
  || (',"Name":'
  || to_json("t1"."name")::text))
  || ('}'))
from "entity_type" "t1"
where "t1"."id" = "i"."entity_type_id"), 'null'))
  || (',"LastEditor":'
  || coalesce((select (((('{"ResourceType":"GeneralUser","Id":'
  || "t2"."id")
  || (',"FirstName":'
  || coalesce(to_json("t2"."first_name")::text, 'null')))
  || (',"LastName":'
  || coalesce(to_json("t2"."last_name")::text, 'null')))
  || (((',"Login":'
  || coalesce(to_json("t2"."login")::text, 'null'))
  || (',"FullName":'
  || coalesce(to_json(concat_ws(' ', nullif("t2"."first_name", ''), nullif("t2"."last_name", '')))::text, 'null')))
  || ('}')))
from "general_user" "t2"
where "t2"."id" = "i"."last_editor_id"), 'null')))
  || (',"Owner":'
  || coalesce((select (((('{"ResourceType":"GeneralUser","Id":'
  || "t3"."id")
  || (',"FirstName":'
  || coalesce(to_json("t3"."first_name")::text, 'null')))
  || (',"LastName":'
  || coalesce(to_json("t3"."last_name")::text, 'null')))
  || (((',"Login":'
  || coalesce(to_json("t3"."login")::text, 'null'))
  || (',"FullName":'
  || coalesce(to_json(concat_ws(' ', nullif("t3"."first_name", ''), nullif("t3"."last_name", '')))::text, 'null')))
  || ('}')))
from "general_user" "t3"
where "t3"."id" = "i"."owner_id"), 'null')))
  || ((',"Creator":'
  || coalesce((select (((('{"ResourceType":"GeneralUser","Id":'
  || "t4"."id")
  || (',"FirstName":'
  || coalesce(to_json("t4"."first_name")::text, 'null')))
  || (',"LastName":'
  || coalesce(to_json("t4"."last_name")::text, 'null')))
  || (((',"Login":'
  || coalesce(to_json("t4"."login")::text, 'null'))
  || (',"FullName":'
  || coalesce(to_json(concat_ws(' ', nullif("t4"."first_name", ''), nullif("t4"."last_name", '')))::text, 'null')))
  || ('}')))
from "general_user" "t4"
where "t4"."id" = "i"."owner_id"), 'null'))
  || (',"LastCommentedUser":'
  || coalesce((select (((('{"ResourceType":"GeneralUser","Id":'
  || "t5"."id")
  || (',"FirstName":'
  || coalesce(to_json("t5"."first_name")::text, 'null')))
  || (',"LastName":'
  || coalesce(to_json("t5"."last_name")::text, 'null')))
  || (((',"Login":'
  || coalesce(to_json("t5"."login")::text, 'null'))
  || (',"FullName":'
  || coalesce(to_json(concat_ws(' ', nullif("t5"."first_name", ''), nullif("t5"."last_name", '')))::text, 'null')))
  || ('}')))
from "general_user" "t5"
where "t5"."id" = "i"."last_commented_user_id"), 'null'))))
  || ((((',"Project":'
  || coalesce((select ((('{"ResourceType":"Project","Id":'
  || "t6"."id")
  || (',"Name":'
  || to_json("t6"."name")::text))
  || ((',"Process":'
  || coalesce((select (('{"ResourceType":"Process","Id":'
  || "t7"."id")
  || ('}'))
from "process" "t7"
where "t7"."id" = "t6"."process_id"), 'null'))
  || ('}')))
from "general" "t6"
where "t6"."id" = "i"."project_id" and "t6"."entity_type_id" = 1 and "t6"."delete_date" is null), 'null'))
  || (',"LinkedTestPlan":'
  || coalesce((select ((('{"ResourceType":"TestPlan","Id":'
  || "t8"."id")
  || (',"Name":'
  || to_json("t8"."name")::text))
  || ('}'))
from "general" "t8"
where "t8"."id" = "i"."linked_test_plan_id" and "t8"."entity_type_id" = 13 and "t8"."delete_date" is null), 'null')))
  || (',"Milestone":'
  || coalesce((select ((('{"ResourceType":"Milestone","Id":'
  || "t9"."id")
  || (',"Name":'
  || to_json("t9"."name")::text))
  || ('}'))
from "general" "t9"
where "t9"."id" = "i"."milestone_id" and "t9"."entity_type_id" = 32 and "t9"."delete_date" is null), 'null')))
  || ((',"Effort":'
  || coalesce(("i"."effort")::text, 'null'))
  || (',"EffortCompleted":'
  || coalesce(("i"."effort_completed")::text, 'null'))))))
  || ((((((',"EffortToDo":'
  || coalesce(("i"."effort_to_do")::text, 'null'))
  || (',"Progress":'
  || coalesce(("i"."progress")::text, 'null')))
  || (',"TimeSpent":'
  || coalesce(("i"."time_spent")::text, 'null')))
  || ((',"TimeRemain":'
  || coalesce(("i"."time_remain")::text, 'null'))
  || (',"LastStateChangeDate":'
  || coalesce(case when ("i"."last_state_change_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then '"\/Date('
  || (date_part('epoch', "i"."last_state_change_date") * 1000)::bigint
  || '+0000)\/"' end, 'null'))))
  || ((((',"PlannedStartDate":'
  || coalesce(case when ("i"."planned_start_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then '"\/Date('
  || (date_part('epoch', "i"."planned_start_date") * 1000)::bigint
  || '+0000)\/"' end, 'null'))
  || (',"PlannedEndDate":'
  || coalesce(case when ("i"."planned_end_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then '"\/Date('
  || (date_part('epoch', "i"."planned_end_date") * 1000)::bigint
  || '+0000)\/"' end, 'null')))
  || (',"Units":'
  || coalesce(to_json("i"."units")::text, 'null')))
  || ((',"Release":'
  || coalesce((select ((('{"ResourceType":"Release","Id":'
  || "t10"."id")
  || (',"Name":'
  || to_json("t10"."name")::text))
  || ('}'))
from "general" "t10"
where "t10"."id" = "i"."release_id" and "t10"."entity_type_id" = 2 and "t10"."delete_date" is null), 'null'))
  || (',"Iteration":'
  || coalesce((select ((('{"ResourceType":"Iteration","Id":'
  || "t11"."id")
  || (',"Name":'
  || to_json("t11"."name")::text))
  || ('}'))
from "general" "t11"
where "t11"."id" = "i"."iteration_id" and "t11"."entity_type_id" = 3 and "t11"."delete_date" is null), 'null')))))
  || (((((',"TeamIteration":'
  || coalesce((select ((('{"ResourceType":"TeamIteration","Id":'
  || "t12"."id")
  || (',"Name":'
  || to_json("t12"."name")::text))
  || ('}'))
from "general" "t12"
where "t12"."id" = "i"."team_iteration_id" and "t12"."entity_type_id" = 24 and "t12"."delete_date" is null), 'null'))
  || (',"Team":'
  || coalesce((select ((('{"ResourceType":"Team","Id":'
  || "t13"."id")
  || (',"Name":'
  || to_json("t13"."name")::text))
  || ('}'))
from "general" "t13"
where "t13"."id" = "i"."team_id" and "t13"."entity_type_id" = 23 and "t13"."delete_date" is null), 'null')))
  || (',"Priority":'
  || coalesce((select ((('{"ResourceType":"Priority","Id":'
  || "t14"."id")
  || (',"Name":'
  || to_json("t14"."name")::text))
  || ((',"Importance":'
  || ("t14"."importance")::text)
  || ('}')))
from "priority" "t14"
where "t14"."id" = "i"."priority_id"), 'null')))
  || ((',"EntityState":'
  || coalesce((select ((('{"ResourceType":"EntityState","Id":'
  || "t15"."id")
  || (',"Name":'
  || to_json("t15"."name")::text))
  || ((',"NumericPriority":'
  || ("t15"."numeric_priority")::text)
  || ('}')))
from "entity_state" "t15"
where "t15"."id" = "i"."entity_state_id"), 'null'))
  || (',"ResponsibleTeam":'
  || coalesce((select (('{"ResourceType":"TeamAssignment","Id":'
  || "t16"."id")
  || ('}'))
from "team_assignment" "t16"
where "t16"."id" = "i"."responsible_team_id" and exists (select 1
from "general" "t17"
where "t17"."id" = "t16"."assignable_id" and "t17"."entity_type_id" in (4, 5, 8, 9, 13, 14, 17, 27, 31) and "t17"."delete_date" is null)), 'null'))))
  || ((((',"InitialEstimate":'
  || coalesce(("i"."initial_estimate")::text, 'null'))
  || (',"Feature":'
  || coalesce((select ((('{"ResourceType":"Feature","Id":'
  || "t18"."id")
  || (',"Name":'
  || to_json("t18"."name")::text))
  || ('}'))
from "general" "t18"
where "t18"."id" = "i"."feature_id" and "t18"."entity_type_id" = 9 and "t18"."delete_date" is null), 'null')))
  || (',"Build":'
  || coalesce((select ((('{"ResourceType":"Build","Id":'
  || "t19"."id")
  || (',"Name":'
  || to_json("t19"."name")::text))
  || ('}'))
from "general" "t19"
where "t19"."id" = "i"."build_id" and "t19"."entity_type_id" = 11 and "t19"."delete_date" is null), 'null')))
  || ((',"CustomFields":['
  || (case when true and (select "t20"."process_id"
from "general" "t20"
where "t20"."id" = "i"."project_id") = 2 then (('{"Name":"Risk","Type":"DropDown","Value":'
  || coalesce(((case when jsonb_typeof(("i"."custom_values" -> 'Risk')) = 'string' then ("i"."custom_values" -> 'Risk') else to_jsonb(case when jsonb_typeof(("i"."custom_values" -> 'Risk')) = 'object' then ("i"."custom_values" -> 'Risk') ->> 'Url' else ("i"."custom_values" ->> 'Risk') end) end))::text, 'null'))
  || ('}')) when true and (select "t20"."process_id"
from "general" "t20"
where "t20"."id" = "i"."project_id") = 3 then (('{"Name":"Risk","Type":"DropDown","Value":'
  || coalesce(((case when jsonb_typeof(("i"."custom_values" -> 'Risk')) = 'string' then ("i"."custom_values" -> 'Risk') else to_jsonb(case when jsonb_typeof(("i"."custom_values" -> 'Risk')) = 'object' then ("i"."custom_values" -> 'Risk') ->> 'Url' else ("i"."custom_values" ->> 'Risk') end) end))::text, 'null'))
  || ('}')) else '' end))
  || (']}')))))) end as items, "i"."n" > 1 as more
from (select p.*, row_number() over () as n
from (select "t"."id", "t"."name", "t"."description", "t"."start_date", "t"."end_date", "t"."create_date", "t"."modify_date", "t"."last_comment_date", "t"."numeric_priority", "t"."entity_version", "t"."entity_type_id", "t"."last_editor_id", "t"."owner_id", "t"."last_commented_user_id", "t"."project_id", "t"."linked_test_plan_id", "t"."milestone_id", "t"."effort", "t"."effort_completed", "t"."effort_to_do", "t"."progress", "t"."time_spent", "t"."time_remain", "t"."last_state_change_date", "t"."planned_start_date", "t"."planned_end_date", "t"."units", "t"."release_id", "t"."iteration_id", "t"."team_iteration_id", "t"."team_id", "t"."priority_id", "t"."entity_state_id", "t"."responsible_team_id", "t"."initial_estimate", "t"."feature_id", "t"."build_id", "t"."custom_values"
from "general" "t"
where "t"."entity_type_id" = 4 and "t"."delete_date" is null
order by "t"."id" desc
limit 2) p) "i"
