-- What later migrations call as well.

-- Makes the triggers that record the changes of a table, in the listed columns, or makes them anew for other columns.
-- "resource" and "project" are expressions over its row "r", as is "author", for where no service has said who writes.
-- "general" is the column of the General in whose project the row lies. A row of a link table has the id of what its
-- column "link" refers to. "is_restored": rows are marked as deleted, and may be restored. A statement that records its
-- own change leaves a mark in worktrack.recorded, which keeps the triggers of its table from recording the same;
-- recorded-tables.ts has the same list for such statements.
create procedure record_changes_of(
  recorded text, columns text, resource text default null, project text default 'null::bigint',
  general text default null, author text default null, link text default null, is_restored boolean default false
) language plpgsql as $procedure$
  declare
    names constant text[] := regexp_split_to_array(columns, '\s+');
    id constant text := 'r.' || coalesce(link, 'id');
    given_author constant text := $$nullif(current_setting('worktrack.author', true), '')::bigint$$;
    kind constant text := case when is_restored then $$case when o.delete_date is null and n.delete_date is not null
      then 'delete' when o.delete_date is not null and n.delete_date is null then 'restore' else 'update' end$$
      else $$'update'$$ end;
    event record;
    record_values text;
  begin
    resource := coalesce(resource, quote_literal(replace(initcap(replace(recorded, '_', ' ')), ' ', '')));
    if general is not null then
      project := format('(select case when g.entity_type_id = 1 then g.id else g.project_id end
        from general g where g.id = r.%s)', general);
    end if;
    for event in select * from (values
      ('insert', 'new table as fresh', 'fresh', 'fresh n', 'n', $$'create'$$,
        $$'{}'::jsonb$$, 'to_jsonb(n)',
        $$case when null is distinct from n.%1$s
          then '"%1$s":[' || 'null' || ',' || coalesce(to_json(n.%1$s)::text, 'null') || ']' end$$),
      ('update', 'old table as stale new table as fresh', 'fresh', 'stale o join fresh n on n.id = o.id', 'n', kind,
        'to_jsonb(o)', 'to_jsonb(n)',
        $$case when o.%1$s is distinct from n.%1$s
          then '"%1$s":[' || coalesce(to_json(o.%1$s)::text, 'null') || ','
            || coalesce(to_json(n.%1$s)::text, 'null') || ']' end$$),
      ('delete', 'old table as stale', 'stale', 'stale o', 'o', $$'delete'$$,
        'to_jsonb(o)', $$'{}'::jsonb$$,
        $$case when o.%1$s is distinct from null
          then '"%1$s":[' || coalesce(to_json(o.%1$s)::text, 'null') || ',' || 'null' || ']' end$$)
    ) e(name, transitions, rows, source, row, kind, before, after, compared)
    loop
      -- Of a link there is nothing to update: it comes and goes.
      continue when link is not null and event.name = 'update';
      record_values := concat_ws(', ',
        case when author is null then given_author
          else format('coalesce(%s, %s)', given_author, replace(author, 'r.', event.row || '.')) end,
        $$nullif(current_setting('worktrack.request', true), '')$$,
        event.kind,
        replace(resource, 'r.', event.row || '.'),
        replace(id, 'r.', event.row || '.'),
        replace(project, 'r.', event.row || '.'),
        'd.changes');
      execute format($function$
create or replace function record_%1$s_%2$s() returns trigger language plpgsql as $$
  begin
    if current_setting('worktrack.history', true) = 'off' or current_setting('worktrack.totals', true) <> ''
      or current_setting('worktrack.recorded', true) = '%1$s ' || statement_timestamp() then return null; end if;
    if exists (select from %3$s offset 20) then
      -- Of many rows: these expressions are set up once.
      execute $q$
        insert into change_record (author_id, request_id, kind, resource, entity_id, project_id, changes)
        select %4$s
        from %5$s cross join lateral (
          select ('{' || nullif(array_to_string(array[%6$s], ','), '') || '}')::jsonb as changes offset 0) d
        where d.changes is not null order by 5 $q$;
    else
      -- Of a few rows: expressions for each of fifty columns would take longer to set up than this takes to run.
      insert into change_record (author_id, request_id, kind, resource, entity_id, project_id, changes)
      select %4$s
      from %5$s cross join lateral (
        select jsonb_object_agg(v.name, jsonb_build_array(v.before, v.after)) as changes
        from (
          select k.name, nullif(w.before -> k.name, 'null') as before, nullif(w.after -> k.name, 'null') as after
          from (select %7$s as before, %8$s as after offset 0) w, unnest('{%9$s}'::text[]) k(name)) v
        where v.before is distinct from v.after) d
      where d.changes is not null order by 5;
    end if;
    return null;
  end $$ $function$,
        recorded, event.name, event.rows, record_values, event.source,
        (select string_agg(format(event.compared, name), ', ' order by at)
          from unnest(names) with ordinality n(name, at)),
        event.before, event.after, array_to_string(names, ','));
      execute format($trigger$
        create or replace trigger %1$s_recorded_%2$s after %2$s on %1$I referencing %3$s
          for each statement execute function record_%1$s_%2$s() $trigger$, recorded, event.name, event.transitions);
    end loop;
  end $procedure$;

-- Gives the views of related work items a column that "general" has got.
create procedure add_to_related_assignables(new_column text) language plpgsql as $$
  declare
    related text;
  begin
    foreach related in array array['inbound_assignable', 'outbound_assignable'] loop
      execute format('create or replace view %I as %s', related,
        replace(pg_get_viewdef(related::regclass), E'\n   FROM', format(E',\n    g.%I\n   FROM', new_column)));
    end loop;
  end $$;
