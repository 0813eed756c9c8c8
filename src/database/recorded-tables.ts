/** What is recorded of the rows of each table, as the triggers of the database do it (a test compares the two). */

export interface Recorded {
  columns: readonly string[];
  /** Expressions over the row `r`. */
  resource: string;
  id?: string;
  project?: string;
  /** Where no service has set who writes. */
  author?: string;
  /** Of an update, over the rows `o` and `n`. */
  kind?: string;
}

const words = (text: string): string[] => text.trim().split(/\s+/);

const projectOf = (general: string): string =>
  `(select case when g.entity_type_id = 1 then g.id else g.project_id end from general g where g.id = ${general})`;

const row = (resource: string, columns: string, project?: string): Recorded => ({
  resource: `'${resource}'`,
  columns: words(columns),
  project,
});

const link = (resource: string, id: string, columns: string, project?: string): Recorded => ({
  ...row(resource, columns, project),
  id: `r.${id}`,
});

const softly = `case when o.delete_date is null and n.delete_date is not null then 'delete'
  when o.delete_date is not null and n.delete_date is null then 'restore' else 'update' end`;

const general = `name description start_date end_date numeric_priority delete_date custom_values planned_start_date planned_end_date units
  initial_estimate is_private source_type is_replied votes_count date css_class is_active is_product abbreviation mail_reply_address color
  build_date velocity duration capacity icon emoji_icon icon_uri last_run_status last_failure_comment last_run_date entity_type_id owner_id
  project_id linked_test_plan_id milestone_id release_id iteration_id team_iteration_id team_id priority_id entity_state_id
  responsible_team_id build_id user_story_id feature_id severity_id portfolio_epic_id epic_id assignable_id responsible_id request_type_id
  program_id process_id company_id linked_general_id test_plan_id parent_test_plan_run_id`;

const user = `first_name last_name email login delete_date is_active is_administrator locale kind avatar_uri custom_values phone notes
  source_type weekly_available_hours available_from is_observer is_contributor skills active_directory_name rich_editor company_id role_id`;

const work = {
  general: {
    columns: words(general),
    resource: '(select t.name from entity_type t where t.id = r.entity_type_id)',
    project: 'case when r.entity_type_id = 1 then r.id else r.project_id end',
    author: 'r.last_editor_id',
    kind: softly,
  },
  general_user: { columns: words(user), resource: 'r.kind', kind: softly },
  assignment: row('Assignment', 'assignable_id general_user_id role_id', projectOf('r.assignable_id')),
  team_assignment: row(
    'TeamAssignment',
    'start_date end_date team_id assignable_id entity_state_id',
    projectOf('r.assignable_id'),
  ),
  role_effort: row(
    'RoleEffort',
    'initial_estimate assignable_id role_id own_effort own_completed',
    projectOf('r.assignable_id'),
  ),
  comment: {
    ...row('Comment', 'description parent_id is_private is_pinned general_id owner_id', projectOf('r.general_id')),
    author: 'r.owner_id',
  },
  time: {
    ...row(
      'Time',
      'description spent remain is_estimation date custom_values project_id user_id role_id assignable_id custom_activity_id',
      'r.project_id',
    ),
    author: 'r.user_id',
  },
  custom_activity: row('CustomActivity', 'name estimate project_id user_id', 'r.project_id'),
  relation: row('Relation', 'master_id slave_id relation_type_id', projectOf('r.master_id')),
  tag: row('Tag', 'name'),
  general_tag: link('GeneralTag', 'general_id', 'general_id tag_id', projectOf('r.general_id')),
  general_follower: row('GeneralFollower', 'general_id user_id', projectOf('r.general_id')),
  entity_permission: row(
    'EntityPermission',
    'view comment edit entity_type_id user_id general_id',
    projectOf('r.general_id'),
  ),
  attachment: row(
    'Attachment',
    'name description mime_type size owner_id general_id message_id',
    projectOf('r.general_id'),
  ),
};

