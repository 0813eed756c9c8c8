/**
 * Authenticates a request by an access token: parameter `access_token`, `Authorization: Bearer` or `X-Access-Token`.
 */
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Actor } from '../actor.js';
import { severalTokens } from '../errors.js';
import { mayHoldCredential, queryCredential } from '../http/query-credential.js';
import { type ApiRequest, credentialText } from '../http/request.js';
import { AccessTokens } from './access-tokens.js';
import { answer, BaseStrategy } from './credential-strategy.js';

type Carrier = Pick<ApiRequest, 'raw' | 'headers' | 'queryForm' | 'isNamedByForm'>;

@Injectable()
export class AccessTokenStrategy extends PassportStrategy(BaseStrategy, 'access-token') {
  readonly name = 'access-token';

  constructor(private readonly tokens: AccessTokens) {
    super();
  }

  mayApply(request: Carrier): boolean {
    const { authorization, 'x-access-token': header } = request.headers;
    return (
      header !== undefined || isBearer(authorization) || mayHoldCredential(credentialText(request), 'access_token')
    );
  }

  recall(request: Carrier): Actor | undefined {
    const token = tokenIn(request);
    return token === undefined ? undefined : this.tokens.recall(token);
  }

  override authenticate(request: Carrier): void {
    const token = tokenIn(request);
    if (token === undefined) this.pass();
    else answer(this, this.validate(token));
  }

  validate(token: string): Promise<Actor | undefined> {
    return this.tokens.actorOf(token);
  }
}

/** An application that gives its token by two ways gives it twice. Errors: 400 for two different ones. */
function tokenIn(request: Carrier): string | undefined {
  const { authorization, 'x-access-token': header } = request.headers;
  const ways = [
    queryCredential(credentialText(request), 'access_token'),
    isBearer(authorization) ? authorization.slice('Bearer'.length).trim() : undefined,
    Array.isArray(header) ? header.join() : header?.trim(),
  ];
  let token: string | undefined;
  for (const one of ways) {
    if (one !== undefined && token !== undefined && one !== token) throw severalTokens();
    token ??= one;
  }
  return token;
}

/** The scheme in any letter case, as a whole word. */
const isBearer = (header: string | undefined): header is string =>
  header !== undefined && /^bearer(?:\s|$)/i.test(header);
