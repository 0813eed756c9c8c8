import { ChildEntity } from 'typeorm';
import {
  Choice,
  Collection,
  Computed,
  editable,
  Moment,
  type Ref,
  Reference,
  RichText,
} from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { sql } from '../../sql.js';
import { General } from '../generals/general.entity.js';

export const runStatuses = ['NotRun', 'Passed', 'Failed', 'OnHold', 'Blocked'] as const;

@Resource({
  collection: 'TestCases',
  requires: ['project'],
  operations: 'CUD',
  order: ascending('name'),
  description: 'What to do and what should come of it.',
})
@ChildEntity(12)
export class TestCase extends General {
  @Choice('TestCaseRunStatusEnum', runStatuses, { readOnly: true }) lastRunStatus!: string | null;
  @RichText({ readOnly: true }) lastFailureComment!: string | null;
  @Moment({ readOnly: true }) lastRunDate!: Date | null;
  @Computed('flag', (row) => sql`case ${row('last_run_status')} when 'Passed' then true when 'Failed' then false end`, {
    synthetic: true,
    deprecated: true,
    description: 'Use LastRunStatus.',
  })
  lastStatus!: boolean | null;
  @Reference('Priority') priority!: Ref;
  @Reference('UserStory', { synthetic: true, deprecated: true }) userStory!: Ref;
  @Collection(
    'TestPlan',
    { table: 'test_plan_test_case', from: 'test_case_id', to: 'test_plan_id' },
    { ...editable, inverse: true },
  )
  testPlans!: unknown;
  @Collection('TestCaseRun', { by: 'testCase' }) testCaseRuns!: unknown;
  @Collection('TestStep', { by: 'testCase' }, editable) testSteps!: unknown;
}