const people = {
  project_member: row(
    'ProjectMember',
    'weekly_available_hours membership_start_date membership_end_date allocation project_id user_id role_id',
    'r.project_id',
  ),
  team_member: row('TeamMember', 'start_date end_date team_id user_id role_id'),
  team_project: row('TeamProject', 'start_date end_date is_full_project_access team_id project_id', 'r.project_id'),
  team_project_allocation: row('TeamProjectAllocation', 'start_date end_date percentage team_project_id'),
  team_project_workflow: link('TeamProjectWorkflow', 'team_project_id', 'team_project_id workflow_id'),
  release_project: row('ReleaseProject', 'project_id release_id', 'r.project_id'),
  milestone_project: row('MilestoneProject', 'project_id milestone_id', 'r.project_id'),
  request_requester: link('RequestRequester', 'request_id', 'request_id requester_id', projectOf('r.request_id')),
  company: row('Company', 'name url description'),
  message: row(
    'Message',
    'subject recipients is_read is_processed message_type content_type from_id to_id message_uid_id',
  ),
  message_general: link('MessageGeneral', 'message_id', 'message_id general_id', projectOf('r.general_id')),
  message_uid: row('MessageUid', 'uid mail_server mail_login'),
};

const plan = projectOf('r.test_plan_run_id');

const tests = {
  test_step: row('TestStep', 'description result run_order test_case_id', projectOf('r.test_case_id')),
  test_case_run: row(
    'TestCaseRun',
    'status comment start_run_date end_run_date test_plan_run_id test_case_id priority_id last_executor_id',
    plan,
  ),
  test_step_run: row('TestStepRun', 'passed runned run_order description result test_case_run_id test_step_id'),
  test_run_item_hierarchy_link: row('TestRunItemHierarchyLink', 'test_case_run_id test_plan_run_id', plan),
  test_case_run_bug: link('TestCaseRunBug', 'test_case_run_id', 'test_case_run_id bug_id', projectOf('r.bug_id')),
  test_plan_run_bug: link('TestPlanRunBug', 'test_plan_run_id', 'test_plan_run_id bug_id', plan),
  test_plan_test_case: link(
    'TestPlanTestCase',
    'test_plan_id',
    'test_plan_id test_case_id',
    projectOf('r.test_plan_id'),
  ),
  test_plan_hierarchy: link('TestPlanHierarchy', 'parent_id', 'parent_id child_id', projectOf('r.parent_id')),
  revision: row('Revision', 'source_control_id description commit_date project_id author_id', 'r.project_id'),
  revision_file: row('RevisionFile', 'file_name file_action revision_id'),
  revision_assignable: link(
    'RevisionAssignable',
    'revision_id',
    'revision_id assignable_id',
    projectOf('r.assignable_id'),
  ),
};

const configuration = {
  custom_field: row(
    'CustomField',
    `name value entity_field_name field_type enabled_for_filter required is_system numeric_priority config description entity_type_id
     process_id`,
  ),
  custom_rule: row('CustomRule', 'name description is_enabled'),
  entity_state: row(
    'EntityState',
    `name is_initial is_final is_planned is_comment_required numeric_priority role_id workflow_id parent_entity_state_id entity_type_id
     process_id is_default_final`,
  ),
  entity_state_step: link('EntityStateStep', 'from_id', 'from_id to_id'),
  global_settings: row(
    'GlobalSetting',
    'company_name default_rich_editor is_login_form_enabled access_token_limit session_idle_minutes session_hours',
  ),
  priority: row('Priority', 'name importance is_default entity_type_id'),
  process: row('Process', 'name is_default description'),
  process_practice: link('ProcessPractice', 'process_id', 'process_id practice_id'),
  practice: row('Practice', 'name display_name description settings'),
  relation_type: row('RelationType', 'name'),
  request_type: row('RequestType', 'name icon is_private_by_default is_voting_enabled'),
  role: row(
    'Role',
    `name has_effort can_change_owner can_use_personal_access_tokens description is_pair can_prioritize
     time_sheet_access people_access`,
  ),
  role_entity_type: row('RoleEntityType', 'is_add_enabled is_edit_enabled is_delete_enabled entity_type_id role_id'),
  severity: row('Severity', 'name importance is_default'),
  term: row('Term', 'word_key value process_id entity_type_id'),
  workflow: row('Workflow', 'name process_id entity_type_id parent_workflow_id'),
};

export const recorded: Readonly<Record<string, Recorded>> = { ...work, ...people, ...tests, ...configuration };
