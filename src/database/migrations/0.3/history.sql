-- Full histories keep more: planned dates, the initial estimate, severity, build and what an item lies in.
alter table full_history
  add column planned_start_date timestamptz(3),
  add column planned_end_date timestamptz(3),
  add column initial_estimate numeric(18,4),
  add column severity_id bigint,
  add column portfolio_epic_id bigint,
  add column epic_id bigint,
  add column feature_id bigint,
  add column user_story_id bigint,
  add column build_id bigint,
  add column is_changed_planned_start_date boolean default false,
  add column is_changed_planned_end_date boolean default false,
  add column is_changed_initial_estimate boolean default false,
  add column is_changed_severity boolean default false,
  add column is_changed_portfolio_epic boolean default false,
  add column is_changed_epic boolean default false,
  add column is_changed_feature boolean default false,
  add column is_changed_user_story boolean default false,
  add column is_changed_build boolean default false;

-- What readers of the project see of what its items lie in: that of the project, releases that it shares, and what lies
-- in no project, as portfolio epics may.
create or replace function is_place_of(place bigint, project bigint) returns boolean language sql stable as $$
  select exists (
    select from general p
    where p.id = place and (p.project_id = project or p.project_id is null
      or exists (select from release_project r where r.release_id = place and r.project_id = project)))
$$;

