-- include=[Id]&where=(Feature is null) and (AssignedUser is null)
-- values: 
select ('{"ResourceType":"UserStory","Id":'
  || "i"."id"
  || '}') as item, p.more
from (select id, row_number() over () as n, count(*) over () > 25 as more
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and (not exists (select 1
from "general" "t1"
where "t1"."id" = "t"."feature_id" and "t1"."delete_date" is null) and not exists (select 1
from "general_user" "t2"
where "t2"."id" in (select "t3"."general_user_id"
from "assignment" "t3"
where "t3"."assignable_id" = "t"."id") and "t2"."delete_date" is null)) and "t"."delete_date" is null
order by "t"."id" desc
limit 26 offset 0) ids) p
join "general" "i" on "i"."id" = p.id
where p.n <= 25
order by p.n
