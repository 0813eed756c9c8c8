import { Entity } from 'typeorm';
import { Flag, Id, Integer, type Ref, Reference, RichText } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'TestStepRuns',
  operations: 'CUD',
  order: ascending('runOrder'),
  visible: through('testCaseRun'),
  entityTypeId: 26,
  description: 'One step within a run of a test case.',
})
@Entity('test_step_run')
export class TestStepRun {
  @Id() id!: number;
  @Flag({ initial: false }) passed!: boolean;
  @Flag({ initial: false }) runned!: boolean;
  @Integer({ initial: 0 }) runOrder!: number;
  @RichText() description!: string | null;
  @RichText() result!: string | null;
  @Reference('TestCaseRun', { required: true }) testCaseRun!: Ref;
  @Reference('TestStep') testStep!: Ref;
}
