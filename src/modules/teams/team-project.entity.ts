import { Column, Entity } from 'typeorm';
import { Collection, editable, Flag, Id, Moment, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'TeamProjects',
  key: ['team', 'project'],
  operations: 'CUD',
  visible: through('project', 'team'),
  description: 'That a team works on a project.',
})
@Entity('team_project')
export class TeamProject {
  @Id() id!: number;
  @Moment({ description: 'Shown, and decides nothing.' }) startDate!: Date | null;
  @Moment({ description: 'Shown, and decides nothing.' }) endDate!: Date | null;
  @Flag({ initial: true, description: 'Shown, and decides nothing.' }) isFullProjectAccess!: boolean;
  /** When it became what it is; the database notes it. */
  @Column({ type: 'timestamptz', name: 'since', precision: 3, nullable: true }) since!: Date | null;
  @Reference('Team', { required: true }) team!: Ref;
  @Reference('Project', { required: true }) project!: Ref;
  @Collection('Workflow', { table: 'team_project_workflow', from: 'team_project_id', to: 'workflow_id' }, editable)
  workflows!: unknown;
  @Collection('TeamProjectAllocation', { by: 'teamProject' }) allocations!: unknown;
}
