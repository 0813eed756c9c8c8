/** The family of generals. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { EntityPermission } from './entity-permission.entity.js';
import { General } from './general.entity.js';
import { GeneralConversion } from './general-conversion.entity.js';
import { GeneralFollower } from './general-follower.entity.js';
import { GeneralsService } from './generals.service.js';

@Module({
  controllers: [resourceController(GeneralsService, EntityPermission, General, GeneralConversion, GeneralFollower)],
  providers: [GeneralsService],
})
export class GeneralsModule {}
