-- The set-up of processes has a version, which grows with each change of a table that it lies in. Each table has a row of
-- its own, so that changes of different tables do not wait for each other; the version is their sum.

create table set_up_version (
  table_name text primary key,
  version bigint not null default 0
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

create function set_up_changed() returns trigger language plpgsql as $$
begin
  update set_up_version set version = version + 1 where table_name = tg_table_name;
  return null;
end
$$;

do $$
declare
  set_up text;
begin
  foreach set_up in array array['process', 'practice', 'process_practice', 'workflow', 'entity_state', 'entity_type',
    'priority', 'severity', 'request_type', 'role', 'role_entity_type', 'custom_rule']
  loop
    insert into set_up_version (table_name) values (set_up);
    execute format('create trigger set_up_changed after insert or update or delete on %I
      for each statement execute function set_up_changed()', set_up);
  end loop;
end
$$;
