import { Entity } from 'typeorm';
import { Id, type Ref, Reference, Text } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';

@Resource({ collection: 'Terms', isConfiguration: true, description: 'What a process calls a kind of thing.' })
@Entity('term')
export class Term {
  @Id() id!: number;
  @Text({ required: true, readOnly: true }) wordKey!: string;
  @Text({ required: true, readOnly: true }) value!: string;
  @Reference('Process', { required: true, readOnly: true }) process!: Ref;
  @Reference('EntityType', { readOnly: true }) entityType!: Ref;
}
