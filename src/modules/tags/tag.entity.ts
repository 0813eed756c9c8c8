import { Entity } from 'typeorm';
import { Collection, Id, Text } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';

@Resource({
  collection: 'Tags',
  operations: 'CUD',
  order: ascending('name'),
  description: 'A word put on entities to find them by.',
})
@Entity('tag')
export class Tag {
  @Id() id!: number;
  @Text({ required: true }) name!: string;
  @Collection('General', { table: 'general_tag', from: 'tag_id', to: 'general_id' }, { inverse: true })
  generals!: unknown;
}
