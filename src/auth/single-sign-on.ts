/**
 * Log-in by OpenID Connect: the provider says who somebody is, this service which user that is. Users are matched by e-mail or
 * login and never made, so nobody gets a right by it that an administrator did not give.
 */
import { Inject, Injectable } from '@nestjs/common';
import type * as Client from 'openid-client';
import type { Logger } from 'pino';
import type { Config, SingleSignOnConfig } from '../config.js';
import { CONFIG } from '../config.token.js';
import { signOnFailed, signOnUnavailable, unknownRoute, unknownSignOn } from '../errors.js';
import { LOGGER } from '../http/logger.js';
import { Actors } from './actors.js';
import type { SignOnTrip } from './sign-on-trip.js';

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
  async begin(redirectUri: string, next: string): Promise<{ location: string; trip: SignOnTrip }> {
    const client = await import('openid-client');
    const provider = await this.provider();
    const trip = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      next,
    };
    const location = client.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: trip.state,
      nonce: trip.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(trip.verifier),
      code_challenge_method: 'S256',
    });
    return { location: location.href, trip };
  }

  /** The id of the user that the provider's answer, in the address the browser came back to, is about. Errors: 401, 403, 503. */
  async finish(address: URL, { state, nonce, verifier }: SignOnTrip): Promise<number> {
    const provider = await this.provider();
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
    { state, nonce, verifier }: Omit<SignOnTrip, 'next'>,
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

  /** Asked for once, at the first log-in: the service starts without the provider. */
  private provider(): Promise<Client.Configuration> {
    const { settings } = this;
    if (!settings) throw unknownRoute('/login/sso');
    this.discovered ??= discover(settings).catch((error: unknown) => {
      this.discovered = undefined;
      this.logger.error({ err: error }, 'the provider of single sign-on cannot be reached');
      throw signOnUnavailable();
    });
    return this.discovered;
  }
}

/** Some providers spell it as a text. */
const isTrue = (value: unknown): boolean => value === true || value === 'true';

type Claims = Readonly<Record<string, unknown>>;

async function discover({ issuer, clientId, clientSecret }: SingleSignOnConfig): Promise<Client.Configuration> {
  const client = await import('openid-client');
  const server = new URL(issuer);
  // The configuration takes HTTP for this machine only.
  const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  return client.discovery(server, clientId, clientSecret, clientSecret ? undefined : client.None(), {
    execute,
    timeout: 10,
  });
}
