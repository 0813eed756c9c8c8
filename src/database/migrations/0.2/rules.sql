-- What the database keeps true, whoever writes.

-- Every change of a row is counted, unless past or computed data is loaded. A link that follows from the other side
-- comes without a date of change, and counts no version.
create function count_version() returns trigger language plpgsql as $$
  begin
    if current_setting('worktrack.versions', true) = 'off' then return new; end if;
    if new.modify_date = old.modify_date and (new.linked_general_id, new.linked_test_plan_id)
      is distinct from (old.linked_general_id, old.linked_test_plan_id) then return new; end if;
    new.entity_version := old.entity_version + 1;
    return new;
  end $$;

create trigger general_version before update on general
  for each row when (old.* is distinct from new.*) execute function count_version();

-- Nothing is put into a deleted project or story. The service has looked before; this concerns a deletion at the same
-- moment: the write begins again and is refused. Triggers of these names come behind the foreign keys, which wait for
-- the other transaction.
create function refuse_added_to_deleted() returns trigger language plpgsql as $$
  begin
    if exists (
      select 1 from fresh f join general p on p.id = f.project_id or (f.entity_type_id = 5 and p.id = f.user_story_id)
      where f.delete_date is null and p.delete_date is not null)
    then raise exception 'deleted at the same moment' using errcode = 'serialization_failure'; end if;
    return null;
  end $$;

-- What is restored at once may be thousands of rows, and a session keeps the plan of its first write, of a few rows
-- mostly: no joins, and no condition on deletion to search by.
create function refuse_moved_to_deleted() returns trigger language plpgsql as $$
  begin
    if exists (
      select 1 from (
        select id, entity_type_id, project_id, user_story_id from fresh where delete_date is null
        except all
        select id, entity_type_id, project_id, user_story_id from stale where delete_date is null) f
      where exists (select 1 from general p where p.id = f.project_id and num_nulls(p.delete_date) = 0)
        or f.entity_type_id = 5
          and exists (select 1 from general p where p.id = f.user_story_id and num_nulls(p.delete_date) = 0))
    then raise exception 'deleted at the same moment' using errcode = 'serialization_failure'; end if;
    return null;
  end $$;

create trigger refuse_added after insert on general referencing new table as fresh
  for each statement execute function refuse_added_to_deleted();

create trigger refuse_moved after update on general referencing old table as stale new table as fresh
  for each statement execute function refuse_moved_to_deleted();

-- Dates of users have whole seconds, as clients expect.
create function whole_seconds() returns trigger language plpgsql as $$
  begin
    new.create_date := date_trunc('second', new.create_date);
    new.modify_date := date_trunc('second', new.modify_date);
    new.delete_date := date_trunc('second', new.delete_date);
    new.last_login_date := date_trunc('second', new.last_login_date);
    new.available_from := date_trunc('second', new.available_from);
    return new;
  end $$;

create trigger whole_seconds
  before insert or update of create_date, modify_date, delete_date, last_login_date, available_from on general_user
  for each row execute function whole_seconds();

-- A session does not outlive the password, nor the login.
create function end_sessions() returns trigger language plpgsql as $$
  begin
    delete from session where user_id = new.id;
    return null;
  end $$;

create trigger end_sessions after update of password_hash, is_active, delete_date, login on general_user
  for each row when (old.password_hash is distinct from new.password_hash or not new.is_active
    or new.delete_date is not null or old.login is distinct from new.login)
  execute function end_sessions();

-- "since": from when on a membership holds. Whoever could see a row when it was deleted may still ask for it. No
-- later than a date of deletion of the same moment, which has milliseconds.
create function began_now() returns trigger language plpgsql as $$
  begin
    new.since := date_trunc('milliseconds', now());
    return new;
  end $$;

create trigger project_member_began before insert or update of project_id, user_id on project_member
  for each row execute function began_now();

create trigger team_member_began before insert or update of team_id, user_id on team_member
  for each row execute function began_now();

create trigger team_project_began before insert or update of team_id, project_id on team_project
  for each row execute function began_now();

-- Memberships without a beginning are older than any deletion.
create function was_in_team(person bigint, team bigint, moment timestamptz) returns boolean language sql stable as $$
  select exists (
    select from team_member m
    where m.user_id = person and m.team_id = team and coalesce(m.since <= moment, true)
      and exists (select from general t where t.id = m.team_id and t.delete_date is null))
$$;

create function was_in_project(person bigint, project bigint, moment timestamptz) returns boolean
  language sql stable as $$
  select exists (
      select from project_member m
      where m.user_id = person and m.project_id = project and coalesce(m.since <= moment, true))
    or exists (
      select from team_member m join team_project p on p.team_id = m.team_id
      where m.user_id = person and p.project_id = project and coalesce(m.since <= moment, true)
        and coalesce(p.since <= moment, true)
        and exists (select from general t where t.id = m.team_id and t.delete_date is null))
$$;

-- A run of a test case is linked with its run of a plan and all runs above that.
create function link_case_runs() returns trigger language plpgsql as $$
  begin
    with recursive above as (
      select id as case_run, test_plan_run_id as run from fresh
      union
      select a.case_run, g.parent_test_plan_run_id from above a join general g on g.id = a.run
      where g.parent_test_plan_run_id is not null)
    insert into test_run_item_hierarchy_link (test_case_run_id, test_plan_run_id)
      select case_run, run from above order by case_run, run on conflict do nothing;
    return null;
  end $$;

create function unlink_case_runs() returns trigger language plpgsql as $$
  begin
    delete from test_run_item_hierarchy_link l using stale s where l.test_case_run_id = s.id;
    return null;
  end $$;

-- A run that moves takes what lies below it along, and keeps the links that stay true: those above may be out of
-- sight.
create function move_case_runs() returns trigger language plpgsql as $$
  declare
    moved bigint[];
  begin
    with recursive below as (
      select new.id as run
      union
      select g.id from below b join general g on g.parent_test_plan_run_id = b.run)
    select array_agg(c.id) into moved from below b join test_case_run c on c.test_plan_run_id = b.run;
    with recursive above as (
      select id as case_run, test_plan_run_id as run from test_case_run where id = any(moved)
      union
      select a.case_run, g.parent_test_plan_run_id from above a join general g on g.id = a.run
      where g.parent_test_plan_run_id is not null)
    delete from test_run_item_hierarchy_link l where l.test_case_run_id = any(moved)
      and (l.test_case_run_id, l.test_plan_run_id) not in (select case_run, run from above);
    with recursive above as (
      select id as case_run, test_plan_run_id as run from test_case_run where id = any(moved)
      union
      select a.case_run, g.parent_test_plan_run_id from above a join general g on g.id = a.run
      where g.parent_test_plan_run_id is not null)
    insert into test_run_item_hierarchy_link (test_case_run_id, test_plan_run_id)
      select case_run, run from above order by case_run, run on conflict do nothing;
    return null;
  end $$;

create trigger link_case_runs after insert on test_case_run referencing new table as fresh
  for each statement execute function link_case_runs();

create trigger unlink_case_runs after delete on test_case_run referencing old table as stale
  for each statement execute function unlink_case_runs();

create trigger move_case_runs after update of parent_test_plan_run_id on general
  for each row when (old.parent_test_plan_run_id is distinct from new.parent_test_plan_run_id)
  execute function move_case_runs();
