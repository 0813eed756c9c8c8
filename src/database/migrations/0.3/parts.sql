-- A task lies where its story lies, a run where its plan lies (settled-places.sql), and time is spent on the project of
-- its item, whoever moves these at the same moment. Foreign keys keep what is referred to from being deleted, not
-- from being changed: so what moves is locked as if it were deleted. Whoever is adding a part comes first, and the move
-- finds that part; or he waits, and begins again.
create function wait_for_parts() returns trigger language plpgsql as $$
  begin
    perform 1 from general where id = new.id for update;
    return new;
  end $$;

create trigger general_moves before update of project_id on general
  for each row when (old.project_id is distinct from new.project_id) execute function wait_for_parts();

-- The trigger of this name comes behind the foreign keys, which wait for the other transaction. A session keeps the plan
-- of its first write, maybe into empty tables: what thousands of rows have in common is looked up once, by key.
create or replace function refuse_added_to_deleted() returns trigger language plpgsql as $$
  begin
    if exists (
        select 1 from fresh f join general p on p.id = f.project_id
        where f.delete_date is null and p.delete_date is not null)
      or exists (
        select 1 from (
          select distinct project_id, case entity_type_id when 5 then user_story_id else test_plan_id end as owner_id
          from fresh where entity_type_id in (5, 14) and delete_date is null) f
        where (select num_nulls(o.delete_date) = 0 or o.project_id <> f.project_id from general o
          where o.id = f.owner_id))
    then raise exception 'deleted or moved at the same moment' using errcode = 'serialization_failure'; end if;
    if exists (
      select 1 from (select distinct project_id, entity_state_id from fresh where entity_state_id is not null) f
      where (select p.process_id from general p where p.id = f.project_id)
        <> (select s.process_id from entity_state s where s.id = f.entity_state_id))
    then raise exception 'another process at the same moment' using errcode = 'serialization_failure'; end if;
    return null;
  end $$;

create function refuse_time_elsewhere() returns trigger language plpgsql as $$
  begin
    if (select g.project_id from general g where g.id = new.assignable_id) <> new.project_id
    then raise exception 'moved at the same moment' using errcode = 'serialization_failure'; end if;
    return null;
  end $$;

create trigger refuse_spent after insert on "time" for each row
  when (new.assignable_id is not null) execute function refuse_time_elsewhere();

create trigger refuse_respent after update of project_id, assignable_id on "time" for each row
  when ((new.project_id, new.assignable_id) is distinct from (old.project_id, old.assignable_id))
  execute function refuse_time_elsewhere();
