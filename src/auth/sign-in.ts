/** Begins and ends sessions: whoever logs in gets a new one, and the one he had before ends. */
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { foreignOrigin, loginFormDisabled, unauthorized } from '../errors.js';
import { BaseAddress } from '../http/base-address.js';
import { clientOf } from '../http/client-address.js';
import type { ApiRequest } from '../http/request.js';
import { activity } from '../runtime/activity.js';
import type { LoginAndPassword } from './parse-basic.js';
import { PasswordCheck } from './password-check.js';
import { SameOrigin } from './same-origin.js';
import { clearedCookie, sessionCookie, setCookie } from './session-cookie.js';
import { Sessions } from './sessions.js';
import { Settings } from './settings.js';

@Injectable()
export class SignIn {
  constructor(
    private readonly passwords: PasswordCheck,
    private readonly sessions: Sessions,
    private readonly settings: Settings,
    private readonly sameOrigin: SameOrigin,
    private readonly base: BaseAddress,
  ) {}

  /** Errors: 401, 403 where the form is disabled or another site sent it, 429 for a locked login, 503. */
  async withPassword(credentials: LoginAndPassword, request: ApiRequest, reply: FastifyReply): Promise<void> {
    // Else a site could log a visitor in as somebody else, and see what he writes.
    if (this.sameOrigin.isForeign(request)) throw foreignOrigin();
    if (!(await this.settings.current()).isLoginFormEnabled) throw loginFormDisabled();
    const account = await this.passwords.check(credentials, clientOf(request));
    // The System user is no person and has no pages.
    if (!account || account.isSystem) throw unauthorized();
    await this.begin(account, request, reply);
  }

  /**
   * A new session for somebody who has proved who he is, by the password that hashes to this where there is one.
   * Errors: 401.
   */
  async begin(
    { userId, passwordHash }: { userId: number; passwordHash: string | null },
    request: ApiRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const secret = await this.sessions.begin(userId, passwordHash);
    if (secret === undefined) throw unauthorized();
    await this.forgetFormer(request);
    this.hand(secret, request, reply);
  }

  /** The cookie of a session that has begun. */
  hand(secret: string, request: ApiRequest, reply: FastifyReply): void {
    activity.sessions += 1;
    reply.header('set-cookie', setCookie(secret, this.base.cookieAttributes(request)));
  }

  /** The session of this user, where one is named: it may be that of somebody who has logged in since. */
  async end(user: string | null, request: ApiRequest, reply: FastifyReply): Promise<void> {
    this.sameOrigin.check(request);
    const actor = await this.sessions.actorOf(sessionCookie(request.headers.cookie) ?? '');
    if (actor && user !== null && user !== String(actor.userId)) return;
    await this.forgetFormer(request);
    reply.header('set-cookie', clearedCookie(this.base.cookieAttributes(request)));
  }

  private async forgetFormer({ headers }: ApiRequest): Promise<void> {
    const former = sessionCookie(headers.cookie);
    if (former) await this.sessions.end(former);
  }
}
