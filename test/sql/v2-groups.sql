-- groupBy=state:entityState.name&result={count,sum(effort)}
-- values: ",\"state\":"
select case when g.n <= 25 then g.item end as items, g.n > 25 as more
from (select (('{'
  || substr((((''
  || coalesce((''
  || $1::text
  || to_json(min((("t1"."k0") collate "und-x-icu")))::text), ''))
  || (',"count":'
  || (count(*))::text))
  || (',"sum":'
  || (coalesce(sum("t"."effort"), 0.0000))::text)), 2))
  || ('}')) as item, row_number() over (order by lower("t1"."k0" collate "und-x-icu") nulls first) as n
from "general" "t" cross
join lateral (select (select "t2"."name"
from "entity_state" "t2"
where "t2"."id" = "t"."entity_state_id") as "k0" offset 0) "t1"
where "t"."entity_type_id" = 4 and "t"."delete_date" is null group by lower("t1"."k0" collate "und-x-icu")
order by lower("t1"."k0" collate "und-x-icu") nulls first
limit 26) g
order by g.n
