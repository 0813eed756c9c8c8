import { Column, Entity } from 'typeorm';
import { Computed, Id, Long, Moment, type Ref, Reference, RichText, Text } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';
import { late, sql } from '../../sql.js';

const bodyTextLength = 1024 * 1024;

@Resource({
  collection: 'Attachments',
  filled: ['date'],
  alternatives: [['base64']],
  operations: 'CUD',
  visible: through('general'),
  entityTypeId: 20,
  description: 'A file that belongs to an entity.',
})
@Entity('attachment')
export class Attachment {
  @Id() id!: number;
  @Text({ required: true }) name!: string;
  @Text({ recorded: false, readOnly: true }) uniqueFileName!: string | null;
  @RichText() description!: string | null;
  @Moment({ recorded: false, required: true }) date!: Date;
  @Text({ readOnly: true, synthetic: true }) mimeType!: string | null;
  @Computed('text', (row) => sql`${late('base')} || '/Attachment.aspx?AttachmentID=' || ${row('id')}`, {
    synthetic: true,
    description: 'Where the bytes are.',
  })
  uri!: string;
  @Computed(
    'text',
    (row) => sql`case when ${row('mime_type')} in ('image/png', 'image/jpeg', 'image/gif', 'image/webp')
    then ${late('base')} || '/AttachmentThumbnail.aspx?AttachmentID=' || ${row('id')} end`,
    { synthetic: true, description: 'Where a small picture of it is; null of what is no picture.' },
  )
  thumbnailUri!: string | null;
  @Long({ readOnly: true, synthetic: true, initial: 0, description: 'Bytes.' }) size!: string;
  @Text({
    readOnly: true,
    recorded: false,
    synthetic: true,
    description: 'Of the bytes, in hex; null for files that came before it was kept.',
  })
  sha256!: string | null;
  @Reference('GeneralUser', { always: true }) owner!: Ref;
  @Reference('General', { required: true }) general!: Ref;
  @Reference('Message') message!: Ref;

  /** Rules store it as a file. */
  @Text({
    name: 'Content',
    writeOnly: true,
    max: bodyTextLength,
    description: 'The bytes of a new file in base64; longer ones are sent as multipart/form-data.',
  })
  base64!: string;

  /** Of demonstration data alone; the bytes of all others lie below their UniqueFileName. */
  @Column({ type: 'bytea', nullable: true, select: false }) content!: Buffer | null;
}
