/** The family of times. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { CustomActivity } from './custom-activity.entity.js';
import { Time } from './time.entity.js';
import { TimesService } from './times.service.js';

@Module({
  controllers: [resourceController(TimesService, CustomActivity, Time)],
  providers: [TimesService],
})
export class TimesModule {}
