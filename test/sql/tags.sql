-- include=[Id]&where=Tags contains '*urg*'
-- values: "%urg%"
select string_agg(case when "i"."n" <= 25 then (('{"ResourceType":"UserStory","Id":'
  || "i"."id")
  || ('}')) end, ',') as items, count(*) > 25 as more
from (select p.*, row_number() over () as n
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and exists (select 1
from "general_tag" "t2"
join "tag" "t1" on "t1"."id" = "t2"."tag_id"
where "t2"."general_id" = "t"."id" and lower("t1"."name") like lower($1::text collate "und-x-icu")) and "t"."delete_date" is null
order by "t"."id" desc
limit 26) p) "i"
