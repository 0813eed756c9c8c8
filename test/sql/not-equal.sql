-- include=[Id]&where=Release.Name ne 'x'
-- values: "x"
select ('{"ResourceType":"UserStory","Id":'
  || "i"."id"
  || '}') as item, p.more
from (select id, row_number() over () as n, count(*) over () > 25 as more
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and not exists (select 1
from "general" "t1"
where "t1"."id" = "t"."release_id" and lower("t1"."name") = lower($1::text) and "t1"."delete_date" is null) and "t"."delete_date" is null
order by "t"."id" desc
limit 26 offset 0) ids) p
join "general" "i" on "i"."id" = p.id
where p.n <= 25
order by p.n
