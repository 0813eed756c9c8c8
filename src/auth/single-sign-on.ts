/**
 * Log-in by OpenID Connect: the provider says who somebody is, this service which user that is. Users are matched by
 * e-mail or login and never made, so nobody gets a right by it that an administrator did not give.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import type * as Client from 'openid-client';
import type { Logger } from 'pino';
import type { Config, SingleSignOnConfig } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { signOnFailed, signOnUnavailable, unavailable, unknownRoute, unknownSignOn } from '../errors.js';
import { LOGGER } from '../http/logger.js';
import { FairQueue } from '../turns/fair-queue.js';
import { Actors } from './actors.js';
import type { PendingSignOn } from './pending-sign-on.js';

/** Whoever comes back makes the service call the provider, and anybody may say that he comes back. */
const bounds = { running: 8, waiting: 128, waitingOfClient: 16, milliseconds: 10_000 };
const full = () => unavailable('Too many log-ins at once. Try again in a moment.', 1, 'sign_on_provider');

@Injectable()
export class SingleSignOn {
  private readonly settings?: SingleSignOnConfig;
  private readonly room = new FairQueue<string>(bounds, full);
  private discovered?: Promise<Client.Configuration>;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'singleSignOn'>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly actors: Actors,
  ) {
    this.settings = config.singleSignOn;
  }

  /** Where to send the browser, and what to remember until it comes back. Errors: 404 where there is none, 503. */
  async begin(redirectUri: string, next: string): Promise<{ location: string; pending: PendingSignOn }> {
    const client = await import('openid-client');
    const provider = await this.provider();
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
   * The id of the user that the provider's answer, in the address the browser came back to, is about. Clients wait in
   * turn. Errors: 401, 403, 503.
   */
  async finish(address: URL, pending: PendingSignOn, client: string, traceparent?: string): Promise<number> {
    const provider = await this.provider();
    const claims = await this.room.run(client, () =>
      traces
        .run(traceparent, () => this.claims(provider, address, pending))
        .catch((error: unknown) => {
          this.logger.warn(reasonOf(error), 'single sign-on failed');
          throw signOnFailed();
        }),
    );
    return this.userOf(claims);
  }

  refuseWaiting(): void {
    this.room.refuseWaiting();
  }

  private async claims(
    provider: Client.Configuration,
    address: URL,
    { state, nonce, verifier }: PendingSignOn,
  ): Promise<Claims> {
    const client = await import('openid-client');
    const tokens = await client.authorizationCodeGrant(provider, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    const isWhole =
      typeof claims[this.wanted] === 'string' && (!this.needsProof || claims.email_verified !== undefined);
    if (isWhole || !provider.serverMetadata().userinfo_endpoint) return claims;
    // Many providers tell e-mail and name apart from the id token only, or whether they checked the e-mail.
    return { ...claims, ...(await client.fetchUserInfo(provider, tokens.access_token, claims.sub)) };
  }

  private get wanted(): 'email' | 'preferred_username' {
    return this.settings?.match === 'login' ? 'preferred_username' : 'email';
  }

  /** An address that the provider did not check may be anybody's. */
  private get needsProof(): boolean {
    return this.wanted === 'email' && !this.settings?.trustsEmail;
  }

  private async userOf(claims: Claims): Promise<number> {
    const claim = claims[this.wanted];
    const isTrusted = !this.needsProof || isTrue(claims.email_verified);
    if (typeof claim !== 'string' || claim === '' || !isTrusted) throw unknownSignOn();
    const userId = await this.actors.find(this.settings!.match, claim);
    if (userId === undefined) throw unknownSignOn(claim);
    return userId;
  }

  /** Its metadata is asked for once, at the first log-in: the service starts without the provider. */
  private async provider(): Promise<Client.Configuration> {
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

async function discover(settings: SingleSignOnConfig): Promise<Client.Configuration> {
  const client = await import('openid-client');
  const { issuer, clientId, clientSecret } = settings;
  // The configuration takes HTTP for this machine only.
  const execute = new URL(issuer).protocol === 'http:' ? [client.allowInsecureRequests] : [];
  const provider = await client.discovery(new URL(issuer), clientId, clientSecret, authentication(client, settings), {
    timeout: timeoutSeconds,
    execute,
  });
  provider[client.customFetch] = tracedFetch;
  return provider;
}

const timeoutSeconds = 10;

/** By the way that the provider says it takes; where it says nothing, the standard means the header. */
function authentication(client: typeof Client, { clientSecret }: SingleSignOnConfig): Client.ClientAuth {
  if (!clientSecret) return client.None();
  const [inHeader, inBody] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)];
  return (server, ...request) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isInHeader = ways.includes('client_secret_basic') && !ways.includes('client_secret_post');
    return (isInHeader ? inHeader : inBody)(server, ...request);
  };
}

/** The trace of the request at hand: what was discovered is everybody's. */
const traces = new AsyncLocalStorage<string | undefined>();

const tracedFetch: Client.CustomFetch = (url, { headers, ...options }) => {
  const traceparent = traces.getStore();
  const all = traceparent === undefined ? headers : { ...headers, traceparent };
  return fetch(url, { ...options, headers: all } as RequestInit);
};

/** For whoever runs the service. What the provider says besides its codes may be about somebody. */
function reasonOf(error: unknown) {
  const { name, code, error: refusal, status } = error as Error & Record<'code' | 'error' | 'status', unknown>;
  const isCode = typeof refusal === 'string' && /^[a-z_]{1,64}$/.test(refusal);
  return { reason: name, code, status, refusal: isCode ? refusal : undefined };
}
