-- where=(entityState.name=='Open' or tasks.count()>2) and not(feature.epic.name=='x') and Risk=='high'&select=id&orderBy=effort desc
-- values: "Open", "2", "x", "{\"Risk\":\"High\"}"
select string_agg(case when p.n <= 25 then ("i"."id")::text end, ','
order by p.n) as items, count(*) > 25 as more
from (select id, row_number() over () as n
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and (("t"."entity_state_id" = any(array(select "t1"."id"
from "entity_state" "t1"
where lower("t1"."name") = lower($1::text collate "und-x-icu")))) or (select count(*)
from "general" "t2"
where "t2"."user_story_id" = "t"."id" and "t2"."entity_type_id" = 5 and "t2"."delete_date" is null) > $2::bigint) and not exists (select 1
from "general" "t3"
where "t3"."id" = "t"."feature_id" and "t3"."entity_type_id" = 9 and exists (select 1
from "general" "t4"
where "t4"."id" = "t3"."epic_id" and "t4"."entity_type_id" = 27 and lower("t4"."name") = lower($3::text collate "und-x-icu") and "t4"."delete_date" is null) and "t3"."delete_date" is null) and "t"."custom_values" @> $4::jsonb and "t"."delete_date" is null
order by "t"."effort" desc nulls last, "t"."id" desc
limit 26) ids) p
join "general" "i" on "i"."id" = p.id
