import { Entity } from 'typeorm';
import { Collection, editable, Id, type Ref, Reference, Text } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';

@Resource({
  collection: 'Workflows',
  alternatives: [
    ['parentWorkflow', 'process'],
    ['parentWorkflow', 'entityType'],
  ],
  operations: 'CUD',
  fixed: ['parentWorkflow', 'process', 'entityType'],
  isConfiguration: true,
  description: 'The states that one kind of item goes through in one process, or in one team of it.',
})
@Entity('workflow')
export class Workflow {
  @Id() id!: number;
  @Text({ required: true }) name!: string;
  @Reference('Process', { required: true }) process!: Ref;
  @Reference('EntityType', { required: true }) entityType!: Ref;
  @Reference('Workflow') parentWorkflow!: Ref;
  @Collection('EntityState', { by: 'workflow' }, editable) entityStates!: unknown;
  @Collection('Workflow', { by: 'parentWorkflow' }, editable) subWorkflows!: unknown;
  @Collection(
    'TeamProject',
    { table: 'team_project_workflow', from: 'workflow_id', to: 'team_project_id' },
    { inverse: true },
  )
  teamProjects!: unknown;
}
