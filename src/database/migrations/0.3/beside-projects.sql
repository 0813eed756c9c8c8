-- As in settled-places.sql; but programs, teams, team iterations and milestones do not lie in a project that they were
-- given: that may be deleted.
create or replace function refuse_misplaced() returns trigger language plpgsql as $$
  declare
    item record;
    owner record;
  begin
    select case entity_type_id when 5 then user_story_id when 14 then test_plan_id end as owner_id,
        case when entity_type_id not in (10, 23, 24, 32) then project_id end as project_id
      into item from general where id = new.id and delete_date is null;
    select project_id, delete_date into owner from general where id = item.owner_id;
    if owner.delete_date is not null or owner.project_id <> item.project_id
      or (select p.delete_date from general p where p.id = item.project_id) is not null
    then raise exception 'deleted or moved at the same moment' using errcode = 'serialization_failure'; end if;
    return null;
  end $$;
