import { Entity, Unique } from 'typeorm';
import { Id, Moment, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'TeamAssignments',
  key: ['assignable', 'team'],
  operations: 'CUD',
  visible: through('assignable'),
  description: 'That a team works on an item, in a state of its own workflow.',
})
@Entity('team_assignment')
@Unique('uq_team_assignment', ['assignable', 'team'])
export class TeamAssignment {
  @Id() id!: number;
  @Moment() startDate!: Date | null;
  @Moment() endDate!: Date | null;
  @Reference('Team', { required: true }) team!: Ref;
  @Reference('Assignable', { required: true }) assignable!: Ref;
  @Reference('EntityState') entityState!: Ref;
}
