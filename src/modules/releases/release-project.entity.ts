import { Entity, Unique } from 'typeorm';
import { Id, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'ReleaseProjects',
  filled: ['project'],
  key: ['release', 'project'],
  operations: 'CUD',
  visible: through('project', 'release'),
  description: "That a release is shared by a project. The release's first project has a row too.",
})
@Entity('release_project')
@Unique('uq_release_project', ['release', 'project'])
export class ReleaseProject {
  @Id() id!: number;
  @Reference('Project', { required: true }) project!: Ref;
  @Reference('Release', { required: true }) release!: Ref;
}
