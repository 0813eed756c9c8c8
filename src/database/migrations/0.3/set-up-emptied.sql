-- Whoever empties a table of the set-up of processes changes it.

do $$
declare
  set_up text;
begin
  for set_up in select table_name from set_up_version
  loop
    execute format('create or replace trigger set_up_changed after insert or update or delete or truncate on %I
      for each statement execute function set_up_changed()', set_up);
  end loop;
end
$$;
