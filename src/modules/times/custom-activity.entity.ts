import { Entity } from 'typeorm';
import { Collection, Decimal, Id, Moment, type Ref, Reference, Text } from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'CustomActivities',
  operations: 'CUD',
  order: descending('id'),
  visible: through('project'),
  description: 'Something time is spent on that is no work item.',
})
@Entity('custom_activity')
export class CustomActivity {
  @Id() id!: number;
  @Text({ required: true }) name!: string;
  @Moment({ recorded: false, readOnly: true, required: true }) created!: Date;
  @Decimal({ initial: 0 }) estimate!: string;
  @Reference('Project', { required: true }) project!: Ref;
  @Reference('User') user!: Ref;
  @Collection('Time', { by: 'customActivity' }) times!: unknown;
}
