/** The family of attachments. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { Attachment } from './attachment.entity.js';
import { AttachmentFiles } from './attachment-files.js';
import { AttachmentsService } from './attachments.service.js';
import { DownloadController } from './download.controller.js';
import { ThumbnailController } from './thumbnail.controller.js';
import { UploadController } from './upload.controller.js';
import { Uploads } from './uploads.service.js';

@Module({
  controllers: [
    DownloadController,
    ThumbnailController,
    UploadController,
    resourceController(AttachmentsService, Attachment),
  ],
  providers: [AttachmentFiles, AttachmentsService, Uploads],
})
export class AttachmentsModule {}
