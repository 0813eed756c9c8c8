/** The family of relations. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { InboundAssignable } from './inbound-assignable.entity.js';
import { OutboundAssignable } from './outbound-assignable.entity.js';
import { Relation } from './relation.entity.js';
import { RelationType } from './relation-type.entity.js';
import { RelationsService } from './relations.service.js';

@Module({
  controllers: [resourceController(RelationsService, InboundAssignable, OutboundAssignable, Relation, RelationType)],
  providers: [RelationsService],
})
export class RelationsModule {}
