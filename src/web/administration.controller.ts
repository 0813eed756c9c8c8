/** `/administration`: the pages of administrators, each at an address of its own. What they do is done by the API. */
import { Controller, Get, Inject, Param, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { takeText } from '../bytes/text-bytes.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { forbidden, notFound, unknownRoute } from '../errors.js';
import { BaseAddress } from '../http/base-address.js';
import { OwnQuery } from '../http/own-query.decorator.js';
import { Reads } from '../http/reads.js';
import type { ApiRequest } from '../http/request.js';
import { idOf } from '../http/resource.service.js';
import type { Model } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { parseParameters } from '../query/parameters.js';
import { parseQuery } from '../query/v1/parse.js';
import { deletedProjectsPage, deletedUsersPage } from './deleted-items-page.js';
import type { Site } from './page.js';
import { PageErrorFilter } from './page-error.filter.js';
import { scriptedPageHeaders } from './page-headers.js';
import { settingsPage } from './settings-page.js';
import { Sites } from './sites.js';
import { newUserPage, userPage, usersPage } from './users-page.js';

@Controller('administration')
@OwnQuery()
@UseFilters(PageErrorFilter)
export class AdministrationController {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'singleSignOn'>,
    @Inject(MODEL) private readonly model: Model,
    private readonly reads: Reads,
    private readonly base: BaseAddress,
    private readonly sites: Sites,
  ) {}

  @Get()
  async start(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    mustAdminister(request);
    await reply.status(303).header('location', `${this.base.root}/administration/users`).send();
  }

  @Get('users')
  users(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.show(usersPage, request, reply);
  }

  @Get('users/new')
  newUser(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.show(newUserPage, request, reply);
  }

  @Get('users/:id')
  async user(@Param('id') idText: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    mustAdminister(request);
    if (!/^\d{1,30}$/.test(idText)) throw unknownRoute(`/administration/users/${idText}`);
    const id = idOf(idText, (text) => notFound('User', text));
    const ask = { query: nameQuery, actor: request.actor, format: 'json', dates: 'iso', base: '', tail: '' } as const;
    const { text } = await this.reads.one(this.model.resource('User'), id, ask);
    const { FullName, Login } = JSON.parse(takeText(text)) as { FullName: string; Login: string | null };
    const user = { id, name: FullName.trim() || Login || `User ${id}`, isSelf: id === request.actor.userId };
    await this.show((site) => userPage(user, site), request, reply);
  }

  @Get('deleted-projects')
  deletedProjects(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.show(deletedProjectsPage, request, reply);
  }

  @Get('deleted-users')
  deletedUsers(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.show(deletedUsersPage, request, reply);
  }

  @Get('settings')
  settings(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.show((site) => settingsPage(this.config.singleSignOn !== undefined, site), request, reply);
  }

  private async show(pageOf: (site: Site) => string, request: ApiRequest, reply: FastifyReply): Promise<void> {
    mustAdminister(request);
    await reply.headers(scriptedPageHeaders).send(pageOf(await this.sites.of(request)));
  }
}

function mustAdminister({ actor }: ApiRequest): void {
  if (!actor.isAdministrator) throw forbidden('These pages are for administrators.');
}

// One object, since statements are kept with the query they were made from.
const nameQuery = parseQuery(parseParameters('include=[FullName,Login]'));
