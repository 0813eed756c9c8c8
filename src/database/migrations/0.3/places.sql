-- As in 0.2/rules.sql, and of more: a run is put below no plan that is deleted at the same moment, no team that is
-- deleted gets items, and what is new in a project has a state of the process that the project has by now.
--
-- A session keeps the plan of its first write, maybe into empty tables: what thousands of rows have in common is looked
-- up once, by key.
create or replace function refuse_added_to_deleted() returns trigger language plpgsql as $$
  begin
    if exists (
        select 1 from fresh f join general p on p.id = f.project_id or (f.entity_type_id = 5 and p.id = f.user_story_id)
        where f.delete_date is null and p.delete_date is not null)
      or exists (
        select 1 from (select distinct test_plan_id from fresh where entity_type_id = 14 and delete_date is null) f
        where (select p.delete_date from general p where p.id = f.test_plan_id) is not null)
    then raise exception 'deleted at the same moment' using errcode = 'serialization_failure'; end if;
    if exists (
      select 1 from (select distinct project_id, entity_state_id from fresh where entity_state_id is not null) f
      where (select p.process_id from general p where p.id = f.project_id)
        <> (select s.process_id from entity_state s where s.id = f.entity_state_id))
    then raise exception 'another process at the same moment' using errcode = 'serialization_failure'; end if;
    return null;
  end $$;

create or replace function refuse_moved_to_deleted() returns trigger language plpgsql as $$
  begin
    if exists (
      select 1 from (
        select id, entity_type_id, project_id, user_story_id, test_plan_id from fresh where delete_date is null
        except all
        select id, entity_type_id, project_id, user_story_id, test_plan_id from stale where delete_date is null) f
      where exists (select 1 from general p where p.id = f.project_id and num_nulls(p.delete_date) = 0)
        or f.entity_type_id = 5
          and exists (select 1 from general p where p.id = f.user_story_id and num_nulls(p.delete_date) = 0)
        or f.entity_type_id = 14
          and exists (select 1 from general p where p.id = f.test_plan_id and num_nulls(p.delete_date) = 0))
    then raise exception 'deleted at the same moment' using errcode = 'serialization_failure'; end if;
    if exists (
      select 1 from (
        select distinct project_id, entity_state_id from (
          select id, project_id, entity_state_id from fresh where entity_state_id is not null
          except all
          select id, project_id, entity_state_id from stale) moved) f
      where (select p.process_id from general p where p.id = f.project_id)
        <> (select s.process_id from entity_state s where s.id = f.entity_state_id))
    then raise exception 'another process at the same moment' using errcode = 'serialization_failure'; end if;
    return null;
  end $$;

create or replace function refuse_assigned_to_deleted() returns trigger language plpgsql as $$
  begin
    if exists (
      select 1 from (select distinct team_id from fresh) f
      where exists (select 1 from general t where t.id = f.team_id and num_nulls(t.delete_date) = 0))
    then raise exception 'deleted at the same moment' using errcode = 'serialization_failure'; end if;
    return null;
  end $$;

create or replace trigger refuse_assigned after insert on team_assignment referencing new table as fresh
  for each statement execute function refuse_assigned_to_deleted();

create or replace function refuse_reassigned_to_deleted() returns trigger language plpgsql as $$
  begin
    if exists (
      select 1 from (select id, team_id from fresh except all select id, team_id from stale) f
      where exists (select 1 from general t where t.id = f.team_id and num_nulls(t.delete_date) = 0))
    then raise exception 'deleted at the same moment' using errcode = 'serialization_failure'; end if;
    return null;
  end $$;

create or replace trigger refuse_reassigned after update on team_assignment
  referencing old table as stale new table as fresh
  for each statement execute function refuse_reassigned_to_deleted();
