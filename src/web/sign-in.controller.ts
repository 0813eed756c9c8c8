/** `/login` and `/logout`: sessions begin and end here. Without scripts. */
import { Controller, Get, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { Settings } from '../auth/settings.js';
import { SignIn } from '../auth/sign-in.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { ApiError } from '../errors.js';
import { BaseAddress } from '../http/base-address.js';
import { longestHeaders } from '../http/edge-error.js';
import { formFields } from '../http/form.js';
import { OwnQuery } from '../http/own-query.decorator.js';
import { Public } from '../http/public.decorator.js';
import { type ApiRequest, rawQuery } from '../http/request.js';
import { openBody, withoutBody } from '../http/route-facts.js';
import { localPath } from './local-path.js';
import { loginPage } from './login-page.js';
import { PageErrorFilter } from './page-error.filter.js';
import { pageHeaders } from './page-headers.js';
import { Sites } from './sites.js';

/** A login, a password, and a path that stood in an address. */
const formBytes = longestHeaders + 8 * 1024;

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
    const next = new URLSearchParams(rawQuery(request)).get('next');
    const { viewer } = await this.sites.of(request);
    if (viewer.isSignedIn) return this.lead(next, reply);
    await this.show(200, { next }, reply);
  }

  @Public()
  @Post('login')
  @RouteConfig(openBody(formBytes, ['form']))
  async login(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = formFields(request);
    const next = form.get('next') ?? null;
    try {
      const credentials = { login: form.get('login') ?? '', password: form.get('password') ?? '' };
      await this.signIn.withPassword(credentials, request, reply);
    } catch (error) {
      if (!(error instanceof ApiError) || error.httpStatus >= 500) throw error;
      reply.headers(withoutChallenge(error.headers));
      return this.show(error.httpStatus, { next, login: form.get('login'), refusal: reasonOf(error) }, reply);
    }
    await this.lead(next, reply);
  }

  @Public()
  @Post('logout')
  @RouteConfig(withoutBody)
  async logout(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.signIn.end(new URLSearchParams(rawQuery(request)).get('user'), request, reply);
    await reply.status(303).header('location', `${this.base.root}/login`).send();
  }

  private async lead(next: string | null, reply: FastifyReply): Promise<void> {
    await reply
      .status(303)
      .header('location', this.base.root + localPath(next))
      .send();
  }

  private async show(status: number, form: LoginForm, reply: FastifyReply): Promise<void> {
    const { isLoginFormEnabled, companyName } = await this.settings.current();
    const text = loginPage(await this.sites.ofStranger(), {
      refusal: form.refusal,
      // Longer than any login is nothing that somebody wants to correct.
      login: form.login?.slice(0, 255) ?? '',
      next: localPath(form.next),
      isLoginFormEnabled,
      companyName: companyName?.trim() || undefined,
      singleSignOn: this.config.singleSignOn?.label,
    });
    await reply.status(status).headers(pageHeaders).send(text);
  }
}

interface LoginForm {
  next: string | null;
  login?: string | null;
  refusal?: string;
}

function reasonOf({ httpStatus, message, headers }: ApiError): string {
  if (httpStatus === 401) return 'The login or the password is wrong.';
  if (httpStatus !== 429) return message;
  const minutes = Math.ceil(Number(headers['Retry-After'] ?? 60) / 60);
  return `There were too many failed attempts for this login. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}, or ask an administrator to unlock it.`;
}

/** A browser that is asked by the header would show its own form beside ours. */
const withoutChallenge = ({ 'WWW-Authenticate': _, ...others }: Readonly<Record<string, string>>) => others;
