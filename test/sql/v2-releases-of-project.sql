-- where=(Projects.Count(ID=='7')>0)&select={id}
-- values: "7"
select string_agg(case when "i"."n" <= 25 then (('{"id":'
  || ("i"."id")::text)
  || ('}')) end, ',') as items, count(*) > 25 as more
from (select p.*, row_number() over () as n
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 2 and exists (select 1
from "release_project" "t2"
join "general" "t1" on "t1"."id" = "t2"."project_id"
where "t2"."release_id" = "t"."id" and "t1"."entity_type_id" = 1 and "t1"."id" = $1::bigint and "t1"."delete_date" is null) and "t"."delete_date" is null
order by "t"."id" desc
limit 26) p) "i"
