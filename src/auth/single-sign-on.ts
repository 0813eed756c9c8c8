/**
 * Log-in by OpenID Connect: the provider says who somebody is, this service which user that is. Users are matched by
 * e-mail or login and never made, so nobody gets a right by it that an administrator did not give.
 */
import { Inject, Injectable } from '@nestjs/common';
import type * as Client from 'openid-client';
import type { Logger } from 'pino';
import type { Config, SingleSignOnConfig } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { signOnFailed, signOnUnavailable, unknownRoute, unknownSignOn } from '../errors.js';
import { LOGGER } from '../http/logger.js';
import { Actors } from './actors.js';
import type { PendingSignOn } from './pending-sign-on.js';

@Injectable()
export class SingleSignOn {
  private readonly settings?: SingleSignOnConfig;
  private discovered?: Promise<Client.Configuration>;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'singleSignOn'>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly actors: Actors,
  ) {
    this.settings = config.singleSignOn;
  }

  /** Where to send the browser, and what to remember until it comes back. Errors: 404 where there is none, 503. */
  async begin(
    redirectUri: string,
    next: string,
    traceparent?: string,
  ): Promise<{ location: string; pending: PendingSignOn }> {
    const client = await import('openid-client');
    const provider = await this.provider(traceparent);
    const pending = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      next,
    };
    const location = client.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    });
    return { location: location.href, pending };
  }

  /**
   * The id of the user that the provider's answer, in the address the browser came back to, is about. Errors: 401,
   * 403, 503.
   */
  async finish(address: URL, { state, nonce, verifier }: PendingSignOn, traceparent?: string): Promise<number> {
    const provider = await this.provider(traceparent);
    const claims = await this.claims(provider, address, { state, nonce, verifier }).catch((error: unknown) => {
      // The reason is for whoever runs the service; it may hold what the provider said about somebody.
      this.logger.warn(
        { reason: (error as Error).name, code: (error as { code?: string }).code },
        'single sign-on failed',
      );
      throw signOnFailed();
    });
    return this.userOf(claims);
  }

  private async claims(
    provider: Client.Configuration,
    address: URL,
    { state, nonce, verifier }: Omit<PendingSignOn, 'next'>,
  ): Promise<Claims> {
    const client = await import('openid-client');
    const tokens = await client.authorizationCodeGrant(provider, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    if (typeof claims[this.wanted] === 'string' || !provider.serverMetadata().userinfo_endpoint) return claims;
    // Many providers tell e-mail and name apart from the id token only.
    return client.fetchUserInfo(provider, tokens.access_token, claims.sub);
  }

  private get wanted(): 'email' | 'preferred_username' {
    return this.settings?.match === 'login' ? 'preferred_username' : 'email';
  }

  private async userOf(claims: Claims): Promise<number> {
    const claim = claims[this.wanted];
    // An address that the provider did not check may be anybody's.
    const isTrusted = this.wanted !== 'email' || this.settings!.trustsEmail || isTrue(claims.email_verified);
    if (typeof claim !== 'string' || claim === '' || !isTrusted) throw unknownSignOn();
    const userId = await this.actors.find(this.settings!.match, claim);
    if (userId === undefined) throw unknownSignOn(claim);
    return userId;
  }

  /** Its metadata is asked for once, at the first log-in: the service starts without the provider. */
  private async provider(traceparent: string | undefined): Promise<Client.Configuration> {
    const { settings } = this;
    if (!settings) throw unknownRoute('/login/sso');
    this.discovered ??= discover(settings).catch((error: unknown) => {
      this.discovered = undefined;
      this.logger.error({ err: error }, 'the provider of single sign-on cannot be reached');
      throw signOnUnavailable();
    });
    const discovered = await this.discovered;
    // What was discovered is everybody's; a trace belongs to one request.
    return traceparent === undefined ? discovered : inTrace(traceparent, discovered, settings);
  }
}

/** Some providers spell it as a text. */
const isTrue = (value: unknown): boolean => value === true || value === 'true';

type Claims = Readonly<Record<string, unknown>>;

async function discover(settings: SingleSignOnConfig): Promise<Client.Configuration> {
  const client = await import('openid-client');
  const { issuer, clientId, clientSecret } = settings;
  // The configuration takes HTTP for this machine only.
  const execute = new URL(issuer).protocol === 'http:' ? [client.allowInsecureRequests] : [];
  return client.discovery(new URL(issuer), clientId, clientSecret, authentication(client, settings), {
    timeout: timeoutSeconds,
    execute,
  });
}

const timeoutSeconds = 10;

const authentication = (client: typeof Client, { clientSecret }: SingleSignOnConfig) =>
  clientSecret ? undefined : client.None();

/** The same provider, which is told the trace that it is called in. */
async function inTrace(traceparent: string, provider: Client.Configuration, settings: SingleSignOnConfig) {
  const client = await import('openid-client');
  const { issuer, clientId, clientSecret } = settings;
  const traced = new client.Configuration(
    provider.serverMetadata(),
    clientId,
    clientSecret,
    authentication(client, settings),
  );
  if (new URL(issuer).protocol === 'http:') client.allowInsecureRequests(traced);
  traced.timeout = timeoutSeconds;
  traced[client.customFetch] = fetchWith(traceparent);
  return traced;
}

const fetchWith =
  (traceparent: string): Client.CustomFetch =>
  (url, { headers, ...options }) =>
    fetch(url, { ...options, headers: { ...headers, traceparent } } as RequestInit);
