import { Entity } from 'typeorm';
import {
  Choice,
  Collection,
  editable,
  Flag,
  Id,
  Moment,
  type Ref,
  Reference,
  RichText,
  Text,
} from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { correspondence } from '../../model/visibility.js';

export const messageTypes = ['None', 'Inbox', 'Outbox', 'Public'] as const;
export const contentTypes = ['None', 'Mail', 'Error', 'Email'] as const;

/** A mail that came in or went out, and what it is about. */
@Resource({
  collection: 'Messages',
  operations: 'CUD',
  visible: correspondence(['from', 'to'], 'generals'),
  isAdministered: true,
  description: 'A mail that came in or went out.',
})
@Entity('message')
export class Message {
  @Id() id!: number;
  @Text({ max: 4096 }) subject!: string | null;
  @Text({ max: 16384 }) recipients!: string | null;
  @RichText({ recorded: false }) body!: string | null;
  @Flag({ initial: false }) isRead!: boolean;
  @Flag({ initial: false }) isProcessed!: boolean;
  @Moment({ recorded: false }) createDate!: Date | null;
  @Moment({ recorded: false }) sendDate!: Date | null;
  @Choice('MessageTypeEnum', messageTypes, { initial: 'None' }) messageType!: string;
  @Choice('ContentTypeEnum', contentTypes, { initial: 'None' }) contentType!: string;
  @Reference('GeneralUser') from!: Ref;
  @Reference('GeneralUser') to!: Ref;
  @Reference('MessageUid') messageUid!: Ref;
  @Collection('General', { table: 'message_general', from: 'message_id', to: 'general_id' }, editable)
  generals!: unknown;
  @Collection('Attachment', { by: 'message' }) attachments!: unknown;
}
