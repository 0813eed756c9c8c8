-- Values of custom fields that are not of the type of their field, or that belong to no field of the process and kind of
-- their entity: what a field of texts has shown of them stays, as a text, and nothing else. A text that has the form of
-- pointers to entities goes where a field of its name and kind has ever pointed at several: it tells what not everybody
-- may see. Chosen options are spelled as the field has them. What goes stands in the record of changes.
--
-- Both statements begin with the names, in lower case, and kinds of fields that have ever pointed at several.

with recorded as materialized (
  select r.entity_id as id, c.key, w.word
  from change_record r cross join lateral jsonb_each(r.changes) c cross join lateral jsonb_array_elements_text(c.value) w(word)
  where r.resource = 'CustomField' and c.key in ('name', 'field_type', 'entity_type_id')
    and r.entity_id between 1 and (select max(id) from (select id from custom_field union all
      select last_value from custom_field_id_seq) ids)),
facts as (
  select * from recorded union select f.id, v.* from custom_field f, lateral (
    values ('name', f.name), ('field_type', f.field_type), ('entity_type_id', f.entity_type_id::text)) v),
pointing as materialized (
  select distinct lower(n.word) as name, k.word::bigint as kind
  from facts t join facts n on n.id = t.id and n.key = 'name' join facts k on k.id = t.id and k.key = 'entity_type_id'
  where t.key = 'field_type' and t.word = 'MultipleEntities');

-- Whatever may be concerned.
fields as materialized (
  select f.*, (lower(f.name), f.entity_type_id) in (select name, kind from pointing) as has_pointed
  from custom_field f),
options as materialized (
  select f.id, btrim(o.option) as option, lower(btrim(o.option) collate "und-x-icu") as folded
  from fields f cross join lateral regexp_split_to_table(f.value, '[\r\n]+') o(option)
  where f.field_type = 'DropDown'),
held as (
  select t.id, :kind as kind, :process as process, e.key, e.value, e.value #>> '{}' as word
  from ":table" t cross join lateral jsonb_each(t.custom_values) e
  where t.custom_values <> '{}' and jsonb_typeof(t.custom_values) = 'object')
select distinct h.id
from held h left join fields f
  on f.name = h.key and f.entity_type_id = h.kind and (f.process_id is null or f.process_id = h.process)
  left join (select distinct id, option from options) o on o.id = f.id and o.option = h.word
  left join (select distinct id, folded from options) s
  on s.id = f.id and s.folded = lower(h.word collate "und-x-icu")
where f.id is null or case f.field_type
  when 'Number' then jsonb_typeof(h.value) <> 'number'
  when 'Money' then jsonb_typeof(h.value) <> 'number'
  when 'CheckBox' then jsonb_typeof(h.value) <> 'boolean'
  when 'Date' then jsonb_typeof(h.value) <> 'string'
    or h.word !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$'
  when 'URL' then h.value ->> 'Url' is null
  when 'Entity' then h.value ->> 'Kind' is null
  when 'MultipleEntities' then jsonb_typeof(h.value) <> 'string' or h.word !~* search_pointers()
  when 'DropDown' then jsonb_typeof(h.value) <> 'string' or o.option is null and s.folded is not null
    or f.has_pointed and h.word ~* search_pointers()
  else jsonb_typeof(h.value) <> 'string' or f.has_pointed and h.word ~* search_pointers() end
order by 1;

held as materialized (
  select t.id, :kind as kind, :process as process, :resource as resource, :project as project, t.custom_values
  from ":table" t where t.id = any($1::bigint[])),
fitted as materialized (
  select h.*, (
    select coalesce(jsonb_object_agg(v.name, v.value) filter (where v.value is not null), '{}')
    from (
      select f.name, case
        when f.field_type in ('Number', 'Money') then case when jsonb_typeof(e.value) = 'number' then e.value end
        when f.field_type = 'CheckBox' then case when jsonb_typeof(e.value) = 'boolean' then e.value end
        when f.field_type = 'Date'
          then case when jsonb_typeof(e.value) = 'string' and moment_of(w.word) is not null then e.value end
        when f.field_type = 'URL' then case when e.value ->> 'Url' is not null then e.value end
        when f.field_type = 'Entity' then case when e.value ->> 'Kind' is not null then e.value end
        when f.field_type = 'MultipleEntities'
          then case when jsonb_typeof(e.value) = 'string' and w.word ~* search_pointers() then e.value end
        when jsonb_typeof(e.value) = 'object'
          then to_jsonb(case when e.value ->> 'Kind' is null then e.value ->> 'Url' end)
        when w.word ~* search_pointers() and (lower(f.name), f.entity_type_id) in (select name, kind from pointing)
          then null
        when f.field_type = 'DropDown' then to_jsonb(coalesce((
          select btrim(o.option) from regexp_split_to_table(f.value, '[\r\n]+') with ordinality o(option, n)
          where lower(btrim(o.option) collate "und-x-icu") = lower(w.word collate "und-x-icu")
          order by btrim(o.option) <> w.word, n limit 1), w.word))
        else to_jsonb(w.word) end as value
      from jsonb_each(h.custom_values) e cross join lateral (select e.value #>> '{}' as word) w
      cross join lateral (
        select * from custom_field f
        where f.entity_type_id = h.kind and (f.process_id is null or f.process_id = h.process)
          and (f.name = e.key or lower(f.name) = lower(e.key) and not h.custom_values ? f.name)
        order by f.name <> e.key, f.process_id limit 1) f) v) as fit
  from held h),
noted as (
  insert into change_record (kind, resource, entity_id, project_id, changes)
  select 'update', resource, id, project, jsonb_build_object('custom_values', jsonb_build_array(custom_values, fit))
  from fitted where fit <> custom_values order by id)
update ":table" t
set custom_values = f.fit
from fitted f, (select set_config('worktrack.history', 'off', true)) alone
where t.id = f.id and f.fit <> f.custom_values
