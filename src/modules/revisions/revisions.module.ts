/** The family of revisions. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { Revision } from './revision.entity.js';
import { RevisionFile } from './revision-file.entity.js';
import { RevisionsService } from './revisions.service.js';

@Module({
  controllers: [resourceController(RevisionsService, Revision, RevisionFile)],
  providers: [RevisionsService],
})
export class RevisionsModule {}
