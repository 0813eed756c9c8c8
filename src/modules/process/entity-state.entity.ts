import { Entity } from 'typeorm';
import { Collection, Double, editable, Flag, Id, type Ref, Reference, Text } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';

const steps = 'entity_state_step';

@Resource({
  collection: 'EntityStates',
  alternatives: [['workflow', 'entityType']],
  operations: 'CUD',
  order: ascending('numericPriority'),
  short: ['NumericPriority'],
  isConfiguration: true,
  isNameable: true,
  description: 'A state in a workflow.',
})
@Entity('entity_state')
export class EntityState {
  @Id() id!: number;
  @Text({ required: true }) name!: string;
  @Flag({ initial: false }) isInitial!: boolean;
  @Flag({ initial: false }) isFinal!: boolean;
  @Flag({ initial: false, description: 'The one of the final states of a workflow that work ends in by default.' })
  isDefaultFinal!: boolean;
  @Flag({ initial: false }) isPlanned!: boolean;
  @Flag({ initial: false, description: 'Shown, and decides nothing.' }) isCommentRequired!: boolean;
  @Double({ readOnly: true, initial: 0 }) numericPriority!: number;
  @Reference('Role') role!: Ref;
  @Reference('Workflow', { required: true }) workflow!: Ref;
  @Reference('EntityState') parentEntityState!: Ref;
  @Reference('EntityType', { always: true, description: 'Follows from the workflow; finds it where none is sent.' })
  entityType!: Ref;
  @Reference('Process', { always: true, description: 'Follows from the workflow; finds it where none is sent.' })
  process!: Ref;
  @Collection('EntityState', { table: steps, from: 'from_id', to: 'to_id' }, editable) nextStates!: unknown;
  @Collection('EntityState', { table: steps, from: 'to_id', to: 'from_id' }, { inverse: true })
  previousStates!: unknown;
  @Collection('EntityState', { by: 'parentEntityState' }, editable) subEntityStates!: unknown;
  @Collection('Assignable', { by: 'entityState' }) assignables!: unknown;
  @Collection('Impediment', { by: 'entityState' }) impediments!: unknown;
  @Collection('Project', { by: 'entityState' }) projects!: unknown;
  @Collection('TeamAssignment', { by: 'entityState' }) teamAssignments!: unknown;
}
