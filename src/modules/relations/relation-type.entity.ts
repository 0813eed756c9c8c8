import { Entity } from 'typeorm';
import { Collection, Id, Text } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';

@Resource({
  collection: 'RelationTypes',
  isConfiguration: true,
  description: 'How two entities have to do with one another.',
})
@Entity('relation_type')
export class RelationType {
  @Id() id!: number;
  @Text({ required: true, readOnly: true }) name!: string;
  @Collection('Relation', { by: 'relationType' }) relations!: unknown;
}
