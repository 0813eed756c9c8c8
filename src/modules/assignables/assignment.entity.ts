import { Entity, Unique } from 'typeorm';
import { Id, type Ref, Reference } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'Assignments',
  filled: ['role'],
  key: ['assignable', 'generalUser', 'role'],
  operations: 'CUD',
  order: ascending('generalUser'),
  visible: through('assignable'),
  description: 'That somebody works on an item, in a role.',
})
@Entity('assignment')
@Unique('uq_assignment', ['assignable', 'generalUser', 'role'])
export class Assignment {
  @Id() id!: number;
  @Reference('Assignable', { required: true }) assignable!: Ref;
  @Reference('User', { required: true }) generalUser!: Ref;
  @Reference('Role', { required: true }) role!: Ref;
  @Reference('User', { sameAs: 'generalUser', always: true, readOnly: true, synthetic: true, deprecated: true })
  user!: Ref;
}
