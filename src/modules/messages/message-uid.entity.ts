import { Entity } from 'typeorm';
import { Id, Text } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { administrators } from '../../model/visibility.js';

/** How a mail server names a message, so that it is fetched once. */
@Resource({
  collection: 'MessageUids',
  operations: 'CUD',
  visible: administrators,
  isAdministered: true,
  description: 'The identifier of a message on its mail server.',
})
@Entity('message_uid')
export class MessageUid {
  @Id() id!: number;
  @Text({ max: 1024 }) uid!: string | null;
  @Text() mailServer!: string | null;
  @Text() mailLogin!: string | null;
}
