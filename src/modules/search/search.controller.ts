/** `GET /api/v1/Search?q=…`. */
import { Controller, Get, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Page } from '../../http/answer.js';
import type { ApiRequest } from '../../http/request.js';
import type { RouteFacts } from '../../http/route-facts.js';
import { SearchService, searchParameters } from './search.service.js';

const facts: RouteFacts = { parameters: searchParameters };

@Controller('api/v1/Search')
export class SearchController {
  constructor(private readonly finding: SearchService) {}

  @Get()
  @RouteConfig(facts)
  page(@Req() request: ApiRequest): Promise<Page> {
    return this.finding.search(request);
  }
}
