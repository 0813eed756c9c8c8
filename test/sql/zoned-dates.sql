-- include=[CreateDate]
-- values: 
select ('{"ResourceType":"Comment","Id":'
  || "i"."id"
  || ',"CreateDate":'
  || ('"\/Date('
  || (date_part('epoch', "i"."create_date") * 1000)::bigint
  || to_char("i"."create_date", 'TZHTZM')
  || ')\/"')
  || '}') as item, p.more
from (select id, row_number() over () as n, count(*) over () > 25 as more
from (select "t"."id"
from "comment" "t"
where exists (select 1
from "general" "t1"
where "t1"."id" = "t"."general_id" and "t1"."delete_date" is null)
order by "t"."id" desc
limit 26 offset 0) ids) p
join "comment" "i" on "i"."id" = p.id
where p.n <= 25
order by p.n
