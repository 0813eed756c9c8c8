/** `GET /api/v1/Search?q=…`. */
import { Controller, Get, Req } from '@nestjs/common';
import type { Page } from '../../http/answer.js';
import type { ApiRequest } from '../../http/request.js';
import { SearchService } from './search.service.js';

@Controller('api/v1/Search')
export class SearchController {
  constructor(private readonly finding: SearchService) {}

  @Get()
  page(@Req() request: ApiRequest): Promise<Page> {
    return this.finding.search(request);
  }
}
