/** The settings that administrators make. */
import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { resourceController } from '../../http/resource.controller.js';
import { GlobalSettings } from './global-settings.entity.js';
import { SettingsService } from './settings.service.js';
import './setting.entity.js';

@Module({
  imports: [AuthModule],
  controllers: [resourceController(SettingsService, GlobalSettings)],
  providers: [SettingsService],
})
export class SettingsModule {}
