import { Entity, Unique } from 'typeorm';
import { Id, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'MilestoneProjects',
  key: ['milestone', 'project'],
  operations: 'CUD',
  visible: through('project', 'milestone'),
  description: 'That a milestone concerns a project.',
})
@Entity('milestone_project')
@Unique('uq_milestone_project', ['milestone', 'project'])
export class MilestoneProject {
  @Id() id!: number;
  @Reference('Project', { required: true }) project!: Ref;
  @Reference('Milestone', { required: true }) milestone!: Ref;
}
