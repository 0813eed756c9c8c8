import { Entity } from 'typeorm';
import { Id, Integer, Moment, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'TeamProjectAllocations',
  visible: through('teamProject'),
  entityTypeId: 30,
  description: 'How much of a team a project may count on, and when.',
})
@Entity('team_project_allocation')
export class TeamProjectAllocation {
  @Id() id!: number;
  @Moment() startDate!: Date | null;
  @Moment() endDate!: Date | null;
  @Integer({ initial: 0 }) percentage!: number;
  @Reference('TeamProject', { required: true }) teamProject!: Ref;
}
