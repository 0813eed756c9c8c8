/** `/login/sso` and `/login/sso/callback`: to the provider of single sign-on and back. */
import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { clearedPending, pendingCookie, readPending } from '../auth/pending-sign-on.js';
import { SignIn } from '../auth/sign-in.js';
import { SingleSignOn } from '../auth/single-sign-on.js';
import { type ApiError, signOnFailed, unavailable } from '../errors.js';
import { BaseAddress } from '../http/base-address.js';
import { clientOf } from '../http/client-address.js';
import { OwnQuery } from '../http/own-query.decorator.js';
import { Public } from '../http/public.decorator.js';
import { type ApiRequest, rawQuery } from '../http/request.js';
import { traceparentOf } from '../http/request-id.js';
import { localPath } from './local-path.js';
import { PageErrorFilter } from './page-error.filter.js';

@Controller('login/sso')
@OwnQuery()
@UseFilters(PageErrorFilter)
export class SingleSignOnController {
  constructor(
    private readonly signOn: SingleSignOn,
    private readonly signIn: SignIn,
    private readonly base: BaseAddress,
  ) {}

  @Public()
  @Get()
  async begin(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const next = localPath(new URLSearchParams(rawQuery(request)).get('next'));
    const { location, pending } = await this.signOn.begin(this.callback(request), next);
    await reply
      .header('set-cookie', pendingCookie(pending, this.base.cookieAttributes(request)))
      .status(303)
      .header('location', location)
      .send();
  }

  @Public()
  @Get('callback')
  async finish(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const pending = readPending(request.headers.cookie);
    if (!pending) throw signOnFailed();
    const address = new URL(`${this.callback(request)}?${rawQuery(request)}`);
    // Another log-in, begun in another tab, may still be under way: the cookie is that of the latest one.
    if (address.searchParams.get('state') !== pending.state) throw signOnFailed();
    reply.header('set-cookie', clearedPending(this.base.cookieAttributes(request)));
    const userId = await this.signOn.finish(address, pending, clientOf(request), traceparentOf(request));
    await this.signIn.begin({ userId, passwordHash: null }, request, reply);
    await reply
      .status(303)
      .header('location', this.base.root + localPath(pending.next))
      .send();
  }

  private callback(request: ApiRequest): string {
    if (!this.base.isTrusted(request)) throw signOnNeedsAddress();
    return `${this.base.of(request)}/login/sso/callback`;
  }
}

/** Where the browser comes back to must not be what a request says of its host. */
const signOnNeedsAddress = (): ApiError =>
  unavailable('Single sign-on needs BASE_URL, the public address of the service. Ask an administrator.');
