-- The histories of work items, and the record of every change of anything. Triggers write them a statement at a time,
-- so that bulk writes stay quick. Loading large or past data writes its own history, or none.

truncate macro;

insert into macro (name, text) values
  ('FOLLOW_SIMPLY', 'update simple_history h set modifier_id = n.last_editor_id, SET_KEPT
    CHANGED_ITEMS and (KEPT_OF(o)) is distinct from (KEPT_OF(n)) and h.general_id = n.id and THIS_MOMENT'),
  -- The current record shows these numbers as they are now, and no time of their change.
  ('FOLLOW_TOTALS', 'update full_history h set effort = n.effort, effort_completed = n.effort_completed,
      effort_to_do = n.effort_to_do, time_spent = n.time_spent, time_remain = n.time_remain
    CHANGED_ITEMS and (TOTALS_OF(o)) is distinct from (TOTALS_OF(n)) and h.general_id = n.id and IS_OPEN'),
  ('FOLLOW_PLACES', 'update full_history h set release_id = n.release_id, iteration_id = n.iteration_id
    CHANGED_ITEMS and (o.release_id, o.iteration_id) is distinct from (n.release_id, n.iteration_id)
      and h.general_id = n.id and IS_OPEN'),
  ('RECORD_SIMPLY', 'insert into simple_history (general_id, date, modifier_id, KEPT)
    select n.id, now(), n.last_editor_id, KEPT_OF(n)
    CHANGED_ITEMS and ((o.entity_state_id, o.effort) is distinct from (n.entity_state_id, n.effort)
        or IS_SEEN(release_id) or IS_SEEN(iteration_id))
      \1 and not exists (select 1 from simple_history h where h.general_id = n.id and THIS_MOMENT)'),
  ('CONTINUE_RECORD', 'update full_history h set SET_FULL, modifier_id = n.last_editor_id, SET_FLAG(name, name),
      SET_FLAG(description, description), SET_FLAG(start_date, start_date), SET_FLAG(end_date, end_date),
      SET_FLAG(effort, effort), SET_FLAG(project, project_id), SET_FLAG(entity_state, entity_state_id),
      SET_FLAG(priority, priority_id), SET_FLAG(release, release_id), SET_FLAG(iteration, iteration_id),
      SET_FLAG(team_iteration, team_iteration_id), SET_FLAG(owner, owner_id),
      changed_custom_values = case when h.modification = ''Update'' and DIFFERS(custom_values)
        then array(select distinct unnest(h.changed_custom_values || CHANGED_NAMES)) else h.changed_custom_values end
    CHANGED_ITEMS and IS_SEEN_CHANGE \1 and h.general_id = n.id and IS_OPEN and IS_CONTINUED'),
  ('END_RECORD', 'update full_history h set date_to = greatest(h.date, now())
    CHANGED_ITEMS and IS_SEEN_CHANGE \1 and h.general_id = n.id and IS_OPEN and not (IS_CONTINUED)'),
  -- A transaction that began earlier may write later: a record never starts before the one it follows.
  ('BEGIN_RECORD', 'insert into full_history (general_id, source_entity_id, date, date_to, modification, modifier_id,
      FULL, is_changed_name, is_changed_description, is_changed_start_date, is_changed_end_date, is_changed_effort,
      is_changed_project, is_changed_entity_state, is_changed_priority, is_changed_release, is_changed_iteration,
      is_changed_team_iteration, is_changed_owner, changed_custom_values)
    select n.id, n.id, greatest(now(), (select max(h.date) from full_history h where h.general_id = n.id)), FOR_EVER,
      case when o.delete_date is null and n.delete_date is not null then ''Delete'' else ''Update'' end,
      n.last_editor_id, FULL_OF(n), DIFFERS(name), DIFFERS(description), DIFFERS(start_date), DIFFERS(end_date),
      DIFFERS(effort), DIFFERS(project_id), DIFFERS(entity_state_id), DIFFERS(priority_id), DIFFERS(release_id),
      DIFFERS(iteration_id), DIFFERS(team_iteration_id), DIFFERS(owner_id),
      case when DIFFERS(custom_values) then CHANGED_NAMES end
    CHANGED_ITEMS and IS_SEEN_CHANGE
      \1 and not exists (select 1 from full_history h where h.general_id = n.id and IS_OPEN)'),

  -- Which items get records.
  ('OF_ALL', ''),
  ('OF_OWN', 'and n.id = any(own)'),
  ('OF_GIVEN', 'and n.id = any($1)'),

  -- What one person changes within five minutes is one record, except changes of state; deletion always stands alone.
  ('IS_CONTINUED', 'h.modification <> ''Delete'' and o.delete_date is not distinct from n.delete_date
    and (THIS_MOMENT
      or h.date > now() - interval ''5 minutes'' and h.modifier_id is not distinct from n.last_editor_id
        and o.entity_state_id is not distinct from n.entity_state_id)'),
  -- Changes that readers of the project of the item may see: not a move between releases or iterations that are both
  -- outside of that project. Readers of the item see its moves between projects.
  ('IS_SEEN_CHANGE', '((UNPLACED_OF(o)) is distinct from (UNPLACED_OF(n))
    or IS_SEEN(release_id) or IS_SEEN(iteration_id))'),
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
  -- Totals are summed up after the change that moved them, in the same transaction: one moment has one record.
  ('THIS_MOMENT', 'h.date = now()::timestamptz(3)'),
  -- In the zone of the session, so that it reads as year 9999 in the zone of the service, and not as year 10000.
  ('FOR_EVER', 'timestamptz ''9999-12-31 23:59:59'''),
  -- In whatever zone the record was written.
  ('IS_OPEN', 'h.date_to > timestamptz ''9999-12-30 00:00:00+00'''),

  -- What both histories keep of an item; what the full one keeps; and all of it but release and iteration.
  ('FULL', 'KEPT, name, description, start_date, end_date, time_spent, time_remain, priority_id, team_iteration_id,
    owner_id, custom_values'),
  ('FULL_OF', 'KEPT_OF(\1), OTHERS_OF(\1)'),
  ('UNPLACED_OF', '\1.entity_type_id, \1.effort, \1.effort_completed, \1.effort_to_do, \1.project_id,
    \1.entity_state_id, OTHERS_OF(\1), \1.delete_date'),
  ('OTHERS_OF', '\1.name, \1.description, \1.start_date, \1.end_date, \1.time_spent, \1.time_remain, \1.priority_id,
    \1.team_iteration_id, \1.owner_id, \1.custom_values'),
  ('SET_FULL', 'SET_KEPT, name = n.name, description = n.description, start_date = n.start_date,
    end_date = n.end_date, time_spent = n.time_spent, time_remain = n.time_remain, priority_id = n.priority_id,
    team_iteration_id = n.team_iteration_id, owner_id = n.owner_id, custom_values = n.custom_values'),
  ('KEPT', 'entity_type_id, effort, effort_completed, effort_to_do, project_id, entity_state_id, release_id,
    iteration_id'),
  ('KEPT_OF', '\1.entity_type_id, \1.effort, \1.effort_completed, \1.effort_to_do, \1.project_id, \1.entity_state_id,
    \1.release_id, \1.iteration_id'),
  ('SET_KEPT', 'entity_type_id = n.entity_type_id, effort = n.effort, effort_completed = n.effort_completed,
    effort_to_do = n.effort_to_do, project_id = n.project_id, entity_state_id = n.entity_state_id,
    release_id = n.release_id, iteration_id = n.iteration_id'),
  ('TOTALS_OF', '\1.effort, \1.effort_completed, \1.effort_to_do, \1.time_spent, \1.time_remain');

-- What may lie in another project than the item: releases and iterations.
create function is_place_of(place bigint, project bigint) returns boolean language sql stable as $$
  select exists (
    select from general p
    where p.id = place and (p.project_id = project
      or exists (select from release_project r where r.release_id = place and r.project_id = project)))
$$;

call define($define$
create function record_added() returns trigger language plpgsql as $$
  begin
    if current_setting('worktrack.history', true) = 'off' then return null; end if;
    insert into simple_history (general_id, date, modifier_id, KEPT)
      select id, now(), last_editor_id, KEPT from fresh where IS_HISTORIC;
    insert into full_history (general_id, source_entity_id, date, date_to, modification, modifier_id, FULL)
      select id, id, now(), FOR_EVER, 'Add', last_editor_id, FULL from fresh where IS_HISTORIC;
    return null;
  end $$ $define$);

-- A session keeps the plan of its first write, a few rows mostly, whose nested loops a thousand rows would suffer
-- from: large statements are planned for themselves.
--
-- While totals are settled, an item gets a record if its own efforts or times changed, or if a part in its own
-- project has a record of this moment. An item that only follows parts in other projects gets none: readers may not
-- see those. Mostly there are no items that get one, and the statements that make records are left out.
call define($define$
create function record_changed() returns trigger language plpgsql as $$
  begin
    if current_setting('worktrack.history', true) = 'off' then return null; end if;
    if coalesce(current_setting('worktrack.totals', true), '') <> 'settling' then
      if exists (select 1 from fresh offset 20) then
        execute $q$FOLLOW_SIMPLY$q$;
        execute $q$RECORD_SIMPLY(OF_ALL)$q$;
        execute $q$CONTINUE_RECORD(OF_ALL)$q$;
        execute $q$END_RECORD(OF_ALL)$q$;
        execute $q$FOLLOW_PLACES$q$;
        execute $q$BEGIN_RECORD(OF_ALL)$q$;
      elsif exists (
        select 1 CHANGED_ITEMS and (FULL_OF(o), o.delete_date) is distinct from (FULL_OF(n), n.delete_date)) then
        FOLLOW_SIMPLY;
        RECORD_SIMPLY(OF_ALL);
        CONTINUE_RECORD(OF_ALL);
        END_RECORD(OF_ALL);
        FOLLOW_PLACES;
        BEGIN_RECORD(OF_ALL);
      end if;
    else
      declare
        own bigint[] := array(
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
      begin
        if own = '{}' then
          if exists (select 1 from fresh offset 20) then
            execute $q$FOLLOW_SIMPLY$q$;
            execute $q$FOLLOW_TOTALS$q$;
          elsif exists (
            select 1 CHANGED_ITEMS and (FULL_OF(o), o.delete_date) is distinct from (FULL_OF(n), n.delete_date)) then
            FOLLOW_SIMPLY;
            FOLLOW_TOTALS;
          end if;
        else
          if exists (select 1 from fresh offset 20) then
            execute $q$FOLLOW_SIMPLY$q$ using own;
            execute $q$RECORD_SIMPLY(OF_GIVEN)$q$ using own;
            execute $q$CONTINUE_RECORD(OF_GIVEN)$q$ using own;
            execute $q$END_RECORD(OF_GIVEN)$q$ using own;
            execute $q$FOLLOW_TOTALS and n.id <> all($1)$q$ using own;
            execute $q$FOLLOW_PLACES$q$ using own;
            execute $q$BEGIN_RECORD(OF_GIVEN)$q$ using own;
          elsif exists (
            select 1 CHANGED_ITEMS and (FULL_OF(o), o.delete_date) is distinct from (FULL_OF(n), n.delete_date)) then
            FOLLOW_SIMPLY;
            RECORD_SIMPLY(OF_OWN);
            CONTINUE_RECORD(OF_OWN);
            END_RECORD(OF_OWN);
            FOLLOW_TOTALS and n.id <> all(own);
            FOLLOW_PLACES;
            BEGIN_RECORD(OF_OWN);
          end if;
        end if;
      end;
    end if;
    return null;
  end $$ $define$);

create trigger general_added after insert on general referencing new table as fresh
  for each statement execute function record_added();

create trigger general_changed after update on general referencing old table as stale new table as fresh
  for each statement execute function record_changed();

-- One record of every change: who changed which entity when, which columns, from what to what, in which request and
-- transaction. It is written once per change, whoever writes, and never changed. Totals and secrets are not in it.
-- "changes" holds, by column, the value before and the value after: a new row has no values before, a deleted row
-- none after.
create table change_record (
  id bigint generated always as identity (maxvalue 9007199254740991),
  date timestamptz(3) not null default now(),
  xid xid8 not null default pg_current_xact_id(),
  author_id bigint,
  request_id text,
  kind text not null,
  resource text not null,
  entity_id bigint not null,
  project_id bigint,
  changes jsonb not null
) partition by range (date);

create index ix_change_record_entity on change_record (entity_id, id);
create index ix_change_record_date on change_record using brin (date);

create table change_record_other partition of change_record default
  with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- One for each month. A table that is attached, unlike one that is created as a partition, does not keep others from
-- writing.
create function add_change_partitions(months int) returns void language plpgsql as $$
  declare
    first timestamptz;
    partition text;
  begin
    if not pg_try_advisory_xact_lock(hashtext('worktrack.change-partitions')) then return; end if;
    for ahead in 0..months loop
      first := date_trunc('month', now() at time zone 'UTC' + make_interval(months => ahead)) at time zone 'UTC';
      partition := 'change_record_' || to_char(first at time zone 'UTC', 'YYYY_MM');
      continue when to_regclass(partition) is not null;
      continue when exists (
        select from change_record_other where date >= first and date < first + interval '1 month');
      execute format('create table %I (like change_record including all excluding identity) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)', partition);
      execute format('alter table change_record attach partition %I for values from (%L) to (%L)', partition, first,
        (first at time zone 'UTC' + interval '1 month') at time zone 'UTC');
    end loop;
  end $$;

select add_change_partitions(2);

-- Work.
call record_changes_of('general',
  'name description start_date end_date numeric_priority delete_date custom_values planned_start_date
    planned_end_date units initial_estimate is_private source_type is_replied votes_count date css_class
    is_active is_product abbreviation mail_reply_address color build_date velocity duration capacity icon
    emoji_icon icon_uri last_run_status last_failure_comment last_run_date entity_type_id owner_id project_id
    linked_test_plan_id milestone_id release_id iteration_id team_iteration_id team_id priority_id
    entity_state_id responsible_team_id build_id user_story_id feature_id severity_id portfolio_epic_id epic_id
    assignable_id responsible_id request_type_id program_id process_id company_id linked_general_id test_plan_id
    parent_test_plan_run_id',
  resource => '(select t.name from entity_type t where t.id = r.entity_type_id)',
  project => 'case when r.entity_type_id = 1 then r.id else r.project_id end',
  author => 'r.last_editor_id',
  is_restored => true);
call record_changes_of('general_user',
  'first_name last_name email login delete_date is_active is_administrator locale kind avatar_uri custom_values
    phone notes source_type weekly_available_hours available_from is_observer is_contributor skills
    active_directory_name rich_editor company_id role_id',
  resource => 'r.kind', is_restored => true);
call record_changes_of('assignment', 'assignable_id general_user_id role_id', general => 'assignable_id');
call record_changes_of('team_assignment',
  'start_date end_date team_id assignable_id entity_state_id',
  general => 'assignable_id');
call record_changes_of('role_effort',
  'initial_estimate assignable_id role_id own_effort own_completed',
  general => 'assignable_id');
call record_changes_of('comment',
  'description parent_id is_private is_pinned general_id owner_id',
  general => 'general_id', author => 'r.owner_id');
call record_changes_of('time',
  'description spent remain is_estimation date custom_values project_id user_id role_id assignable_id
    custom_activity_id',
  project => 'r.project_id', author => 'r.user_id');
call record_changes_of('custom_activity', 'name estimate project_id user_id', project => 'r.project_id');
call record_changes_of('relation', 'master_id slave_id relation_type_id', general => 'master_id');
call record_changes_of('tag', 'name');
call record_changes_of('general_tag', 'general_id tag_id', link => 'general_id', general => 'general_id');
call record_changes_of('general_follower', 'general_id user_id', general => 'general_id');
call record_changes_of('entity_permission',
  'view comment edit entity_type_id user_id general_id',
  general => 'general_id');
call record_changes_of('attachment',
  'name description mime_type size owner_id general_id message_id',
  general => 'general_id');

-- People, and who works with whom on what.
call record_changes_of('project_member',
  'weekly_available_hours membership_start_date membership_end_date allocation project_id user_id role_id',
  project => 'r.project_id');
call record_changes_of('team_member', 'start_date end_date team_id user_id role_id');
call record_changes_of('team_project',
  'start_date end_date is_full_project_access team_id project_id',
  project => 'r.project_id');
call record_changes_of('team_project_allocation', 'start_date end_date percentage team_project_id');
call record_changes_of('team_project_workflow', 'team_project_id workflow_id', link => 'team_project_id');
call record_changes_of('release_project', 'project_id release_id', project => 'r.project_id');
call record_changes_of('milestone_project', 'project_id milestone_id', project => 'r.project_id');
call record_changes_of('request_requester', 'request_id requester_id', link => 'request_id', general => 'request_id');
call record_changes_of('company', 'name url description');
call record_changes_of('message',
  'subject recipients is_read is_processed message_type content_type from_id to_id message_uid_id');
call record_changes_of('message_general', 'message_id general_id', link => 'message_id', general => 'general_id');
call record_changes_of('message_uid', 'uid mail_server mail_login');

-- Tests, and source control.
call record_changes_of('test_step', 'description result run_order test_case_id', general => 'test_case_id');
call record_changes_of('test_case_run',
  'status comment start_run_date end_run_date test_plan_run_id test_case_id priority_id last_executor_id',
  general => 'test_plan_run_id');
call record_changes_of('test_step_run', 'passed runned run_order description result test_case_run_id test_step_id');
call record_changes_of('test_run_item_hierarchy_link',
  'test_case_run_id test_plan_run_id',
  general => 'test_plan_run_id');
call record_changes_of('test_case_run_bug', 'test_case_run_id bug_id', link => 'test_case_run_id', general => 'bug_id');
call record_changes_of('test_plan_run_bug',
  'test_plan_run_id bug_id',
  link => 'test_plan_run_id', general => 'test_plan_run_id');
call record_changes_of('test_plan_test_case',
  'test_plan_id test_case_id',
  link => 'test_plan_id', general => 'test_plan_id');
call record_changes_of('test_plan_hierarchy', 'parent_id child_id', link => 'parent_id', general => 'parent_id');
call record_changes_of('revision',
  'source_control_id description commit_date project_id author_id',
  project => 'r.project_id');
call record_changes_of('revision_file', 'file_name file_action revision_id');
call record_changes_of('revision_assignable',
  'revision_id assignable_id',
  link => 'revision_id', general => 'assignable_id');

-- Configuration.
call record_changes_of('custom_field',
  'name value entity_field_name field_type enabled_for_filter required is_system numeric_priority config
    description entity_type_id process_id');
call record_changes_of('custom_rule', 'name description is_enabled');
call record_changes_of('entity_state',
  'name is_initial is_final is_planned is_comment_required numeric_priority role_id workflow_id
    parent_entity_state_id entity_type_id process_id is_default_final');
call record_changes_of('entity_state_step', 'from_id to_id', link => 'from_id');
call record_changes_of('global_settings',
  'company_name default_rich_editor is_login_form_enabled access_token_limit session_idle_minutes session_hours',
  resource => '''GlobalSetting''');
call record_changes_of('priority', 'name importance is_default entity_type_id');
call record_changes_of('process', 'name is_default description');
call record_changes_of('process_practice', 'process_id practice_id', link => 'process_id');
call record_changes_of('practice', 'name display_name description settings');
call record_changes_of('relation_type', 'name');
call record_changes_of('request_type', 'name icon is_private_by_default is_voting_enabled');
call record_changes_of('role', 'name has_effort can_change_owner can_use_personal_access_tokens');
call record_changes_of('role_entity_type', 'is_add_enabled is_edit_enabled is_delete_enabled entity_type_id role_id');
call record_changes_of('severity', 'name importance is_default');
call record_changes_of('term', 'word_key value process_id entity_type_id');
call record_changes_of('workflow', 'name process_id entity_type_id parent_workflow_id');

drop procedure define(text);
drop table macro;
