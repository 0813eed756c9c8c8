import { ChildEntity } from 'typeorm';
import { Collection, editable, type Ref, Reference } from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { Assignable } from './assignable.entity.js';

@Resource({
  collection: 'Bugs',
  requires: ['project'],
  operations: 'CUD',
  order: descending('id'),
  level: 1,
  description: 'Something that does not work as it should.',
})
@ChildEntity(8)
export class Bug extends Assignable {
  @Reference('Build') build!: Ref;
  @Reference('UserStory') userStory!: Ref;
  @Reference('Feature') feature!: Ref;
  @Reference('Severity') severity!: Ref;
  @Collection(
    'TestCaseRun',
    { table: 'test_case_run_bug', from: 'bug_id', to: 'test_case_run_id' },
    { ...editable, inverse: true },
  )
  testCaseRuns!: unknown;
  @Collection(
    'TestPlanRun',
    { table: 'test_plan_run_bug', from: 'bug_id', to: 'test_plan_run_id' },
    { ...editable, inverse: true },
  )
  testPlanRuns!: unknown;
  @Collection('BugSimpleHistory', { by: 'bug' }) history!: unknown;
}
