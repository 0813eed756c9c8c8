/** `GET /profile`: what everybody does with an account of one's own. */
import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OwnQuery } from '../http/own-query.decorator.js';
import type { ApiRequest } from '../http/request.js';
import { PageErrorFilter } from './page-error.filter.js';
import { scriptedPageHeaders } from './page-headers.js';
import { profilePage } from './profile-page.js';
import { ProfileReader } from './profile-reader.js';
import { Sites } from './sites.js';

@Controller()
@OwnQuery()
@UseFilters(PageErrorFilter)
export class ProfilePageController {
  constructor(
    private readonly profiles: ProfileReader,
    private readonly sites: Sites,
  ) {}

  @Get('profile')
  async profile(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const [profile, site] = await Promise.all([this.profiles.read(request), this.sites.of(request)]);
    await reply.headers(scriptedPageHeaders).send(profilePage(profile, site));
  }
}
