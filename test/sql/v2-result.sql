-- result={count,sum(effort),big:count(effort>8)}
-- values: ",\"big\":", "8"
select coalesce(((('{"count":'
  || (count(*))::text)
  || (',"sum":'
  || (coalesce(sum("t"."effort"), 0.0000))::text
  || $1::text
  || (count(*) filter (where "t"."effort" > $2::bigint))::text))
  || ('}')), 'null') as items, false as more
from "general" "t"
where "t"."entity_type_id" = 4 and "t"."delete_date" is null
