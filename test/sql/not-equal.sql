-- include=[Id]&where=Release.Name ne 'x'
-- values: "x"
select string_agg(case when "i"."n" <= 25 then (('{"ResourceType":"UserStory","Id":'
  || "i"."id")
  || ('}')) end, ',') as items, count(*) > 25 as more
from (select p.*, row_number() over () as n
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and not exists (select 1
from "general" "t1"
where "t1"."id" = "t"."release_id" and "t1"."entity_type_id" = 2 and lower("t1"."name") = lower($1::text collate "und-x-icu") and "t1"."delete_date" is null) and "t"."delete_date" is null
order by "t"."id" desc
limit 26) p) "i"
