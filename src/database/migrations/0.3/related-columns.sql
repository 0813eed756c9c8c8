-- Takes a column out of the views of related work items, ahead of its end in "general" (add_to_related_assignables).
create procedure take_from_related_assignables(old_column text) language plpgsql as $$
  declare
    related text;
    definition text;
  begin
    foreach related in array array['inbound_assignable', 'outbound_assignable'] loop
      definition := replace(pg_get_viewdef(related::regclass), format(E',\n    g.%I\n', old_column), E'\n');
      definition := replace(definition, format(E'\n    g.%I,\n', old_column), E'\n');
      execute format('drop view %I', related);
      execute format('create view %I as %s', related, definition);
    end loop;
  end $$;
