-- include=[CustomFields]
-- values: <actor.projects>, <actor.teams>
select string_agg(case when "i"."n" <= 25 then ((('{"ResourceType":"General","Id":'
  || "i"."id")
  || (',"CustomFields":['
  || (select coalesce(string_agg(((('{"Name":'
  || to_json("t2"."name")::text)
  || (',"Type":"'
  || "t2"."field_type"))
  || (('","Value":'
  || coalesce(case when "t2"."field_type" in ('Date') then case when ((case when ("i"."custom_values" ->> "t2"."name") collate "C" ~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$' then (("i"."custom_values" ->> "t2"."name"))::timestamptz else moment_of(("i"."custom_values" ->> "t2"."name")) end)) between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then '"\/Date('
  || (date_part('epoch', (case when ("i"."custom_values" ->> "t2"."name") collate "C" ~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$' then (("i"."custom_values" ->> "t2"."name"))::timestamptz else moment_of(("i"."custom_values" ->> "t2"."name")) end)) * 1000)::bigint
  || '+0000)\/"' end when "t2"."field_type" in ('DropDown') then ((case when jsonb_typeof(("i"."custom_values" -> "t2"."name")) = 'string' then ("i"."custom_values" -> "t2"."name") else to_jsonb(case when jsonb_typeof(("i"."custom_values" -> "t2"."name")) = 'object' then ("i"."custom_values" -> "t2"."name") ->> 'Url' else ("i"."custom_values" ->> "t2"."name") end) end))::text when "t2"."field_type" in ('Entity') then ((('{"Id":'
  || ((case when jsonb_typeof(("i"."custom_values" -> "t2"."name")) = 'object' and (("i"."custom_values" -> "t2"."name") ->> 'Kind') is not null then case when (coalesce(lower((("i"."custom_values" -> "t2"."name") ->> 'Kind')), '') in ('generaluser', 'requester', 'user') or (case when (("i"."custom_values" -> "t2"."name") ->> 'Id') ~ '^[0-9]{1,18}$' then (("i"."custom_values" -> "t2"."name") ->> 'Id')::bigint end) = any("t3"."ids")) then ("i"."custom_values" -> "t2"."name") end when jsonb_typeof(("i"."custom_values" -> "t2"."name")) = 'string' and (("i"."custom_values" -> "t2"."name") #>> '{}') ~ '^[0-9]+ [A-Za-z]+(,[0-9]+ [A-Za-z]+)*$' then null else ("i"."custom_values" -> "t2"."name") end) ->> 'Id'))
  || (',"Kind":'
  || to_json((case when jsonb_typeof(("i"."custom_values" -> "t2"."name")) = 'object' and (("i"."custom_values" -> "t2"."name") ->> 'Kind') is not null then case when (coalesce(lower((("i"."custom_values" -> "t2"."name") ->> 'Kind')), '') in ('generaluser', 'requester', 'user') or (case when (("i"."custom_values" -> "t2"."name") ->> 'Id') ~ '^[0-9]{1,18}$' then (("i"."custom_values" -> "t2"."name") ->> 'Id')::bigint end) = any("t3"."ids")) then ("i"."custom_values" -> "t2"."name") end when jsonb_typeof(("i"."custom_values" -> "t2"."name")) = 'string' and (("i"."custom_values" -> "t2"."name") #>> '{}') ~ '^[0-9]+ [A-Za-z]+(,[0-9]+ [A-Za-z]+)*$' then null else ("i"."custom_values" -> "t2"."name") end) ->> 'Kind')::text))
  || ((',"Name":'
  || coalesce(to_json(case when coalesce(lower((("i"."custom_values" -> "t2"."name") ->> 'Kind')), '') in ('generaluser', 'requester', 'user') then (select concat_ws(' ', nullif("t10"."first_name", ''), nullif("t10"."last_name", ''))
from "general_user" "t10"
where "t10"."id" = (case when (("i"."custom_values" -> "t2"."name") ->> 'Id') ~ '^[0-9]{1,18}$' then (("i"."custom_values" -> "t2"."name") ->> 'Id')::bigint end)) when (coalesce(lower((("i"."custom_values" -> "t2"."name") ->> 'Kind')), '') in ('generaluser', 'requester', 'user') or (case when (("i"."custom_values" -> "t2"."name") ->> 'Id') ~ '^[0-9]{1,18}$' then (("i"."custom_values" -> "t2"."name") ->> 'Id')::bigint end) = any("t3"."ids")) then (select "t11"."name"
from "general" "t11"
where "t11"."id" = (case when (("i"."custom_values" -> "t2"."name") ->> 'Id') ~ '^[0-9]{1,18}$' then (("i"."custom_values" -> "t2"."name") ->> 'Id')::bigint end)) end)::text, 'null'))
  || ('}'))) when "t2"."field_type" in ('Number') then ((case when jsonb_typeof(("i"."custom_values" -> "t2"."name")) = 'number' then ("i"."custom_values" -> "t2"."name") end))::text end, 'null'))
  || ('}'))), ','
order by coalesce("t2"."process_id", 0), "t2"."numeric_priority", "t2"."id"), '')
from (select "i"."entity_type_id" as kind, case when "i"."entity_type_id" = 1 then "i"."process_id" else (select "t12"."process_id"
from "general" "t12"
where "t12"."id" = "i"."project_id") end as process offset 0) "t1"
join "custom_field" "t2" on "t2"."entity_type_id" = "t1"."kind" and coalesce("t2"."process_id", 0) = any(array[0, "t1"."process"]) cross
join lateral (select case when "t2"."field_type" in ('Entity', 'MultipleEntities') and "i"."custom_values" ? "t2"."name" then array(select "t4"."id"
from "general" "t4"
where "t4"."id" = any(array(select (case when split_part("t5", ' ', 1) ~ '^[0-9]{1,18}$' then split_part("t5", ' ', 1)::bigint end)
from unnest(string_to_array(concat_ws(',', (("i"."custom_values" -> "t2"."name") ->> 'Id')
  || ' x', ("i"."custom_values" -> "t2"."name") #>> '{}'), ',')) "t5")) and "t4"."delete_date" is null and ("t4"."project_id" = any($1::bigint[]) or ("t4"."entity_type_id" = 1 and "t4"."id" = any($1::bigint[])) or ("t4"."entity_type_id" = 10 and exists (select 1
from "general" "t6"
where "t6"."program_id" = "t4"."id" and "t6"."id" = any($1::bigint[]))) or ("t4"."entity_type_id" = 2 and exists (select 1
from "release_project" "t7"
where "t7"."release_id" = "t4"."id" and "t7"."project_id" = any($1::bigint[]))) or ("t4"."entity_type_id" = 32 and exists (select 1
from "milestone_project" "t8"
where "t8"."milestone_id" = "t4"."id" and "t8"."project_id" = any($1::bigint[]))) or exists (select 1
from "team_assignment" "t9"
where "t9"."assignable_id" = "t4"."id" and "t9"."team_id" = any($2::bigint[])) or "t4"."entity_type_id" = 23 or "t4"."entity_type_id" = 24 or ("t4"."entity_type_id" = 31 and ("t4"."project_id") is null))) end as ids offset 0) "t3")))
  || (']}')) end, ','
order by "i"."n") as items, max("i"."n") > 25 as more
from (select p.*, row_number() over () as n
from (select "t"."id", "t"."custom_values", "t"."entity_type_id", "t"."process_id", "t"."project_id"
from "general" "t"
where "t"."delete_date" is null and ("t"."project_id" = any($1::bigint[]) or ("t"."entity_type_id" = 1 and "t"."id" = any($1::bigint[])) or ("t"."entity_type_id" = 10 and exists (select 1
from "general" "t13"
where "t13"."program_id" = "t"."id" and "t13"."id" = any($1::bigint[]))) or ("t"."entity_type_id" = 2 and exists (select 1
from "release_project" "t14"
where "t14"."release_id" = "t"."id" and "t14"."project_id" = any($1::bigint[]))) or ("t"."entity_type_id" = 32 and exists (select 1
from "milestone_project" "t15"
where "t15"."milestone_id" = "t"."id" and "t15"."project_id" = any($1::bigint[]))) or exists (select 1
from "team_assignment" "t16"
where "t16"."assignable_id" = "t"."id" and "t16"."team_id" = any($2::bigint[])) or "t"."entity_type_id" = 23 or "t"."entity_type_id" = 24 or ("t"."entity_type_id" = 31 and ("t"."project_id") is null))
order by "t"."id"
limit 26) p) "i" group by ("i"."n" - 1) / 7
order by ("i"."n" - 1) / 7
