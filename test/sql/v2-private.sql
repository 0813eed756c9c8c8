-- where=login.startsWith('a')&select={id,login}&orderBy=email
-- values: <actor.user>, "a%"
select string_agg(case when p.n <= 25 then (('{"id":'
  || ("i"."id")::text
  || coalesce((',"login":'
  || to_json(case when "i"."id" = $1::bigint then "i"."login" end)::text), ''))
  || ('}')) end, ','
order by p.n) as items, count(*) > 25 as more
from (select id, row_number() over () as n
from (select "t"."id"
from "general_user" "t"
where "t"."kind" = 'User' and lower(case when "t"."id" = $1::bigint then "t"."login" end) like lower($2::text collate "und-x-icu") and "t"."delete_date" is null
order by case when "t"."id" = $1::bigint then "t"."email" end nulls first, "t"."id"
limit 26) ids) p
join "general_user" "i" on "i"."id" = p.id
