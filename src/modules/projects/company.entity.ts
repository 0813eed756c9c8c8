import { Entity } from 'typeorm';
import { Collection, Id, RichText, Text } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';

@Resource({
  collection: 'Companies',
  operations: 'CUD',
  order: ascending('name'),
  entityTypeId: 22,
  description: 'A customer.',
  isAdministered: true,
})
@Entity('company')
export class Company {
  @Id() id!: number;
  @Text({ required: true }) name!: string;
  @Text({ max: 2048 }) url!: string | null;
  @RichText() description!: string | null;
  @Collection('Project', { by: 'company' }) projects!: unknown;
  @Collection('Requester', { by: 'company' }) requesters!: unknown;
}
