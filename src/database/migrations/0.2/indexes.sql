-- What entities cannot say: partial indexes, indexes on expressions, and their order and further columns.

-- Generals by their kind. With the state in the index, a filter by state passes over what does not match without
-- going to the rows. What is skipped is told by an index alone, entry by entry: the narrower it is, the less time
-- that takes. Deleted items of a state are looked for as well when the state goes. The next rank of a kind is looked
-- up with every creation, deleted items included.
create index ix_general_kind on general (entity_type_id, id desc, entity_state_id) where delete_date is null;
create index ix_general_kind_id on general (entity_type_id, id desc) where delete_date is null;
create index ix_general_kind_state on general (entity_type_id, entity_state_id, id desc) include (delete_date)
  where entity_state_id is not null;
create index ix_general_kind_name on general (entity_type_id, name, id) where delete_date is null;
create index ix_general_kind_name_lower on general (entity_type_id, lower(name)) where delete_date is null;
create index ix_general_kind_created on general (entity_type_id, create_date desc, id desc) where delete_date is null;
create index ix_general_kind_modified on general (entity_type_id, modify_date desc, id desc) where delete_date is null;
create index ix_general_kind_ended on general (entity_type_id, end_date desc, id desc)
  where delete_date is null and end_date is not null;
create index ix_general_kind_rank on general (entity_type_id, numeric_priority, id);
create index ix_general_project_kind on general (project_id, entity_type_id, id desc, entity_state_id)
  where delete_date is null;
create index ix_general_project_state on general (project_id, entity_type_id, entity_state_id, id desc)
  where delete_date is null;
create index ix_general_commented on general (last_comment_date desc, id desc)
  where delete_date is null and last_comment_date is not null;
create index ix_general_deleted on general (entity_type_id, delete_date) where delete_date is not null;

-- Generals by what they lie in, which counts and lists them by kind: the index alone tells how many there are.
create index ix_general_user_story on general (user_story_id, entity_type_id, id) include (delete_date)
  where user_story_id is not null;
create index ix_general_feature on general (feature_id, entity_type_id, id) include (delete_date)
  where feature_id is not null;
create index ix_general_epic on general (epic_id, entity_type_id, id) include (delete_date) where epic_id is not null;
create index ix_general_release on general (release_id, entity_type_id, id) include (delete_date)
  where release_id is not null;
create index ix_general_iteration on general (iteration_id, entity_type_id, id) include (delete_date)
  where iteration_id is not null;
create index ix_general_team_iteration on general (team_iteration_id, entity_type_id, id) include (delete_date)
  where team_iteration_id is not null;

-- Generals by what they refer to otherwise.
create index ix_general_owner on general (owner_id, id) where owner_id is not null;
create index ix_general_linked_test_plan on general (linked_test_plan_id, id) where linked_test_plan_id is not null;
create index ix_general_milestone on general (milestone_id, id) where milestone_id is not null;
create index ix_general_team on general (team_id, id) where team_id is not null;
create index ix_general_priority on general (priority_id, id) where priority_id is not null;
create index ix_general_build on general (build_id, id) where build_id is not null;
create index ix_general_severity on general (severity_id, id) where severity_id is not null;
create index ix_general_portfolio_epic on general (portfolio_epic_id, id) where portfolio_epic_id is not null;
create index ix_general_assignable on general (assignable_id, id) where assignable_id is not null;
create index ix_general_responsible on general (responsible_id, id) where responsible_id is not null;
create index ix_general_request_type on general (request_type_id, id) where request_type_id is not null;
create index ix_general_program on general (program_id, id) where program_id is not null;
create index ix_general_process on general (process_id, id) where process_id is not null;
create index ix_general_company on general (company_id, id) where company_id is not null;
create index ix_general_linked_general on general (linked_general_id, id) where linked_general_id is not null;
create index ix_general_test_plan on general (test_plan_id, id) where test_plan_id is not null;
create index ix_general_parent_test_plan_run on general (parent_test_plan_run_id, id)
  where parent_test_plan_run_id is not null;
create index ix_general_deleted_with on general (deleted_with_id, id) where deleted_with_id is not null;
create index ix_general_responsible_team on general (responsible_team_id, id) where responsible_team_id is not null;

