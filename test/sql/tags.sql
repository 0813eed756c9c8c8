-- include=[Id]&where=Tags contains '*urg*'
-- values: "%urg%"
select ('{"ResourceType":"UserStory","Id":'
  || "i"."id"
  || '}') as item, p.more
from (select id, row_number() over () as n, count(*) over () > 25 as more
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and exists (select 1
from "tag" "t1"
where "t1"."id" in (select "t2"."tag_id"
from "general_tag" "t2"
where "t2"."general_id" = "t"."id") and lower("t1"."name") like lower($1::text)) and "t"."delete_date" is null
order by "t"."id" desc
limit 26 offset 0) ids) p
join "general" "i" on "i"."id" = p.id
where p.n <= 25
order by p.n
