-- include=[Id]&where=CustomFields.Risk eq 'high'&orderBy=CustomFields.Risk
-- values: "{\"Risk\":\"High\"}", "Risk", "Risk", "Risk"
select string_agg(case when p.n <= 25 then (('{"ResourceType":"UserStory","Id":'
  || "i"."id")
  || ('}')) end, ','
order by p.n) as items, count(*) > 25 as more
from (select id, row_number() over () as n
from (select "t"."id"
from "general" "t"
where "t"."entity_type_id" = 4 and "t"."custom_values" @> $1::jsonb and "t"."delete_date" is null
order by ((case when jsonb_typeof(("t"."custom_values" -> $2::text)) = 'object' then ("t"."custom_values" -> $3::text) ->> 'Url' else "t"."custom_values" ->> $4::text end) collate "und-x-icu") nulls first, "t"."id"
limit 26) ids) p
join "general" "i" on "i"."id" = p.id
