/** `GET /entity/{id}`: the address that links to any entity lead to, as a page to read. */
import { Controller, Get, Inject, Param, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Settings } from '../auth/settings.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { notFound, unknownRoute } from '../errors.js';
import type { ApiRequest } from '../http/request.js';
import { idOf } from '../http/resource.service.js';
import { EntityReader } from './entity-reader.js';
import { PageErrorFilter } from './page-error.filter.js';
import { pageHeaders } from './page-headers.js';
import { Sites } from './sites.js';

@Controller()
@UseFilters(PageErrorFilter)
export class EntityPageController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly entities: EntityReader,
    private readonly settings: Settings,
    private readonly sites: Sites,
  ) {}

  @Get('entity/:id')
  async entity(@Param('id') idText: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const id = idIn(idText);
    const editor = (await this.settings.current()).defaultRichEditor ?? this.config.defaultRichEditor;
    const [entity, site] = await Promise.all([this.entities.read(id, editor, request), this.sites.of(request)]);
    // With it come the libraries for rich text: a service that shows no pages needs none of them.
    const { entityPage } = await import('./page.template.js');
    await reply.headers(pageHeaders).send(await entityPage(entity, { ...site, editor }));
  }
}

/** Links often carry the name behind the id, as in `/entity/12-sign-in`. */
function idIn(text: string): number {
  const id = /^(\d{1,30})(?:-|$)/.exec(text)?.[1];
  if (id === undefined) throw unknownRoute(`/entity/${text}`);
  return idOf(id, (missing) => notFound('General', missing));
}
