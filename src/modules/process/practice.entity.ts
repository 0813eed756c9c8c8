import { Column, Entity } from 'typeorm';
import { Collection, Id, Recorded, RichText, Text } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';

@Resource({
  collection: 'Practices',
  isConfiguration: true,
  description: 'A way of working that a process may or may not use, such as time tracking.',
})
@Entity('practice')
export class Practice {
  @Id() id!: number;
  @Text({ required: true, readOnly: true }) name!: string;
  @Text({ readOnly: true }) displayName!: string | null;
  @RichText({ readOnly: true }) description!: string | null;
  @Collection('Process', { table: 'process_practice', from: 'practice_id', to: 'process_id' }, { inverse: true })
  processes!: unknown;

  /** Settings of the practice as the Context shows them. */
  @Recorded()
  @Column({ type: 'jsonb', default: {} })
  settings!: Record<string, unknown>;
}
