/** The family of attachments. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { Attachment } from './attachment.entity.js';
import { AttachmentsService } from './attachments.service.js';
import { DownloadController } from './download.controller.js';

@Module({
  controllers: [DownloadController, resourceController(AttachmentsService, Attachment)],
  providers: [AttachmentsService],
})
export class AttachmentsModule {}
