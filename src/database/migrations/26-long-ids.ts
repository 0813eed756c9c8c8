/**
 * Ids that the database gives out, and whatever refers to them, have 64 bits. They end where a JSON number is no longer exact. Ids that
 * are the same in every installation - types of entities, custom rules - keep their 32 bits.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LongIds1700000000026 implements MigrationInterface {
  name = 'LongIds1700000000026';

  async up(runner: QueryRunner): Promise<void> {
    // Whoever is in the way is met here, and not after long work.
    await runner.query(`lock table ${longIdTables} in access exclusive mode`);
    const dependents: Dependent[] = await runner.query(dependentsOfColumns);
    for (const { dropped } of dependents) await runner.query(dropped);
    for (const [table, columns] of Object.entries(idColumns)) await runner.query(alteration(table, columns));
    for (const { sequence } of await runner.query(sequences)) await runner.query(`alter sequence ${sequence} ${end}`);
    for (const { widened } of await runner.query(functions)) await runner.query(widened);
    for (const { created } of dependents) await runner.query(created);
    // Columns of a new type are without statistics.
    await runner.query(`analyze ${longIdTables}`);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

/** Sequences of identity columns follow their type. */
const end = 'maxvalue 9007199254740991';

const listed = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

const quoted = (table: string): string => `"${table}"`;

const ofGeneral = `id deleted_with_id last_editor_id owner_id last_commented_user_id project_id linked_test_plan_id milestone_id release_id
  iteration_id team_iteration_id team_id priority_id entity_state_id responsible_team_id build_id user_story_id feature_id severity_id
  portfolio_epic_id epic_id assignable_id responsible_id request_type_id program_id process_id company_id linked_general_id test_plan_id
  parent_test_plan_run_id`;

/** Written out: a migration must not follow the code. */
const idColumns: Readonly<Record<string, string>> = {
  access_token: 'id user_id',
  assignment: 'id assignable_id general_user_id role_id',
  attachment: 'id owner_id general_id message_id',
  comment: 'id parent_id general_id owner_id',
  company: 'id',
  context: 'user_id project_ids[] team_ids[]',
  custom_activity: 'id project_id user_id',
  custom_field: 'id process_id',
  entity_permission: 'id user_id general_id',
  entity_state: 'id role_id workflow_id parent_entity_state_id process_id',
  entity_state_step: 'from_id to_id',
  full_history: `id source_entity_id project_id entity_state_id priority_id release_id iteration_id team_iteration_id owner_id modifier_id
    general_id`,
  general: ofGeneral,
  general_conversion: 'id from_general_id actual_general_id',
  general_follower: 'id general_id user_id',
  general_tag: 'general_id tag_id',
  general_user: 'id company_id role_id',
  idempotency_key: 'user_id',
  login_attempt: 'id',
  message: 'id from_id to_id message_uid_id',
  message_general: 'message_id general_id',
  message_uid: 'id',
  milestone_project: 'id project_id milestone_id',
  practice: 'id',
  priority: 'id',
  process: 'id',
  process_practice: 'process_id practice_id',
  project_member: 'id project_id user_id role_id',
  relation: 'id master_id slave_id relation_type_id',
  relation_type: 'id',
  release_project: 'id project_id release_id',
  request_requester: 'request_id requester_id',
  request_type: 'id',
  revision: 'id project_id author_id',
  revision_assignable: 'revision_id assignable_id',
  revision_file: 'id revision_id',
  role: 'id',
  role_effort: 'id assignable_id role_id',
  role_entity_type: 'id role_id',
  session: 'user_id',
  severity: 'id',
  simple_history: 'id project_id entity_state_id modifier_id release_id iteration_id general_id',
  span_delta: 'span_id',
  tag: 'id',
  taken_along: 'id general_id',
  team_assignment: 'id team_id assignable_id entity_state_id',
  team_member: 'id team_id user_id role_id',
  team_project: 'id team_id project_id',
  team_project_allocation: 'id team_project_id',
  team_project_workflow: 'team_project_id workflow_id',
  term: 'id process_id',
  test_case_run: 'id test_plan_run_id root_test_plan_run_id test_case_id priority_id last_executor_id',
  test_case_run_bug: 'test_case_run_id bug_id',
  test_plan_hierarchy: 'parent_id child_id',
  test_plan_run_bug: 'test_plan_run_id bug_id',
  test_plan_test_case: 'test_plan_id test_case_id',
  test_run_item_hierarchy_link: 'id test_case_run_id test_plan_run_id',
  test_step: 'id test_case_id',
  test_step_run: 'id test_case_run_id test_step_id',
  time: 'id project_id user_id role_id assignable_id custom_activity_id',
  workflow: 'id process_id parent_workflow_id',
};

export const longIdTables = Object.keys(idColumns).map(quoted).join(', ');

/** `x[]` is a column that holds many. */
function alteration(table: string, columns: string): string {
  const changes = columns.split(/\s+/).map((column) => {
    const [name, many = ''] = column.split(/(?=\[\])/);
    return `alter column ${name} type bigint${many}`;
  });
  return `alter table ${quoted(table)} ${changes.join(', ')}`;
}

/** The change record has long ids already. */
const numbered = [...Object.keys(idColumns), 'change_record'];

const sequences = `select quote_ident(sequencename) as sequence from pg_sequences
  where schemaname = current_schema() and sequencename in (${listed(numbered.map((table) => `${table}_id_seq`))})`;

interface Dependent {
  dropped: string;
  created: string;
}

const views = ['assigned_effort', 'project_allocation', 'inbound_assignable', 'outbound_assignable'];

/** Views and triggers that name columns, as they are by now. PostgreSQL changes no column below them. */
const dependentsOfColumns = `select 'drop view ' || relname as dropped,
    'create view ' || relname || ' as ' || replace(pg_get_viewdef(oid), 'NULL::integer', 'NULL::bigint') as created
  from pg_class where relnamespace = current_schema()::regnamespace and relname in (${listed(views)})
  union all
  select format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass), pg_get_triggerdef(t.oid)
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace and c.relname in (${listed(Object.keys(idColumns))})
    and exists (select from pg_depend d where d.classid = 'pg_trigger'::regclass and d.objid = t.oid and d.refobjsubid > 0)`;

/** Parameters that hold one id. */
const idParameters = ['person', 'team', 'project', 'place'];

/** Its parts are no ids. */
const ofDates = 'moment_of';

/** A list of whole numbers, in a signature or in a body. */
const someIds = '\\mint(eger)?\\[\\]';
const oneId = `\\m(${idParameters.join('|')}) integer\\M`;

/** Functions of ours that take ids or hold lists of them, as earlier migrations left them. */
const functions = `select concat(case when parameters ~ '\\minteger\\M' then format('drop function %I(%s);', proname, identity) end,
    regexp_replace(replace(definition, '(' || parameters || ')', '(' || regexp_replace(parameters, '${oneId}', '\\1 bigint', 'g') || ')'),
      '${someIds}', 'bigint[]', 'g')) as widened
  from (select p.oid, p.proname, pg_get_functiondef(p.oid) as definition, pg_get_function_arguments(p.oid) as parameters,
      pg_get_function_identity_arguments(p.oid) as identity
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = current_schema()::regnamespace and l.lanname in ('sql', 'plpgsql') and p.prokind = 'f' and p.proname <> '${ofDates}'
      and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')) f
  where parameters ~ '${oneId}' or definition ~ '${someIds}'`;
