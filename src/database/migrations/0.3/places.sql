-- No team that is deleted at the same moment gets items. Items themselves: settled-places.sql.
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
