import { Entity } from 'typeorm';
import {
  Choice,
  Collection,
  Computed,
  editable,
  Id,
  Moment,
  type Ref,
  Reference,
  RichText,
} from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { throughRemembering } from '../../model/visibility.js';
import { sql } from '../../sql.js';
import { runStatuses } from './test-case.entity.js';

@Resource({
  collection: 'TestCaseRuns',
  // Created with the run of a plan alone; anything else is refused with that reason.
  operations: 'CUD',
  // It bears the name and the text of its case.
  visible: throughRemembering('testPlanRun', 'testCase'),
  entityTypeId: 28,
  description: 'One test case within a run of a plan.',
})
@Entity('test_case_run')
export class TestCaseRun {
  @Id() id!: number;
  @Computed('text', (row) => sql`(select c.name from general c where c.id = ${row('test_case_id')})`) name!: string;
  @Computed('richText', (row) => sql`(select c.description from general c where c.id = ${row('test_case_id')})`)
  description!: string | null;
  @Choice('TestCaseRunStatusEnum', runStatuses, { initial: 'NotRun' }) status!: string;
  @RichText() comment!: string | null;
  @Moment() startRunDate!: Date | null;
  @Moment() endRunDate!: Date | null;
  @Reference('TestPlanRun', { required: true }) testPlanRun!: Ref;
  @Reference('TestPlanRun', { recorded: false, readOnly: true }) rootTestPlanRun!: Ref;
  @Reference('TestCase', { required: true, readOnly: true }) testCase!: Ref;
  @Reference('Priority', { readOnly: true }) priority!: Ref;
  @Reference('User', { readOnly: true }) lastExecutor!: Ref;
  @Collection('TestStepRun', { by: 'testCaseRun' }, editable) testStepRuns!: unknown;
  @Collection('Bug', { table: 'test_case_run_bug', from: 'test_case_run_id', to: 'bug_id' }, editable) bugs!: unknown;
  @Collection('TestRunItemHierarchyLink', { by: 'testCaseRun' }) testPlanRunLinks!: unknown;
}
