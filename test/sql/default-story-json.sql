-- take=1
-- values: 
select ('{"ResourceType":"UserStory","Id":'
  || "t"."id"
  || ',"Name":'
  || coalesce(to_json("t"."name")::text, 'null')
  || ',"Description":'
  || coalesce(to_json("t"."description")::text, 'null')
  || ',"StartDate":'
  || coalesce('"\/Date('
  || (date_part('epoch', "t"."start_date") * 1000)::bigint
  || '+0000)\/"', 'null')
  || ',"EndDate":'
  || coalesce('"\/Date('
  || (date_part('epoch', "t"."end_date") * 1000)::bigint
  || '+0000)\/"', 'null')
  || ',"CreateDate":'
  || ('"\/Date('
  || (date_part('epoch', "t"."create_date") * 1000)::bigint
  || '+0000)\/"')
  || ',"ModifyDate":'
  || ('"\/Date('
  || (date_part('epoch', "t"."modify_date") * 1000)::bigint
  || '+0000)\/"')
  || ',"LastCommentDate":'
  || coalesce('"\/Date('
  || (date_part('epoch', "t"."last_comment_date") * 1000)::bigint
  || '+0000)\/"', 'null')
  || ',"Tags":'
  || coalesce(to_json(coalesce((select string_agg(tag.name, ', '
order by lower(tag.name))
from general_tag
join tag on tag.id = general_tag.tag_id
where general_tag.general_id = "t"."id"), ''))::text, 'null')
  || ',"NumericPriority":'
  || ("t"."numeric_priority")::text
  || ',"EntityVersion":'
  || ("t"."entity_version")::text
  || ',"EntityType":'
  || coalesce((select ('{"ResourceType":"EntityType","Id":'
  || "t1"."id"
  || ',"Name":'
  || coalesce(to_json("t1"."name")::text, 'null')
  || '}')
from "entity_type" "t1"
where "t1"."id" = "t"."entity_type_id"), 'null')
  || ',"LastEditor":'
  || coalesce((select ('{"ResourceType":"GeneralUser","Id":'
  || "t2"."id"
  || ',"FirstName":'
  || coalesce(to_json("t2"."first_name")::text, 'null')
  || ',"LastName":'
  || coalesce(to_json("t2"."last_name")::text, 'null')
  || ',"Login":'
  || coalesce(to_json("t2"."login")::text, 'null')
  || ',"FullName":'
  || coalesce(to_json(concat_ws(' ', nullif("t2"."first_name", ''), nullif("t2"."last_name", '')))::text, 'null')
  || '}')
from "general_user" "t2"
where "t2"."id" = "t"."last_editor_id"), 'null')
  || ',"Owner":'
  || coalesce((select ('{"ResourceType":"GeneralUser","Id":'
  || "t3"."id"
  || ',"FirstName":'
  || coalesce(to_json("t3"."first_name")::text, 'null')
  || ',"LastName":'
  || coalesce(to_json("t3"."last_name")::text, 'null')
  || ',"Login":'
  || coalesce(to_json("t3"."login")::text, 'null')
  || ',"FullName":'
  || coalesce(to_json(concat_ws(' ', nullif("t3"."first_name", ''), nullif("t3"."last_name", '')))::text, 'null')
  || '}')
from "general_user" "t3"
where "t3"."id" = "t"."owner_id"), 'null')
  || ',"Creator":'
  || coalesce((select ('{"ResourceType":"GeneralUser","Id":'
  || "t4"."id"
  || ',"FirstName":'
  || coalesce(to_json("t4"."first_name")::text, 'null')
  || ',"LastName":'
  || coalesce(to_json("t4"."last_name")::text, 'null')
  || ',"Login":'
  || coalesce(to_json("t4"."login")::text, 'null')
  || ',"FullName":'
  || coalesce(to_json(concat_ws(' ', nullif("t4"."first_name", ''), nullif("t4"."last_name", '')))::text, 'null')
  || '}')
from "general_user" "t4"
where "t4"."id" = "t"."owner_id"), 'null')
  || ',"LastCommentedUser":'
  || coalesce((select ('{"ResourceType":"GeneralUser","Id":'
  || "t5"."id"
  || ',"FirstName":'
  || coalesce(to_json("t5"."first_name")::text, 'null')
  || ',"LastName":'
  || coalesce(to_json("t5"."last_name")::text, 'null')
  || ',"Login":'
  || coalesce(to_json("t5"."login")::text, 'null')
  || ',"FullName":'
  || coalesce(to_json(concat_ws(' ', nullif("t5"."first_name", ''), nullif("t5"."last_name", '')))::text, 'null')
  || '}')
from "general_user" "t5"
where "t5"."id" = "t"."last_commented_user_id"), 'null')
  || ',"Project":'
  || coalesce((select ('{"ResourceType":"Project","Id":'
  || "t6"."id"
  || ',"Name":'
  || coalesce(to_json("t6"."name")::text, 'null')
  || ',"Process":'
  || coalesce((select ('{"ResourceType":"Process","Id":'
  || "t7"."id"
  || '}')
from "process" "t7"
where "t7"."id" = "t6"."process_id"), 'null')
  || '}')
from "general" "t6"
where "t6"."id" = "t"."project_id" and "t6"."delete_date" is null), 'null')
  || ',"LinkedTestPlan":'
  || coalesce((select ('{"ResourceType":"TestPlan","Id":'
  || "t8"."id"
  || ',"Name":'
  || coalesce(to_json("t8"."name")::text, 'null')
  || '}')
from "general" "t8"
where "t8"."id" = "t"."linked_test_plan_id" and "t8"."delete_date" is null), 'null')
  || ',"Milestone":'
  || coalesce((select ('{"ResourceType":"Milestone","Id":'
  || "t9"."id"
  || ',"Name":'
  || coalesce(to_json("t9"."name")::text, 'null')
  || '}')
from "general" "t9"
where "t9"."id" = "t"."milestone_id" and "t9"."delete_date" is null), 'null')
  || ',"Effort":'
  || coalesce(("t"."effort")::text, 'null')
  || ',"EffortCompleted":'
  || coalesce(("t"."effort_completed")::text, 'null')
  || ',"EffortToDo":'
  || coalesce(("t"."effort_to_do")::text, 'null')
  || ',"Progress":'
  || coalesce(("t"."progress")::text, 'null')
  || ',"TimeSpent":'
  || coalesce(("t"."time_spent")::text, 'null')
  || ',"TimeRemain":'
  || coalesce(("t"."time_remain")::text, 'null')
  || ',"LastStateChangeDate":'
  || coalesce('"\/Date('
  || (date_part('epoch', "t"."last_state_change_date") * 1000)::bigint
  || '+0000)\/"', 'null')
  || ',"PlannedStartDate":'
  || coalesce('"\/Date('
  || (date_part('epoch', "t"."planned_start_date") * 1000)::bigint
  || '+0000)\/"', 'null')
  || ',"PlannedEndDate":'
  || coalesce('"\/Date('
  || (date_part('epoch', "t"."planned_end_date") * 1000)::bigint
  || '+0000)\/"', 'null')
  || ',"Units":'
  || coalesce(to_json("t"."units")::text, 'null')
  || ',"Release":'
  || coalesce((select ('{"ResourceType":"Release","Id":'
  || "t10"."id"
  || ',"Name":'
  || coalesce(to_json("t10"."name")::text, 'null')
  || '}')
from "general" "t10"
where "t10"."id" = "t"."release_id" and "t10"."delete_date" is null), 'null')
  || ',"Iteration":'
  || coalesce((select ('{"ResourceType":"Iteration","Id":'
  || "t11"."id"
  || ',"Name":'
  || coalesce(to_json("t11"."name")::text, 'null')
  || '}')
from "general" "t11"
where "t11"."id" = "t"."iteration_id" and "t11"."delete_date" is null), 'null')
  || ',"TeamIteration":'
  || coalesce((select ('{"ResourceType":"TeamIteration","Id":'
  || "t12"."id"
  || ',"Name":'
  || coalesce(to_json("t12"."name")::text, 'null')
  || '}')
from "general" "t12"
where "t12"."id" = "t"."team_iteration_id" and "t12"."delete_date" is null), 'null')
  || ',"Team":'
  || coalesce((select ('{"ResourceType":"Team","Id":'
  || "t13"."id"
  || ',"Name":'
  || coalesce(to_json("t13"."name")::text, 'null')
  || '}')
from "general" "t13"
where "t13"."id" = "t"."team_id" and "t13"."delete_date" is null), 'null')
  || ',"Priority":'
  || coalesce((select ('{"ResourceType":"Priority","Id":'
  || "t14"."id"
  || ',"Name":'
  || coalesce(to_json("t14"."name")::text, 'null')
  || ',"Importance":'
  || ("t14"."importance")::text
  || '}')
from "priority" "t14"
where "t14"."id" = "t"."priority_id"), 'null')
  || ',"EntityState":'
  || coalesce((select ('{"ResourceType":"EntityState","Id":'
  || "t15"."id"
  || ',"Name":'
  || coalesce(to_json("t15"."name")::text, 'null')
  || ',"NumericPriority":'
  || ("t15"."numeric_priority")::text
  || '}')
from "entity_state" "t15"
where "t15"."id" = "t"."entity_state_id"), 'null')
  || ',"ResponsibleTeam":'
  || coalesce((select ('{"ResourceType":"TeamAssignment","Id":'
  || "t16"."id"
  || '}')
from "team_assignment" "t16"
where "t16"."id" = "t"."responsible_team_id" and exists (select 1
from "general" "t17"
where "t17"."id" = "t16"."assignable_id" and "t17"."entity_type_id" in (4, 5, 8, 9, 13, 14, 17, 27, 31) and "t17"."delete_date" is null)), 'null')
  || ',"InitialEstimate":'
  || coalesce(("t"."initial_estimate")::text, 'null')
  || ',"Feature":'
  || coalesce((select ('{"ResourceType":"Feature","Id":'
  || "t18"."id"
  || ',"Name":'
  || coalesce(to_json("t18"."name")::text, 'null')
  || '}')
from "general" "t18"
where "t18"."id" = "t"."feature_id" and "t18"."delete_date" is null), 'null')
  || ',"Build":'
  || coalesce((select ('{"ResourceType":"Build","Id":'
  || "t19"."id"
  || ',"Name":'
  || coalesce(to_json("t19"."name")::text, 'null')
  || '}')
from "general" "t19"
where "t19"."id" = "t"."build_id" and "t19"."delete_date" is null), 'null')
  || ',"CustomFields":['
  || (case when true and (select "t20"."process_id"
from "general" "t20"
where "t20"."id" = "t"."project_id") = 2 then ('{"Name":"Risk","Type":"DropDown","Value":'
  || coalesce((("t"."custom_values" -> 'Risk'))::text, 'null')
  || '}') when true and (select "t20"."process_id"
from "general" "t20"
where "t20"."id" = "t"."project_id") = 3 then ('{"Name":"Risk","Type":"DropDown","Value":'
  || coalesce((("t"."custom_values" -> 'Risk'))::text, 'null')
  || '}') else '' end)
  || ']}') as item
from "general" "t"
where "t"."entity_type_id" = 4 and "t"."delete_date" is null
order by "t"."id" desc
limit 2
