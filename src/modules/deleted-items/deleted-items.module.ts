/** What is deleted: listed and restored. */
import { Module } from '@nestjs/common';
import { DeletedItemsController } from './deleted-items.controller.js';
import { DeletedItemsService } from './deleted-items.service.js';
import { UndeleteController } from './undelete.controller.js';

@Module({ controllers: [DeletedItemsController, UndeleteController], providers: [DeletedItemsService] })
export class DeletedItemsModule {}
