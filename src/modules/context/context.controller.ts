/** `GET /api/v1/Context`. */
import { Controller, Get, Req } from '@nestjs/common';
import { Item } from '../../http/answer.js';
import { type ApiRequest, parametersOf } from '../../http/request.js';
import { treeJson, treeXml } from '../../representation/tree.js';
import { ContextService } from './context.service.js';

@Controller('api/v1/Context')
export class ContextController {
  constructor(private readonly contexts: ContextService) {}

  @Get()
  async context(@Req() request: ApiRequest): Promise<Item> {
    const tree = await this.contexts.context(request.actor, parametersOf(request));
    return new Item(request.format!.name === 'json' ? treeJson(tree) : treeXml('Context', tree));
  }
}
