/** The family of comments. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { Comment } from './comment.entity.js';
import { CommentsService } from './comments.service.js';

@Module({
  controllers: [resourceController(CommentsService, Comment)],
  providers: [CommentsService],
})
export class CommentsModule {}
