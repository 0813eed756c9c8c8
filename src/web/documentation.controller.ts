/**
 * `GET /documentation`, `GET /documentation/{name}` and `GET /documentation/pictures/{name}`: the texts of this
 * version, and what they show. Open to everybody; whoever sends credentials is greeted.
 */
import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { unknownRoute } from '../errors.js';
import { OwnQuery } from '../http/own-query.decorator.js';
import { Public } from '../http/public.decorator.js';
import type { ApiRequest } from '../http/request.js';
import { ServedNames } from '../http/served-names.js';
import { documentationPage, documentPage } from './documentation-page.js';
import { documentNamed, documentOf, pictureNamed, pictures } from './documents.js';
import { PageErrorFilter } from './page-error.filter.js';
import { pageHeaders } from './page-headers.js';
import { Sites } from './sites.js';

@Public()
@Controller('documentation')
@OwnQuery()
@UseFilters(PageErrorFilter)
export class DocumentationController {
  constructor(
    private readonly sites: Sites,
    served: ServedNames,
  ) {
    served.register(/^\/documentation\/([^/]+)$/, (name) => documentNamed(name) !== undefined);
    served.register(/^\/documentation\/pictures\/([^/]+)$/, (name) => pictures.includes(name));
  }

  @Get()
  async list(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await reply.headers(pageHeaders).send(documentationPage(await this.sites.of(request)));
  }

  @Get(':name')
  async document(@Param('name') name: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const entry = documentNamed(name);
    if (!entry) throw unknownRoute(`/documentation/${name}`);
    const site = await this.sites.of(request);
    const text = documentPage(entry, await documentOf(entry, site.root), site);
    await reply.headers(pageHeaders).send(text);
  }

  @Get('pictures/:name')
  async picture(@Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    const bytes = pictureNamed(name);
    if (!bytes) throw unknownRoute(`/documentation/pictures/${name}`);
    await reply.headers({ 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' }).send(await bytes);
  }
}
