import { ChildEntity } from 'typeorm';
import { Collection, Computed, editable, Integer, type Ref, Reference } from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { sql } from '../../sql.js';
import { Assignable } from '../assignables/assignable.entity.js';

const count = { readOnly: true, initial: 0, recorded: false } as const;

@Resource({
  collection: 'TestPlanRuns',
  filled: ['name'],
  stays: ['entityState', 'project'],
  operations: 'CUD',
  order: descending('id'),
  level: 1,
  description: 'One run through a test plan.',
})
@ChildEntity(14)
export class TestPlanRun extends Assignable {
  @Integer(count) notRunCount!: number;
  @Integer(count) passedCount!: number;
  @Integer(count) failedCount!: number;
  @Integer(count) onHoldCount!: number;
  @Integer(count) blockedCount!: number;
  @Computed(
    'flag',
    (row) => sql`not exists (select 1 from general later where later.entity_type_id = ${row('entity_type_id')}
      and later.test_plan_id = ${row('test_plan_id')} and later.id > ${row('id')} and later.delete_date is null
      and later.project_id = ${row('project_id')})`,
    { synthetic: true, description: 'The most recent run of its plan in its project.' },
  )
  isLastStarted!: boolean;
  @Reference('Build') build!: Ref;
  @Reference('TestPlan', { required: true, part: true }) testPlan!: Ref;
  @Reference('TestPlanRun') parentTestPlanRun!: Ref;
  @Collection('TestCaseRun', { by: 'testPlanRun' }, editable) testCaseRuns!: unknown;
  @Collection('TestPlanRun', { by: 'parentTestPlanRun' }) testPlanRuns!: unknown;
  @Collection('Bug', { table: 'test_plan_run_bug', from: 'test_plan_run_id', to: 'bug_id' }) bugs!: unknown;
  @Collection('TestRunItemHierarchyLink', { by: 'testPlanRun' }) testCaseRunLinks!: unknown;
}