insert into macro (name, text) values
  ('FOLLOW_SIMPLY', 'update simple_history h set modifier_id = n.last_editor_id, SET_KEPT
    CHANGED_ITEMS and (KEPT_OF(o)) is distinct from (KEPT_OF(n)) and h.general_id = n.id and THIS_MOMENT'),
  -- The current record shows these numbers as they are now, and no time of their change.
  ('FOLLOW_TOTALS', 'update full_history h set effort = n.effort, effort_completed = n.effort_completed,
      effort_to_do = n.effort_to_do, time_spent = n.time_spent, time_remain = n.time_remain
    CHANGED_ITEMS and (TOTALS_OF(o)) is distinct from (TOTALS_OF(n)) and h.general_id = n.id and IS_OPEN'),
  ('FOLLOW_PLACES', 'update full_history h set release_id = n.release_id, iteration_id = n.iteration_id, SET_OWNERS(n)
    CHANGED_ITEMS and (PLACES_OF(o)) is distinct from (PLACES_OF(n)) and h.general_id = n.id and IS_OPEN'),
  -- A transaction that began earlier may write later: its record does not come before the one that it follows.
  ('RECORD_SIMPLY', 'insert into simple_history (general_id, date, modifier_id, KEPT)
    select n.id, greatest(now(), (select max(h.date) from simple_history h where h.general_id = n.id)), n.last_editor_id,
      KEPT_OF(n)
    CHANGED_ITEMS and ((o.entity_state_id, o.effort) is distinct from (n.entity_state_id, n.effort)
        or IS_SEEN(release_id) or IS_SEEN(iteration_id))
      \1 and not exists (select 1 from simple_history h where h.general_id = n.id and THIS_MOMENT)'),
  ('CONTINUE_RECORD', 'update full_history h set SET_FULL, modifier_id = n.last_editor_id, SET_FLAG(name, name),
      SET_FLAG(description, description), SET_FLAG(start_date, start_date), SET_FLAG(end_date, end_date),
      SET_FLAG(effort, effort), SET_FLAG(project, project_id), SET_FLAG(entity_state, entity_state_id),
      SET_FLAG(priority, priority_id), SET_FLAG(release, release_id), SET_FLAG(iteration, iteration_id),
      SET_FLAG(team_iteration, team_iteration_id), SET_FLAG(owner, owner_id),
      SET_FLAG(planned_start_date, planned_start_date), SET_FLAG(planned_end_date, planned_end_date),
      SET_FLAG(initial_estimate, initial_estimate), SET_FLAG(severity, severity_id),
      SET_FLAG(portfolio_epic, portfolio_epic_id), SET_FLAG(epic, epic_id), SET_FLAG(feature, feature_id),
      SET_FLAG(user_story, user_story_id), SET_FLAG(build, build_id),
      changed_custom_values = case when h.modification = ''Update'' and DIFFERS(custom_values)
        then array(select distinct unnest(h.changed_custom_values || CHANGED_NAMES)) else h.changed_custom_values end
    CHANGED_ITEMS and IS_SEEN_CHANGE \1 and h.general_id = n.id and IS_OPEN and IS_CONTINUED'),
  -- A record from before these were kept gets them as they were until now.
  ('END_RECORD', 'update full_history h set date_to = greatest(h.date, now()), planned_start_date = o.planned_start_date,
      planned_end_date = o.planned_end_date, initial_estimate = o.initial_estimate, severity_id = o.severity_id,
      SET_OWNERS(o)
    CHANGED_ITEMS and IS_SEEN_CHANGE \1 and h.general_id = n.id and IS_OPEN and not (IS_CONTINUED)'),
  -- Here, too.
  ('BEGIN_RECORD', 'insert into full_history (general_id, source_entity_id, date, date_to, modification, modifier_id,
      FULL, is_changed_name, is_changed_description, is_changed_start_date, is_changed_end_date, is_changed_effort,
      is_changed_project, is_changed_entity_state, is_changed_priority, is_changed_release, is_changed_iteration,
      is_changed_team_iteration, is_changed_owner, is_changed_planned_start_date, is_changed_planned_end_date,
      is_changed_initial_estimate, is_changed_severity, is_changed_portfolio_epic, is_changed_epic,
      is_changed_feature, is_changed_user_story, is_changed_build, changed_custom_values)
    select n.id, n.id, greatest(now(), (select max(h.date) from full_history h where h.general_id = n.id)), FOR_EVER,
      case when o.delete_date is null and n.delete_date is not null then ''Delete'' else ''Update'' end,
      n.last_editor_id, FULL_OF(n), DIFFERS(name), DIFFERS(description), DIFFERS(start_date), DIFFERS(end_date),
      DIFFERS(effort), DIFFERS(project_id), DIFFERS(entity_state_id), DIFFERS(priority_id), DIFFERS(release_id),
      DIFFERS(iteration_id), DIFFERS(team_iteration_id), DIFFERS(owner_id), DIFFERS(planned_start_date),
      DIFFERS(planned_end_date), DIFFERS(initial_estimate), DIFFERS(severity_id), DIFFERS(portfolio_epic_id),
      DIFFERS(epic_id), DIFFERS(feature_id), DIFFERS(user_story_id), DIFFERS(build_id),
      case when DIFFERS(custom_values) then CHANGED_NAMES end
    CHANGED_ITEMS and IS_SEEN_CHANGE
      \1 and not exists (select 1 from full_history h where h.general_id = n.id and IS_OPEN)'),

  ('WHAT_CHANGED', 'select count(*), coalesce(bool_or((KEPT_OF(o)) is distinct from (KEPT_OF(n))), false),
      coalesce(bool_or((PLACES_OF(o)) is distinct from (PLACES_OF(n))), false)
    CHANGED_ITEMS and (FULL_OF(o), o.delete_date) is distinct from (FULL_OF(n), n.delete_date)'),

  -- Which items get records.
  ('OF_ALL', ''),
  ('OF_OWN', 'and n.id = any(own)'),
  ('OF_GIVEN', 'and n.id = any($1)'),

  -- What one person changes within five minutes is one record, except changes of state; deletion always stands alone.
  ('IS_CONTINUED', 'h.modification <> ''Delete'' and o.delete_date is not distinct from n.delete_date
    and (THIS_MOMENT
      or h.date > now() - interval ''5 minutes'' and h.modifier_id is not distinct from n.last_editor_id
        and o.entity_state_id is not distinct from n.entity_state_id)'),
  -- Changes that readers of the project of the item may see: not a move between releases, iterations, features and the
  -- like that are both outside of that project. Readers of the item see its moves between projects.
  ('IS_SEEN_CHANGE', '((UNPLACED_OF(o)) is distinct from (UNPLACED_OF(n))
    or IS_SEEN(release_id) or IS_SEEN(iteration_id) or IS_SEEN(portfolio_epic_id) or IS_SEEN(epic_id)
    or IS_SEEN(feature_id) or IS_SEEN(user_story_id) or IS_SEEN(build_id))'),
  ('IS_SEEN', '(o.\1 is distinct from n.\1
    and (is_place_of(o.\1, o.project_id) or is_place_of(n.\1, n.project_id)))'),
  ('SET_FLAG', 'is_changed_\1 = h.is_changed_\1 or h.modification = ''Update'' and DIFFERS(\2)'),
  ('DIFFERS', 'o.\1 is distinct from n.\1'),
  -- The names of the custom fields whose values differ.
  ('CHANGED_NAMES', 'array(
    select key from jsonb_each(o.custom_values) a full join jsonb_each(n.custom_values) b using (key)
    where a.value is distinct from b.value)'),

  ('CHANGED_ITEMS', 'from stale o join fresh n on n.id = o.id where n.IS_HISTORIC'),
  -- Stories, tasks, bugs, features, impediments, requests, epics, portfolio epics.
  ('IS_HISTORIC', 'entity_type_id in (4, 5, 8, 9, 16, 17, 27, 31)'),
  -- Totals are summed up after the change that moved them, in the same transaction: it has one record. Others may have
  -- one of the same millisecond, or of a later one where they began later and wrote first.
  ('THIS_MOMENT', '(h.date >= now()::timestamptz(3) and h.xmin = pg_current_xact_id()::xid)'),
  -- In the zone of the session, so that it reads as year 9999 in the zone of the service, and not as year 10000.
  ('FOR_EVER', 'timestamptz ''9999-12-31 23:59:59'''),
  -- In whatever zone the record was written.
  ('IS_OPEN', 'h.date_to > timestamptz ''9999-12-30 00:00:00+00'''),

  -- What both histories keep of an item; what the full one keeps; and all of it but what may lie in other projects.
  ('FULL', 'KEPT, name, description, start_date, end_date, time_spent, time_remain, priority_id, team_iteration_id,
    owner_id, custom_values, planned_start_date, planned_end_date, initial_estimate, severity_id, portfolio_epic_id,
    epic_id, feature_id, user_story_id, build_id'),
  ('FULL_OF', 'KEPT_OF(\1), OTHERS_OF(\1), OWNERS_OF(\1)'),
  ('PLACES_OF', '\1.release_id, \1.iteration_id, OWNERS_OF(\1)'),
  ('OWNERS_OF', '\1.portfolio_epic_id, \1.epic_id, \1.feature_id, \1.user_story_id, \1.build_id'),
  ('UNPLACED_OF', '\1.entity_type_id, \1.effort, \1.effort_completed, \1.effort_to_do, \1.project_id,
    \1.entity_state_id, OTHERS_OF(\1), \1.delete_date'),
  ('OTHERS_OF', '\1.name, \1.description, \1.start_date, \1.end_date, \1.time_spent, \1.time_remain, \1.priority_id,
    \1.team_iteration_id, \1.owner_id, \1.custom_values, \1.planned_start_date, \1.planned_end_date,
    \1.initial_estimate, \1.severity_id'),
  ('SET_FULL', 'SET_KEPT, name = n.name, description = n.description, start_date = n.start_date,
    end_date = n.end_date, time_spent = n.time_spent, time_remain = n.time_remain, priority_id = n.priority_id,
    team_iteration_id = n.team_iteration_id, owner_id = n.owner_id, custom_values = n.custom_values,
    planned_start_date = n.planned_start_date, planned_end_date = n.planned_end_date,
    initial_estimate = n.initial_estimate, severity_id = n.severity_id, SET_OWNERS(n)'),
  ('SET_OWNERS', 'portfolio_epic_id = \1.portfolio_epic_id, epic_id = \1.epic_id, feature_id = \1.feature_id,
    user_story_id = \1.user_story_id, build_id = \1.build_id'),
  ('KEPT', 'entity_type_id, effort, effort_completed, effort_to_do, project_id, entity_state_id, release_id,
    iteration_id'),
  ('KEPT_OF', '\1.entity_type_id, \1.effort, \1.effort_completed, \1.effort_to_do, \1.project_id, \1.entity_state_id,
    \1.release_id, \1.iteration_id'),
  ('SET_KEPT', 'entity_type_id = n.entity_type_id, effort = n.effort, effort_completed = n.effort_completed,
    effort_to_do = n.effort_to_do, project_id = n.project_id, entity_state_id = n.entity_state_id,
    release_id = n.release_id, iteration_id = n.iteration_id'),
  ('TOTALS_OF', '\1.effort, \1.effort_completed, \1.effort_to_do, \1.time_spent, \1.time_remain');

-- The histories of work items: what a statement that changes some writes, in as few statements as it takes. It writes
-- what the function of 0.2/history.sql writes, whose names it shares; but each transaction has records of its own, in
-- the order in which they were written.
--
-- A session keeps the plan of its first write, a few rows mostly, whose nested loops a thousand rows would suffer
-- from: large statements are planned for themselves.
--
-- While totals are settled, an item gets a record if its own efforts or times changed, or if a part in its own
-- project has a record of this moment. An item that only follows parts in other projects gets none: readers may not
-- see those. Settling moves nothing to another place.
--
-- Each statement costs, so those that would find nothing are left out: of what the simple history keeps, of places,
-- and, where each changed item continues its record, those that end records and begin new ones.
call define($define$
create or replace function record_changed() returns trigger language plpgsql as $$
  declare
    changed bigint;
    is_kept boolean;
    is_placed boolean;
    continued bigint;
    own bigint[];
    is_large boolean;
  begin
    if current_setting('worktrack.history', true) = 'off' then return null; end if;
    is_large := exists (select 1 from fresh offset 20);
    if is_large then
      execute $q$WHAT_CHANGED$q$ into changed, is_kept, is_placed;
    else
      select found.* into changed, is_kept, is_placed from (WHAT_CHANGED) found;
    end if;
    if changed = 0 then return null; end if;
    if coalesce(current_setting('worktrack.totals', true), '') <> 'settling' then
      if is_large then
        if is_kept then
          execute $q$FOLLOW_SIMPLY$q$;
          execute $q$RECORD_SIMPLY(OF_ALL)$q$;
        end if;
        execute $q$CONTINUE_RECORD(OF_ALL)$q$;
        get diagnostics continued = row_count;
        if continued < changed then execute $q$END_RECORD(OF_ALL)$q$; end if;
        if is_placed and continued < changed then execute $q$FOLLOW_PLACES$q$; end if;
        if continued < changed then execute $q$BEGIN_RECORD(OF_ALL)$q$; end if;
      else
        if is_kept then
          FOLLOW_SIMPLY;
          RECORD_SIMPLY(OF_ALL);
        end if;
        CONTINUE_RECORD(OF_ALL);
        get diagnostics continued = row_count;
        if continued < changed then END_RECORD(OF_ALL); end if;
        if is_placed and continued < changed then FOLLOW_PLACES; end if;
        if continued < changed then BEGIN_RECORD(OF_ALL); end if;
      end if;
      return null;
    end if;
    own := array(
      select n.id from fresh n
      where n.id in (select unnest(
          string_to_array(ltrim(coalesce(current_setting('worktrack.own', true), ''), ','), ',')::bigint[]))
        or exists (
          select from (
            select c.id from general c where c.user_story_id = n.id and c.project_id = n.project_id
            union all
            select c.id from general c where c.feature_id = n.id and c.project_id = n.project_id
            union all
            select c.id from general c where c.epic_id = n.id and c.project_id = n.project_id
            union all
            select c.id from general c where c.portfolio_epic_id = n.id and c.project_id = n.project_id) p
          where exists (select from simple_history h where h.general_id = p.id and THIS_MOMENT)));
    if is_large then
      if is_kept then execute $q$FOLLOW_SIMPLY$q$; end if;
      if own <> '{}' then
        if is_kept then execute $q$RECORD_SIMPLY(OF_GIVEN)$q$ using own; end if;
        execute $q$CONTINUE_RECORD(OF_GIVEN)$q$ using own;
        get diagnostics continued = row_count;
        if continued < changed then execute $q$END_RECORD(OF_GIVEN)$q$ using own; end if;
      end if;
      if continued is null or continued < changed then
        execute $q$FOLLOW_TOTALS and n.id <> all($1)$q$ using own;
        if own <> '{}' then execute $q$BEGIN_RECORD(OF_GIVEN)$q$ using own; end if;
      end if;
    else
      if is_kept then FOLLOW_SIMPLY; end if;
      if own <> '{}' then
        if is_kept then RECORD_SIMPLY(OF_OWN); end if;
        CONTINUE_RECORD(OF_OWN);
        get diagnostics continued = row_count;
        if continued < changed then END_RECORD(OF_OWN); end if;
      end if;
      if continued is null or continued < changed then
        FOLLOW_TOTALS and n.id <> all(own);
        if own <> '{}' then BEGIN_RECORD(OF_OWN); end if;
      end if;
    end if;
    return null;
  end $$$define$);
