-- What has moved is looked at when its transaction ends, since what belongs together is written in some order: it lies
-- in nothing that is deleted, a task where its story lies and a run where its plan lies, and its state is one of the
-- process of its project. The service has looked before; this concerns others that have moved or deleted something at
-- the same moment, for whom foreign keys and locks have waited by then. What has not moved is left as it is.

-- What looked at the end of each statement looks at nothing any more.
create or replace function refuse_moved_to_deleted() returns trigger language plpgsql as $$
  begin
    return null;
  end $$;

-- Looked up by keys, one after the other: a session keeps the plan of its first write, maybe into empty tables.
create function refuse_misplaced() returns trigger language plpgsql as $$
  declare
    item record;
    owner record;
  begin
    select case entity_type_id when 5 then user_story_id when 14 then test_plan_id end as owner_id, project_id
      into item from general where id = new.id and delete_date is null;
    select project_id, delete_date into owner from general where id = item.owner_id;
    if owner.delete_date is not null or owner.project_id <> item.project_id
      or (select p.delete_date from general p where p.id = item.project_id) is not null
    then raise exception 'deleted or moved at the same moment' using errcode = 'serialization_failure'; end if;
    return null;
  end $$;

create function refuse_other_state() returns trigger language plpgsql as $$
  begin
    if (select (select p.process_id from general p where p.id = g.project_id)
          <> (select s.process_id from entity_state s where s.id = g.entity_state_id)
        from general g where g.id = new.id)
    then raise exception 'another process at the same moment' using errcode = 'serialization_failure'; end if;
    return null;
  end $$;

create constraint trigger refuse_misplaced after update of project_id, user_story_id, test_plan_id, delete_date on general
  deferrable initially deferred for each row when (new.delete_date is null
    and (new.project_id, new.user_story_id, new.test_plan_id, null::timestamptz)
      is distinct from (old.project_id, old.user_story_id, old.test_plan_id, old.delete_date))
  execute function refuse_misplaced();

create constraint trigger refuse_other_state after update of project_id, entity_state_id on general
  deferrable initially deferred for each row when (new.entity_state_id is not null
    and (new.project_id, new.entity_state_id) is distinct from (old.project_id, old.entity_state_id))
  execute function refuse_other_state();
