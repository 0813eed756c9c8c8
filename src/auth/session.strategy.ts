/**
 * Authenticates a request by the cookie of a session. A browser sends it unasked, so whatever is sent beside it counts
 * alone.
 */
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Actor } from '../actor.js';
import type { ApiRequest } from '../http/request.js';
import { answer, BaseStrategy } from './credential-strategy.js';
import { SameOrigin } from './same-origin.js';
import { sessionCookie } from './session-cookie.js';
import { Sessions } from './sessions.js';

@Injectable()
export class SessionStrategy extends PassportStrategy(BaseStrategy, 'session') {
  readonly name = 'session';
  readonly isAmbient = true;

  constructor(
    private readonly sessions: Sessions,
    private readonly sameOrigin: SameOrigin,
  ) {
    super();
  }

  mayApply({ headers }: Pick<ApiRequest, 'headers'>): boolean {
    return headers.cookie !== undefined;
  }

  override authenticate(request: ApiRequest): void {
    const secret = sessionCookie(request.headers.cookie);
    if (secret === undefined) this.pass();
    else answer(this, this.validate(secret, request));
  }

  async validate(secret: string, request: ApiRequest): Promise<Actor | undefined> {
    const actor = await this.sessions.actorOf(secret);
    if (!actor || !isMeant(actor, request)) return undefined;
    this.sameOrigin.check(request);
    request.isSession = true;
    return actor;
  }
}

/** A page says whose it is: it may have been opened before somebody else logged in with the same browser. */
function isMeant({ userId }: Actor, { headers }: ApiRequest): boolean {
  const header = headers['x-session-user'];
  return header === undefined || header === String(userId);
}
