/** The family of tags. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { Tag } from './tag.entity.js';
import { TagsService } from './tags.service.js';

@Module({
  controllers: [resourceController(TagsService, Tag)],
  providers: [TagsService],
})
export class TagsModule {}
