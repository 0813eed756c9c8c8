import { Column, Entity } from 'typeorm';
import { Flag, Id, Moment, type Ref, Reference, Text } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { owned } from '../../model/visibility.js';

/** A credential of one application: made by its owner only, and shown once. What is kept of it is a hash. */
@Resource({
  collection: 'AccessTokens',
  isRecorded: false,
  operations: 'CD',
  order: ascending('name'),
  visible: owned('user'),
  answeredOnCreate: { name: 'Token', description: 'The token itself; it is not kept.' },
  description: 'Credentials of applications. The token itself is shown once, in the answer that creates it.',
})
@Entity('access_token')
export class AccessToken {
  @Id() id!: number;
  @Text({ required: true, description: 'The application that uses it.' }) name!: string;
  @Moment({ readOnly: true, required: true }) issueDate!: Date;
  @Moment({ readOnly: true, description: 'To the minute.' }) lastUseDate!: Date | null;
  @Moment({ description: 'From then on it is refused; without one it stays.' }) expireDate!: Date | null;
  @Flag({ initial: false, description: 'Whether it may only read.' }) isReadOnly!: boolean;
  @Reference('User', { always: true, description: 'The owner: whoever creates it.' }) user!: Ref;

  @Column({ type: 'bytea', name: 'secret_hash', select: false }) secretHash!: Buffer;
}
