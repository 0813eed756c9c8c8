import { Entity } from 'typeorm';
import { Id, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

const fact = { readOnly: true, always: true, loose: true } as const;

/** That a test case run belongs to a run of a plan, or to one below it. Triggers of the database keep these rows. */
@Resource({
  collection: 'TestRunItemHierarchyLinks',
  visible: through('testCaseRun', 'testPlanRun'),
  description: 'That a test case run lies in a test plan run or below it.',
})
@Entity('test_run_item_hierarchy_link')
export class TestRunItemHierarchyLink {
  @Id() id!: number;
  @Reference('TestCaseRun', fact) testCaseRun!: Ref;
  @Reference('TestPlanRun', fact) testPlanRun!: Ref;
}
