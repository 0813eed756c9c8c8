/** What a client works in. */
import { Module } from '@nestjs/common';
import { ContextController } from './context.controller.js';
import { ContextService } from './context.service.js';

@Module({ controllers: [ContextController], providers: [ContextService] })
export class ContextModule {}
