import { Entity } from 'typeorm';
import { Collection, Flag, Id, Integer, type Ref, Reference, Text } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';

@Resource({
  collection: 'Priorities',
  operations: 'CUD',
  order: ascending('importance'),
  short: ['Importance'],
  isConfiguration: true,
  isNameable: true,
  description: 'How much something matters; each kind of item has its own set.',
})
@Entity('priority')
export class Priority {
  @Id() id!: number;
  @Text({ required: true }) name!: string;
  @Integer({ initial: 0, description: 'Smaller matters more.' }) importance!: number;
  @Flag({ initial: false }) isDefault!: boolean;
  @Reference('EntityType', { required: true }) entityType!: Ref;
  @Collection('Assignable', { by: 'priority' }) assignables!: unknown;
  @Collection('TestCase', { by: 'priority' }) testCases!: unknown;
}
