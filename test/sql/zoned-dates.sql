-- include=[CreateDate]
-- values: 
select ('{"ResourceType":"Comment","Id":'
  || "t"."id"
  || ',"CreateDate":'
  || ('"\/Date('
  || (date_part('epoch', "t"."create_date") * 1000)::bigint
  || to_char("t"."create_date", 'TZHTZM')
  || ')\/"')
  || '}') as item
from "comment" "t"
where exists (select 1
from "general" "t1"
where "t1"."id" = "t"."general_id" and "t1"."delete_date" is null)
order by "t"."id" desc
limit 26
