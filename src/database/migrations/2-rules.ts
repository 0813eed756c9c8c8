/** What entities cannot say: partial indexes, indexes on expressions, checks, and the triggers that count versions. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Rules1700000000002 implements MigrationInterface {
  name = 'Rules1700000000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...generalIndexes(), ...indexes, ...checks, ...versions]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

/** Columns of `general` that a collection finds its items by. */
const keys = [
  'owner_id',
  'linked_test_plan_id',
  'milestone_id',
  'release_id',
  'iteration_id',
  'team_iteration_id',
  'team_id',
  'priority_id',
  'entity_state_id',
  'build_id',
  'user_story_id',
  'feature_id',
  'severity_id',
  'portfolio_epic_id',
  'epic_id',
  'assignable_id',
  'responsible_id',
  'request_type_id',
  'program_id',
  'process_id',
  'company_id',
  'linked_general_id',
  'test_plan_id',
  'parent_test_plan_run_id',
  'deleted_with_id',
  'responsible_team_id',
];

const generalIndexes = (): string[] => [
  ...keys.map(
    (key) => `create index ix_general_${key.replace(/_id$/, '')} on general (${key}, id) where ${key} is not null`,
  ),
  'create index ix_general_kind on general (entity_type_id, id desc) where delete_date is null',
  'create index ix_general_project_kind on general (project_id, entity_type_id, id desc) where delete_date is null',
  `create index ix_general_kind_state on general (entity_type_id, entity_state_id, id desc)
     where delete_date is null and entity_state_id is not null`,
  'create index ix_general_kind_name on general (entity_type_id, name, id) where delete_date is null',
  'create index ix_general_kind_name_lower on general (entity_type_id, lower(name)) where delete_date is null',
  'create index ix_general_kind_created on general (entity_type_id, create_date desc, id desc) where delete_date is null',
  'create index ix_general_kind_modified on general (entity_type_id, modify_date desc, id desc) where delete_date is null',
  `create index ix_general_kind_ended on general (entity_type_id, end_date desc, id desc)
     where delete_date is null and end_date is not null`,
  // The next rank of a kind is looked up with every creation, deleted items included.
  'create index ix_general_kind_rank on general (entity_type_id, numeric_priority, id)',
  `create index ix_general_commented on general (last_comment_date desc, id desc)
     where delete_date is null and last_comment_date is not null`,
  'create index ix_general_deleted on general (entity_type_id, delete_date) where delete_date is not null',
  `create index ix_general_custom on general using gin (custom_values jsonb_path_ops) where custom_values <> '{}'`,
];

