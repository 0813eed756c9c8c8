/** The family of messages. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { Message } from './message.entity.js';
import { MessageUid } from './message-uid.entity.js';
import { MessagesService } from './messages.service.js';

@Module({
  controllers: [resourceController(MessagesService, Message, MessageUid)],
  providers: [MessagesService],
})
export class MessagesModule {}
