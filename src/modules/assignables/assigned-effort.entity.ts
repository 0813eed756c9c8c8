import { Entity } from 'typeorm';
import { Decimal, Id, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

const number = { initial: 0, readOnly: true } as const;

@Resource({
  collection: 'AssignedEfforts',
  visible: through('assignable'),
  isView: true,
  description:
    'The share of one assigned person in the effort of a work item: a view on its efforts by role and on who is assigned.',
})
@Entity({ name: 'assigned_effort', synchronize: false })
export class AssignedEffort {
  @Id() id!: number;
  @Decimal(number) initialEstimate!: string;
  @Decimal(number) effort!: string;
  @Decimal(number) effortCompleted!: string;
  @Decimal(number) effortToDo!: string;
  @Decimal(number) timeSpent!: string;
  @Decimal(number) timeRemain!: string;
  @Reference('Assignable', { required: true, readOnly: true }) assignable!: Ref;
  @Reference('Role', { required: true, readOnly: true }) role!: Ref;
  @Reference('GeneralUser', { required: true, readOnly: true }) generalUser!: Ref;
}
