/** `GET /`: what the service is and where to go on. Open to everybody; whoever sends credentials is greeted. */
import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OwnQuery } from '../http/own-query.decorator.js';
import { Public } from '../http/public.decorator.js';
import type { ApiRequest } from '../http/request.js';
import { landingPage } from './landing-page.js';
import { PageErrorFilter } from './page-error.filter.js';
import { scriptedPageHeaders } from './page-headers.js';
import { Sites } from './sites.js';

@Public()
@Controller()
@OwnQuery()
@UseFilters(PageErrorFilter)
export class LandingPageController {
  constructor(private readonly sites: Sites) {}

  @Get()
  async landing(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const text = landingPage(this.sites.baseOf(request), await this.sites.of(request));
    await reply.headers(scriptedPageHeaders).send(text);
  }
}
