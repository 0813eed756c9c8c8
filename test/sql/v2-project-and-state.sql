-- where=entityState.name in ['Open','Done'] and project.id==7 and id>5&select={id,name}
-- values: ["Open","Done"], "7", "7", <actor.projects>, "5", <actor.teams>
select string_agg(case when "i"."n" <= 25 then ((('{"id":'
  || ("i"."id")::text)
  || (',"name":'
  || to_json("i"."name")::text))
  || ('}')) end, ',') as items, count(*) > 25 as more
from (select p.*, row_number() over () as n
from (select "t2"."id", "t2"."name"
from unnest(array(select "t1"."id"
from "entity_state" "t1"
where "t1"."entity_type_id" = 4 and lower("t1"."name") in (select lower(listed collate "und-x-icu")
from unnest($1::text[]) listed))) "t3" cross
join lateral (select "t"."id", "t"."name"
from "general" "t"
where "t"."entity_type_id" = 4 and "t"."entity_state_id" = "t3" and ("t"."project_id" = $2::bigint and exists (select 1
from "general" "t4"
where "t4"."id" = $3::bigint and "t4"."entity_type_id" = 1 and "t4"."delete_date" is null and "t4"."id" = any($4::bigint[]))) and "t"."id" > $5::bigint and "t"."delete_date" is null and ("t"."project_id" = any($4::bigint[]) or exists (select 1
from "team_assignment" "t5"
where "t5"."assignable_id" = "t"."id" and "t5"."team_id" = any($6::bigint[])))
order by "t"."id" desc
limit 26) "t2"
order by "t2"."id" desc
limit 26) p) "i"
