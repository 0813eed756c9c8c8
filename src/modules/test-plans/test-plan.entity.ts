import { ChildEntity } from 'typeorm';
import { Collection, Decimal, editable, type Ref, Reference } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { Assignable } from '../assignables/assignable.entity.js';

const linked = { narrows: 'linkedGeneral', readOnly: true, synthetic: true } as const;

@Resource({
  collection: 'TestPlans',
  requires: ['project'],
  operations: 'CUD',
  order: ascending('name'),
  level: 1,
  description: 'Test cases to be run together, perhaps for one work item.',
})
@ChildEntity(13)
export class TestPlan extends Assignable {
  @Decimal({ initial: 0 }) initialEstimate!: string;
  @Decimal({ recorded: false, initial: 0, readOnly: true }) calculatedEstimate!: string;

  @Reference('General') linkedGeneral!: Ref;
  @Reference('Assignable', linked) linkedAssignable!: Ref;
  @Reference('Epic', linked) linkedEpic!: Ref;
  @Reference('Feature', linked) linkedFeature!: Ref;
  @Reference('UserStory', linked) linkedUserStory!: Ref;
  @Reference('Task', linked) linkedTask!: Ref;
  @Reference('Bug', linked) linkedBug!: Ref;
  @Reference('Request', linked) linkedRequest!: Ref;
  @Reference('Build', linked) linkedBuild!: Ref;
  @Reference('Release', linked) linkedRelease!: Ref;
  @Reference('Iteration', linked) linkedIteration!: Ref;
  @Reference('TeamIteration', linked) linkedTeamIteration!: Ref;

  @Collection('TestCase', { table: 'test_plan_test_case', from: 'test_plan_id', to: 'test_case_id' }, editable)
  testCases!: unknown;
  @Collection('TestPlanRun', { by: 'testPlan' }, editable) testPlanRuns!: unknown;
  @Collection('TestPlan', { table: 'test_plan_hierarchy', from: 'parent_id', to: 'child_id' }, editable)
  childTestPlans!: unknown;
  @Collection(
    'TestPlan',
    { table: 'test_plan_hierarchy', from: 'child_id', to: 'parent_id' },
    { ...editable, inverse: true },
  )
  parentTestPlans!: unknown;
  @Collection('UserStory', { by: 'linkedTestPlan' }) userStories!: unknown;
}
