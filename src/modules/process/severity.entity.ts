import { Entity } from 'typeorm';
import { Collection, Flag, Id, Integer, Text } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';

@Resource({
  collection: 'Severities',
  operations: 'CUD',
  order: ascending('importance'),
  short: ['Importance'],
  isConfiguration: true,
  isNameable: true,
  description: 'How bad a bug is.',
})
@Entity('severity')
export class Severity {
  @Id() id!: number;
  @Text({ required: true }) name!: string;
  @Integer({ initial: 0, description: 'Smaller is worse.' }) importance!: number;
  @Flag({ initial: false }) isDefault!: boolean;
  @Collection('Bug', { by: 'severity' }) bugs!: unknown;
}