const indexes = [
  'create index ix_assignment_user on assignment (general_user_id, assignable_id)',
  'create index ix_team_assignment_team on team_assignment (team_id, assignable_id)',
  'create index ix_team_assignment_state on team_assignment (entity_state_id) where entity_state_id is not null',
  'create unique index ix_assigned_effort on assigned_effort (assignable_id, role_id, general_user_id)',
  'create index ix_role_effort_role on role_effort (role_id)',
  'create index ix_comment_general on comment (general_id, id desc)',
  'create index ix_comment_owner on comment (owner_id, id desc)',
  'create index ix_time_assignable on time (assignable_id, date desc) where assignable_id is not null',
  'create index ix_time_project on time (project_id, date desc)',
  'create index ix_time_user on time (user_id, date desc)',
  'create index ix_time_date on time (date desc, id desc)',
  'create index ix_time_role on time (role_id, date desc) where role_id is not null',
  `create index ix_time_custom on time using gin (custom_values jsonb_path_ops) where custom_values <> '{}'`,
  'create index ix_time_activity on time (custom_activity_id) where custom_activity_id is not null',
  'create index ix_custom_activity_project on custom_activity (project_id)',
  'create index ix_custom_activity_user on custom_activity (user_id)',
  'create index ix_relation_slave on relation (slave_id)',
  'create index ix_relation_type on relation (relation_type_id)',
  'create index ix_general_tag_tag on general_tag (tag_id, general_id)',
  'create unique index ix_tag_name on tag (lower(name))',
  'create unique index ix_project_member on project_member (project_id, user_id)',
  'create index ix_project_member_user on project_member (user_id, project_id)',
  'create unique index ix_team_member on team_member (team_id, user_id)',
  'create index ix_team_member_user on team_member (user_id, team_id)',
  'create unique index ix_team_project on team_project (team_id, project_id)',
  'create index ix_team_project_project on team_project (project_id, team_id)',
  'create index ix_team_project_allocation on team_project_allocation (team_project_id)',
  'create index ix_release_project_project on release_project (project_id, release_id)',
  'create index ix_milestone_project_project on milestone_project (project_id, milestone_id)',
  'create unique index ix_general_follower on general_follower (general_id, user_id)',
  'create index ix_general_follower_user on general_follower (user_id)',
  'create index ix_entity_permission_general on entity_permission (general_id)',
  'create index ix_entity_permission_user on entity_permission (user_id, general_id)',
  'create index ix_general_conversion_from on general_conversion (from_general_id)',
  'create index ix_attachment_general on attachment (general_id)',
  'create index ix_attachment_owner on attachment (owner_id)',
  'create index ix_test_step_case on test_step (test_case_id, run_order)',
  'create index ix_test_case_run_run on test_case_run (test_plan_run_id)',
  'create index ix_test_case_run_case on test_case_run (test_case_id)',
  'create index ix_test_step_run_run on test_step_run (test_case_run_id, run_order)',
  'create index ix_test_plan_test_case_case on test_plan_test_case (test_case_id)',
  'create index ix_test_plan_hierarchy_child on test_plan_hierarchy (child_id)',
  'create index ix_test_plan_run_bug_bug on test_plan_run_bug (bug_id)',
  'create index ix_test_case_run_bug_bug on test_case_run_bug (bug_id)',
  'create index ix_request_requester_requester on request_requester (requester_id)',
  'create index ix_simple_history_general on simple_history (general_id, date desc)',
  'create index ix_simple_history_kind on simple_history (entity_type_id, date desc, id desc)',
  'create index ix_full_history_general on full_history (general_id, date desc)',
  'create index ix_full_history_kind on full_history (entity_type_id, date desc, id desc)',
  'create index ix_process_practice_practice on process_practice (practice_id)',
  'create index ix_team_project_workflow_workflow on team_project_workflow (workflow_id)',
  'create index ix_workflow_process on workflow (process_id, entity_type_id)',
  'create index ix_workflow_parent on workflow (parent_workflow_id) where parent_workflow_id is not null',
  'create index ix_entity_state_kind on entity_state (entity_type_id)',
  'create index ix_entity_state_role on entity_state (role_id) where role_id is not null',
  'create index ix_entity_state_parent on entity_state (parent_entity_state_id) where parent_entity_state_id is not null',
  'create index ix_priority_kind on priority (entity_type_id, importance)',
  'create index ix_entity_state_workflow on entity_state (workflow_id)',
  'create index ix_entity_state_process on entity_state (process_id, entity_type_id)',
  'create index ix_entity_state_step_to on entity_state_step (to_id)',
  'create unique index ix_custom_field_name on custom_field (coalesce(process_id, 0), entity_type_id, lower(name))',
  'create index ix_custom_field_process on custom_field (process_id, entity_type_id)',
  'create index ix_term_process on term (process_id)',
  `create index ix_general_user_custom on general_user using gin (custom_values jsonb_path_ops) where custom_values <> '{}'`,
  `create unique index ix_general_user_login on general_user (lower(login)) where delete_date is null and login is not null`,
  'create index ix_general_user_email on general_user (lower(email)) where email is not null',
  'create index ix_general_user_role on general_user (role_id) where role_id is not null',
  'create index ix_general_user_company on general_user (company_id) where company_id is not null',
];

const check = (table: string, name: string, rule: string): string =>
  `alter table ${table} add constraint ck_${table}_${name} check (${rule})`;

const checks = [
  check('general', 'progress', 'progress between 0 and 1'),
  check('general', 'effort', 'effort >= 0 and effort_completed >= 0 and effort_to_do >= 0'),
  check('general', 'time', 'time_spent >= 0 and time_remain >= 0'),
  check('general', 'task', 'entity_type_id <> 5 or user_story_id is not null'),
  check('general', 'run', 'entity_type_id <> 14 or test_plan_id is not null'),
  // A portfolio epic lies above projects; every other work item lies in one.
  check(
    'general',
    'project',
    'entity_type_id not in (2, 3, 4, 5, 8, 9, 11, 12, 13, 14, 16, 17, 27) or project_id is not null',
  ),
  check('general', 'kind', 'entity_type_id > 0'),
  check('general', 'process', 'entity_type_id <> 1 or process_id is not null'),
  check('general', 'team', 'entity_type_id <> 24 or team_id is not null'),
  check('general', 'span', 'entity_type_id not in (3, 24) or (start_date is not null and end_date is not null)'),
  check('general', 'milestone', 'entity_type_id <> 32 or (date is not null and css_class is not null)'),
  // Work items end when they reach a final state, whatever start a client has planned for them.
  check('general', 'dates', 'entity_type_id in (4, 5, 8, 9, 14, 16, 17, 27, 31) or end_date >= start_date'),
  check('general', 'itself', 'id <> project_id and id <> parent_test_plan_run_id'),
  check('relation', 'self', 'master_id <> slave_id'),
  check('time', 'hours', 'spent >= 0 and remain >= 0'),
  check('time', 'place', 'project_id is not null or assignable_id is not null'),
  check('role_effort', 'effort', 'effort >= 0 and initial_estimate >= 0'),
  check('full_history', 'dates', 'date_to >= date'),
  check('general_user', 'login', "kind <> 'User' or login is not null"),
];

/** Every change of a row is counted, whoever makes it. */
const versions = [
  `create function count_version() returns trigger language plpgsql as $$
   begin
     new.entity_version := old.entity_version + 1;
     return new;
   end $$`,
  `create trigger general_version before update on general for each row
   when (old.* is distinct from new.*) execute function count_version()`,
];
