/** Deleted items at the addresses they had first: all kinds that are only marked when they are deleted. */
import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Batch, Item } from '../../http/answer.js';
import type { ApiRequest } from '../../http/request.js';
import { DeletedItemsService } from './deleted-items.service.js';
import { formerlyDeletedProjects } from './deleted-lists.js';

@Controller('api')
export class UndeleteController {
  constructor(private readonly items: DeletedItemsService) {}

  @Get('deletedprojects/v1')
  projects(@Req() request: ApiRequest): Promise<Item> {
    return this.items.list(formerlyDeletedProjects, request);
  }

  @Post('v1/undelete')
  @HttpCode(200)
  undelete(@Req() request: ApiRequest): Promise<Item | Batch> {
    return this.items.undelete(request);
  }

  @Post('v1/undelete/bulk')
  @HttpCode(200)
  undeleteAll(@Req() request: ApiRequest): Promise<Item | Batch> {
    return this.items.undeleteAll(request);
  }
}
