/** The family of relations. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { Relation } from './relation.entity.js';
import { RelationType } from './relation-type.entity.js';
import { RelationsService } from './relations.service.js';

@Module({
  controllers: [resourceController(RelationsService, Relation, RelationType)],
  providers: [RelationsService],
})
export class RelationsModule {}
