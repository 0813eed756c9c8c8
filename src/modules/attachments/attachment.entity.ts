import { Column, Entity } from 'typeorm';
import { Computed, Id, Long, Moment, type Ref, Reference, RichText, Text } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';
import { sql } from '../../sql.js';

@Resource({
  collection: 'Attachments',
  operations: 'UD',
  visible: through('general'),
  entityTypeId: 20,
  description: 'A file that belongs to an entity.',
})
@Entity('attachment')
export class Attachment {
  @Id() id!: number;
  @Text({ required: true }) name!: string;
  @Text({ readOnly: true }) uniqueFileName!: string | null;
  @RichText() description!: string | null;
  @Moment({ required: true }) date!: Date;
  @Text({ readOnly: true, synthetic: true }) mimeType!: string | null;
  @Computed('text', (row) => sql`'/Attachment.aspx?AttachmentID=' || ${row('id')}`, { synthetic: true }) uri!: string;
  @Computed(
    'text',
    (row) => sql`case when ${row('mime_type')} like 'image/%'
    then '/AttachmentThumbnail.aspx?AttachmentID=' || ${row('id')} end`,
    { synthetic: true },
  )
  thumbnailUri!: string | null;
  @Long({ readOnly: true, synthetic: true, initial: 0, description: 'Bytes.' }) size!: string;
  @Reference('GeneralUser', { always: true }) owner!: Ref;
  @Reference('General', { required: true }) general!: Ref;
  @Reference('Message') message!: Ref;

  @Column({ type: 'bytea', nullable: true, select: false }) content!: Buffer | null;
}
