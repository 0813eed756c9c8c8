/** `/login` and `/logout`: sessions begin and end here. Without scripts. */
import { Controller, Get, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/public.decorator.js';
import { Settings } from '../auth/settings.js';
import { SignIn } from '../auth/sign-in.js';
import type { Config } from '../config.js';
import { CONFIG } from '../config.token.js';
import { ApiError } from '../errors.js';
import { BaseAddress } from '../http/base-address.js';
import { OwnQuery } from '../http/own-query.decorator.js';
import { type ApiRequest, rawQuery } from '../http/request.js';
import { formOf } from './form.js';
import { localPath } from './local-path.js';
import { loginPage } from './login-page.js';
import { PageErrorFilter } from './page-error.filter.js';
import { pageHeaders } from './page-headers.js';
import { siteRoot } from './site-root.js';
import { Sites } from './sites.js';

@Controller()
@OwnQuery()
@UseFilters(PageErrorFilter)
export class SignInController {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'singleSignOn'>,
    private readonly signIn: SignIn,
    private readonly settings: Settings,
    private readonly base: BaseAddress,
    private readonly sites: Sites,
  ) {}

  @Public()
  @Get('login')
  async page(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.show(200, undefined, new URLSearchParams(rawQuery(request)).get('next'), request, reply);
  }

  @Public()
  @Post('login')
  async login(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = formOf(request);
    const next = form.get('next');
    try {
      const said = { login: form.get('login') ?? '', password: form.get('password') ?? '' };
      await this.signIn.withPassword(said, request, reply);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code >= 500) throw error;
      const why = error.code === 401 ? 'The login or the password is wrong.' : error.message;
      reply.headers(withoutChallenge(error.headers));
      return this.show(error.code, why, next, request, reply);
    }
    await reply
      .status(303)
      .header('location', siteRoot(this.base, request) + localPath(next))
      .send();
  }

  @Public()
  @Post('logout')
  async logout(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.signIn.end(request, reply);
    await reply
      .status(303)
      .header('location', `${siteRoot(this.base, request)}/login`)
      .send();
  }

  private async show(
    status: number,
    refusal: string | undefined,
    next: string | null,
    request: ApiRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { isLoginFormEnabled } = await this.settings.current();
    const text = loginPage(await this.sites.ofStranger(request), {
      refusal,
      next: localPath(next),
      isLoginFormEnabled,
      singleSignOn: this.config.singleSignOn?.label,
    });
    await reply.status(status).headers(pageHeaders).send(text);
  }
}

/** A browser that is asked by the header would show its own form beside ours. */
const withoutChallenge = ({ 'WWW-Authenticate': _, ...others }: Readonly<Record<string, string>>) => others;
