/** The family of custom fields. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { CustomField } from './custom-field.entity.js';
import { CustomFieldsService } from './custom-fields.service.js';

@Module({
  controllers: [resourceController(CustomFieldsService, CustomField)],
  providers: [CustomFieldsService],
})
export class CustomFieldsModule {}
