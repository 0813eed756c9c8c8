import { Entity } from 'typeorm';
import { Collection, editable, Flag, Id, RichText, Text } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';

@Resource({
  collection: 'Processes',
  operations: 'CUD',
  order: ascending('name'),
  isConfiguration: true,
  description: 'How a project works: its practices, workflows and custom fields.',
})
@Entity('process')
export class Process {
  @Id() id!: number;
  @Text({ required: true }) name!: string;
  @Flag({ initial: false }) isDefault!: boolean;
  @RichText() description!: string | null;
  @Collection('Project', { by: 'process' }) projects!: unknown;
  @Collection('Practice', { table: 'process_practice', from: 'process_id', to: 'practice_id' }, editable)
  practices!: unknown;
  @Collection('CustomField', { by: 'process' }, { ...editable, name: 'CustomFields' }) customFieldDefinitions!: unknown;
  @Collection('Term', { by: 'process' }) terms!: unknown;
  @Collection('Workflow', { by: 'process' }, editable) workflows!: unknown;
  @Collection('EntityState', { by: 'process' }, editable) entityStates!: unknown;
}
