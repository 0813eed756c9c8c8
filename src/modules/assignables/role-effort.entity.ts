import { Column, Entity, Unique } from 'typeorm';
import { Decimal, Id, Recorded, type Ref, Reference } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'RoleEfforts',
  key: ['assignable', 'role'],
  operations: 'CUD',
  order: ascending('role'),
  item: ['Effort', 'Role'],
  visible: through('assignable'),
  description: "The effort of one role in one work item; the item's effort is their sum.",
})
@Entity('role_effort')
@Unique('uq_role_effort', ['assignable', 'role'])
export class RoleEffort {
  @Id() id!: number;
  @Decimal({ initial: 0 }) initialEstimate!: string;
  @Decimal({ recorded: false, initial: 0 }) effort!: string;
  @Decimal({ recorded: false, initial: 0, description: 'With EffortToDo the Effort; null has it worked out.' })
  effortCompleted!: string;
  @Decimal({ recorded: false, initial: 0, description: 'With EffortCompleted the Effort; null has it worked out.' })
  effortToDo!: string;
  @Decimal({ recorded: false, initial: 0, readOnly: true }) timeSpent!: string;
  @Decimal({ recorded: false, initial: 0, readOnly: true }) timeRemain!: string;
  @Reference('Assignable', { required: true }) assignable!: Ref;
  @Reference('Role', { required: true }) role!: Ref;

  /** As somebody wrote it; `effort` is that of the item's parts once they have any. */
  @Recorded()
  @Column({ type: 'numeric', precision: 18, scale: 4, name: 'own_effort', default: 0 })
  ownEffort!: string;
  /** As somebody wrote it; without, it follows the times of the role. */
  @Recorded()
  @Column({ type: 'numeric', precision: 18, scale: 4, name: 'own_completed', nullable: true })
  ownCompleted!: string | null;
}
