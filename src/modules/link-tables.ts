/** Tables that only link two rows and are no resources of their own, for TypeORM. */
import { Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

type Side = [column: string, target: string];

const linkTables: [table: string, from: Side, to: Side][] = [
  ['general_tag', ['general_id', 'General'], ['tag_id', 'Tag']],
  ['entity_state_step', ['from_id', 'EntityState'], ['to_id', 'EntityState']],
  ['process_practice', ['process_id', 'Process'], ['practice_id', 'Practice']],
  ['request_requester', ['request_id', 'Request'], ['requester_id', 'GeneralUser']],
  ['test_plan_test_case', ['test_plan_id', 'TestPlan'], ['test_case_id', 'TestCase']],
  ['test_plan_hierarchy', ['parent_id', 'TestPlan'], ['child_id', 'TestPlan']],
  ['test_plan_run_bug', ['test_plan_run_id', 'TestPlanRun'], ['bug_id', 'Bug']],
  ['test_case_run_bug', ['test_case_run_id', 'TestCaseRun'], ['bug_id', 'Bug']],
  ['revision_assignable', ['revision_id', 'Revision'], ['assignable_id', 'Assignable']],
  ['message_general', ['message_id', 'Message'], ['general_id', 'General']],
  ['team_project_workflow', ['team_project_id', 'TeamProject'], ['workflow_id', 'Workflow']],
];

for (const [table, ...sides] of linkTables) {
  const type = { [table]: class {} }[table]!;
  Entity(table)(type);
  for (const [column, target] of sides) {
    PrimaryColumn({ type: 'bigint', name: column })(type.prototype, column);
    ManyToOne(target, { onDelete: 'CASCADE' })(type.prototype, `${column}_side`);
    JoinColumn({ name: column })(type.prototype, `${column}_side`);
  }
}
