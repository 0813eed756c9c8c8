/** `GET /api/docs` and `GET /api/docs/{tag}`: what the API can do, for people who may call it. */
import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { unknownRoute } from '../errors.js';
import { OwnQuery } from '../http/own-query.decorator.js';
import type { ApiRequest } from '../http/request.js';
import { OpenApiService } from '../modules/openapi/openapi.service.js';
import { apiDocsPage, apiTagPage } from './api-docs-page.js';
import { PageErrorFilter } from './page-error.filter.js';
import { pageHeaders, scriptedPageHeaders } from './page-headers.js';
import { Sites } from './sites.js';

@OwnQuery()
@Controller('api/docs')
@UseFilters(PageErrorFilter)
export class ApiDocsController {
  constructor(
    private readonly openApi: OpenApiService,
    private readonly sites: Sites,
  ) {}

  @Get()
  async list(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const { document } = await this.openApi.made();
    await reply.headers(pageHeaders).send(apiDocsPage(document, await this.sites.of(request)));
  }

  @Get(':tag')
  async tag(@Param('tag') tag: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const { document } = await this.openApi.made();
    const text = apiTagPage(document, tag, await this.sites.of(request));
    if (text === undefined) throw unknownRoute(`/api/docs/${tag}`);
    await reply.headers(scriptedPageHeaders).send(text);
  }
}
