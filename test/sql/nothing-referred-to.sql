-- include=[Id]&where=(Feature is null) and (AssignedUser is null)
-- values: 
select string_agg(case when "i"."n" <= 25 then (('{"ResourceType":"UserStory","Id":'
  || "i"."id")
  || ('}')) end, ',') as items, count(*) > 25 as more
from (select p.*, row_number() over () as n
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and (not exists (select 1
from "general" "t1"
where "t1"."id" = "t"."feature_id" and "t1"."entity_type_id" = 9 and "t1"."delete_date" is null) and not exists (select 1
from "assignment" "t3"
join "general_user" "t2" on "t2"."id" = "t3"."general_user_id"
where "t3"."assignable_id" = "t"."id" and "t2"."delete_date" is null)) and "t"."delete_date" is null
order by "t"."id" desc
limit 26) p) "i"
