-- Further columns of a table whose changes are recorded (tools.sql), and none of these any more. What else is recorded
-- stays, so that a migration need not know what others have added.

create function record_compared(event text, name text) returns text language sql immutable as $$
  select format(
    case event
      when 'insert' then $q$case when null is distinct from n.%1$s
          then '"%1$s":[' || 'null' || ',' || coalesce(to_json(n.%1$s)::text, 'null') || ']' end$q$
      when 'update' then $q$case when o.%1$s is distinct from n.%1$s
          then '"%1$s":[' || coalesce(to_json(o.%1$s)::text, 'null') || ','
            || coalesce(to_json(n.%1$s)::text, 'null') || ']' end$q$
      else $q$case when o.%1$s is distinct from null
          then '"%1$s":[' || coalesce(to_json(o.%1$s)::text, 'null') || ',' || 'null' || ']' end$q$ end, name)
$$;

-- A column that is misspelt would make functions that fail when something is written, a table would change none.
create procedure refuse_unrecorded(recorded text, columns text default null) language plpgsql as $$
  declare
    missing text;
  begin
    if to_regproc(format('record_%s_insert', recorded)) is null then
      raise exception 'Changes of the table % are not recorded.', recorded;
    end if;
    if columns is null then return; end if;
    select string_agg(name, ', ') into missing from regexp_split_to_table(columns, '\s+') name
    where not exists (select from pg_attribute a where a.attrelid = to_regclass(quote_ident(recorded))
      and a.attname = name and a.attnum > 0 and not a.attisdropped);
    if missing is not null then raise exception 'The table % has no column %.', recorded, missing; end if;
  end $$;

create procedure record_also(recorded text, columns text) language plpgsql as $$
  declare
    event text;
    name text;
    definition text;
  begin
    call refuse_unrecorded(recorded, columns);
    foreach event in array array['insert', 'update', 'delete'] loop
      -- Of a link there is nothing to update.
      continue when to_regproc(format('record_%s_%s', recorded, event)) is null;
      definition := pg_get_functiondef(format('record_%s_%s', recorded, event)::regproc);
      foreach name in array regexp_split_to_array(columns, '\s+') loop
        continue when definition ~ ('unnest\(''\{[^}]*\m' || name || '\M[^}]*\}''::text\[\]\)');
        definition := regexp_replace(definition, '(unnest\(''\{[^}]*)(\}''::text\[\]\))', '\1,' || name || '\2');
        definition := replace(definition, 'array_to_string(array[',
          'array_to_string(array[' || record_compared(event, name) || ', ');
      end loop;
      execute definition;
    end loop;
  end $$;

create procedure record_no_more(recorded text, columns text) language plpgsql as $$
  declare
    event text;
    name text;
    compared text;
    names text;
    definition text;
  begin
    call refuse_unrecorded(recorded);
    foreach event in array array['insert', 'update', 'delete'] loop
      continue when to_regproc(format('record_%s_%s', recorded, event)) is null;
      definition := pg_get_functiondef(format('record_%s_%s', recorded, event)::regproc);
      foreach name in array regexp_split_to_array(columns, '\s+') loop
        names := substring(definition from 'unnest\(''\{([^}]*)\}''::text\[\]\)');
        if names = name then raise exception 'Of the table % nothing else is recorded.', recorded; end if;
        definition := replace(definition, format('unnest(''{%s}''::text[])', names),
          format('unnest(''{%s}''::text[])', array_to_string(array_remove(string_to_array(names, ','), name), ',')));
        -- The last one of a list has no comma behind it.
        compared := record_compared(event, name);
        definition := replace(replace(definition, compared || ', ', ''), ', ' || compared, '');
      end loop;
      execute definition;
    end loop;
  end $$;
