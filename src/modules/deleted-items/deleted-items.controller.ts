/** Deleted projects and users at their present addresses. */
import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Item } from '../../http/answer.js';
import type { ApiRequest } from '../../http/request.js';
import { withoutBody } from '../../http/route-facts.js';
import { DeletedItemsService } from './deleted-items.service.js';
import { deletedProjects, deletedUsers } from './deleted-lists.js';

@Controller('api/deleteditems/v1')
export class DeletedItemsController {
  constructor(private readonly items: DeletedItemsService) {}

  @Get('projects')
  projects(@Req() request: ApiRequest): Promise<Item> {
    return this.items.list(deletedProjects, request);
  }

  @Get('users')
  users(@Req() request: ApiRequest): Promise<Item> {
    return this.items.list(deletedUsers, request);
  }

  @Post('projects/:id/restore')
  @HttpCode(200)
  @RouteConfig(withoutBody)
  restoreProject(@Param('id') id: string, @Req() request: ApiRequest): Promise<Item> {
    return this.items.restore('Project', id, request);
  }

  @Post('users/:id/restore')
  @HttpCode(200)
  @RouteConfig(withoutBody)
  restoreUser(@Param('id') id: string, @Req() request: ApiRequest): Promise<Item> {
    return this.items.restore('User', id, request);
  }
}
