-- include=[CreateDate]
-- values: 
select string_agg(case when "i"."n" <= 25 then ((('{"ResourceType":"Comment","Id":'
  || "i"."id")
  || (',"CreateDate":'
  || coalesce(case when ("i"."create_date") between greatest(timestamptz '0001-01-01', '0001-01-01Z') and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z') then '"\/Date('
  || (date_part('epoch', "i"."create_date") * 1000)::bigint
  || to_char("i"."create_date", 'TZHTZM')
  || ')\/"' end, 'null')))
  || ('}')) end, ',') as items, count(*) > 25 as more
from (select p.*, row_number() over () as n
from (select "t"."id", "t"."create_date"
from "comment" "t"
where exists (select 1
from "general" "t1"
where "t1"."id" = "t"."general_id" and "t1"."delete_date" is null)
order by "t"."id" desc
limit 26) p) "i"