-- Values of custom fields. A condition of an index must follow from the filter, and that a row holds a value does not
-- say that it is not empty.
create index ix_general_custom on general using gin (custom_values jsonb_path_ops);
create index ix_general_user_custom on general_user using gin (custom_values jsonb_path_ops);
create index ix_time_custom on time using gin (custom_values jsonb_path_ops);

-- Parts of names, by trigrams: an extension of PostgreSQL's own distribution, which a small installation may lack and
-- whose creation takes a right on the database. Without it parts of names are searched row by row.
do $$
  declare
    home text;
  begin
    if has_database_privilege(current_database(), 'create')
      and exists (select from pg_available_extensions where name = 'pg_trgm' and installed_version is null)
    then create extension pg_trgm; end if;
    select quote_ident(n.nspname) into home
      from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
    if home is not null then
      execute format('create index ix_general_name_parts on general using gin (lower(name) %s.gin_trgm_ops)
        where delete_date is null', home);
    end if;
  end $$;

-- Kinds and configuration.
create index ix_role_entity_type_kind on role_entity_type (entity_type_id);
create unique index ix_role_entity_type on role_entity_type (role_id, entity_type_id);
create unique index ix_process_default on process (is_default) where is_default;
create index ix_process_practice_practice on process_practice (practice_id);
create index ix_workflow_process on workflow (process_id, entity_type_id);
create unique index ix_workflow_main on workflow (process_id, entity_type_id) where parent_workflow_id is null;
create index ix_workflow_parent on workflow (parent_workflow_id) where parent_workflow_id is not null;
create index ix_entity_state_kind on entity_state (entity_type_id);
create index ix_entity_state_name on entity_state (lower(name)) include (id);
create index ix_entity_state_role on entity_state (role_id) where role_id is not null;
create index ix_entity_state_workflow on entity_state (workflow_id);
create unique index ix_entity_state_initial on entity_state (workflow_id) where is_initial;
create unique index ix_entity_state_default_final on entity_state (workflow_id) where is_default_final;
create index ix_entity_state_parent on entity_state (parent_entity_state_id) where parent_entity_state_id is not null;
create index ix_entity_state_process on entity_state (process_id, entity_type_id);
create index ix_entity_state_step_to on entity_state_step (to_id);
create index ix_priority_kind on priority (entity_type_id, importance);
create unique index ix_priority_default on priority (entity_type_id) where is_default;
create unique index ix_severity_default on severity (is_default) where is_default;
create unique index ix_custom_field_name on custom_field (coalesce(process_id, 0), entity_type_id, lower(name));
create index ix_custom_field_process on custom_field (process_id, entity_type_id);
create index ix_term_process on term (process_id);

-- People, and what lets them in.
create unique index ix_general_user_login on general_user (lower(login))
  where delete_date is null and login is not null;
create index ix_general_user_email on general_user (lower(email)) where email is not null;
create index ix_general_user_company on general_user (company_id) where company_id is not null;
create index ix_general_user_role on general_user (role_id) where role_id is not null;
create unique index ix_access_token_secret on access_token (secret_hash);
create index ix_access_token_user on access_token (user_id, name, id);
create unique index ix_login_attempt_login on login_attempt (login);
create index ix_login_attempt_date on login_attempt (last_date desc, id desc);
create index ix_session_seen on session (last_seen_date);
create index ix_session_user on session (user_id);
create index ix_idempotency_key_date on idempotency_key (create_date);

-- Work.
create index ix_assignment_user on assignment (general_user_id, assignable_id);
create index ix_team_assignment_team on team_assignment (team_id, assignable_id);
create index ix_team_assignment_state on team_assignment (entity_state_id) where entity_state_id is not null;
create index ix_role_effort_role on role_effort (role_id);
create index ix_custom_activity_project on custom_activity (project_id);
create index ix_custom_activity_user on custom_activity (user_id);
create index ix_time_date on time (date desc, id desc);
create index ix_time_project on time (project_id, date desc);
create index ix_time_user on time (user_id, date desc);
create index ix_time_role on time (role_id, date desc) where role_id is not null;
create index ix_time_assignable on time (assignable_id, date desc) where assignable_id is not null;
create index ix_time_activity on time (custom_activity_id) where custom_activity_id is not null;
create index ix_comment_general on comment (general_id, id desc);
create index ix_comment_owner on comment (owner_id, id desc);
create index ix_message_from on message (from_id) where from_id is not null;
create index ix_message_to on message (to_id) where to_id is not null;
create index ix_message_uid on message (message_uid_id) where message_uid_id is not null;
create index ix_message_general_general on message_general (general_id, message_id);
create index ix_attachment_owner on attachment (owner_id);
create index ix_attachment_general on attachment (general_id);
create index ix_attachment_message on attachment (message_id) where message_id is not null;
create index ix_relation_slave on relation (slave_id);
create index ix_relation_type on relation (relation_type_id);
create unique index ix_tag_name on tag (lower(name));
create index ix_general_tag_tag on general_tag (tag_id, general_id);
create unique index ix_general_follower on general_follower (general_id, user_id);
create index ix_general_follower_user on general_follower (user_id);
create index ix_entity_permission_user on entity_permission (user_id, general_id);
create index ix_entity_permission_general on entity_permission (general_id);
create index ix_general_conversion_from on general_conversion (from_general_id);
create index ix_request_requester_requester on request_requester (requester_id);

-- Projects, teams and releases.
create index ix_project_member_allocation on project_member ((id * 2));
create unique index ix_project_member on project_member (project_id, user_id);
create index ix_project_member_user on project_member (user_id, project_id);
create unique index ix_team_member on team_member (team_id, user_id);
create index ix_team_member_user on team_member (user_id, team_id);
create unique index ix_team_project on team_project (team_id, project_id);
create index ix_team_project_project on team_project (project_id, team_id);
create index ix_team_project_allocation_id on team_project_allocation ((id * 2 + 1));
create index ix_team_project_allocation on team_project_allocation (team_project_id);
create index ix_team_project_workflow_workflow on team_project_workflow (workflow_id);
create index ix_release_project_project on release_project (project_id, release_id);
create index ix_milestone_project_project on milestone_project (project_id, milestone_id);

-- Tests, and source control.
create index ix_test_step_case on test_step (test_case_id, run_order);
create index ix_test_case_run_run on test_case_run (test_plan_run_id);
create index ix_test_case_run_case on test_case_run (test_case_id);
create index ix_test_case_run_priority on test_case_run (priority_id) where priority_id is not null;
create index ix_test_step_run_run on test_step_run (test_case_run_id, run_order);
create unique index ix_test_run_link on test_run_item_hierarchy_link (test_case_run_id, test_plan_run_id);
create index ix_test_run_link_plan on test_run_item_hierarchy_link (test_plan_run_id);
create index ix_test_plan_test_case_case on test_plan_test_case (test_case_id);
create index ix_test_plan_hierarchy_child on test_plan_hierarchy (child_id);
create index ix_test_plan_run_bug_bug on test_plan_run_bug (bug_id);
create index ix_test_case_run_bug_bug on test_case_run_bug (bug_id);
create index ix_revision_project on revision (project_id, id);
create index ix_revision_author on revision (author_id) where author_id is not null;
create index ix_revision_file_revision on revision_file (revision_id);
create index ix_revision_assignable_assignable on revision_assignable (assignable_id, revision_id);

-- Histories.
create index ix_simple_history_kind on simple_history (entity_type_id, date desc, id desc);
create index ix_simple_history_project on simple_history (project_id, date desc);
create index ix_simple_history_modifier on simple_history (modifier_id, date desc);
create index ix_simple_history_general on simple_history (general_id, date desc);
create index ix_full_history_kind on full_history (entity_type_id, date desc, id desc);
create index ix_full_history_project on full_history (project_id, date desc);
create index ix_full_history_modifier on full_history (modifier_id, date desc);
create index ix_full_history_general on full_history (general_id, date desc);
create unique index ix_full_history_open on full_history (general_id)
  where date_to > timestamptz '9999-12-30 00:00:00+00';
create index ix_taken_along_date on taken_along (date);
