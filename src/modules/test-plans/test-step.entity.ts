import { Entity } from 'typeorm';
import { Id, Integer, type Ref, Reference, RichText } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'TestSteps',
  operations: 'CUD',
  order: ascending('runOrder'),
  visible: through('testCase'),
  entityTypeId: 25,
  description: 'One step of a test case and the result it should have.',
})
@Entity('test_step')
export class TestStep {
  @Id() id!: number;
  @RichText() description!: string | null;
  @RichText() result!: string | null;
  @Integer({ initial: 0 }) runOrder!: number;
  @Reference('TestCase', { required: true }) testCase!: Ref;
}
