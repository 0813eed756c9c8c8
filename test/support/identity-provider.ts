/**
 * A real provider of OpenID Connect on this machine: whoever logs in there is whom he says, with the e-mail he is given
 * here.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, Provider } from 'oidc-provider';

export interface Person {
  email?: string;
  email_verified?: boolean | string;
  preferred_username?: string;
}

export class IdentityProvider {
  /** Of requests that were made of it. */
  readonly traceparents: unknown[] = [];
  /** Of those for tokens: what the client proved itself with in a header. */
  readonly authorizations: unknown[] = [];

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  static readonly client = { OIDC_CLIENT_ID: 'worktrack', OIDC_CLIENT_SECRET: 'a-secret-of-the-client' };

  /** Listens; what it answers with is set up by `serve`, once the address of the service is known. */
  static async start(): Promise<IdentityProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new IdentityProvider(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
  }

  serve(redirectUri: string, people: Readonly<Record<string, Person>>, more: Configuration = {}): void {
    const { OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = IdentityProvider.client;
    const settings: Configuration = {
      clients: [{ client_id: OIDC_CLIENT_ID, client_secret: OIDC_CLIENT_SECRET, redirect_uris: [redirectUri] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
      cookies: { keys: ['for this test'] },
      pkce: { required: () => true },
      ...more,
    };
    this.server.on('request', ({ url, headers }) => {
      if (url === '/token') this.authorizations.push(headers.authorization);
    });
    this.server.on('request', ({ headers }) => this.traceparents.push(headers.traceparent));
    this.server.on('request', new Provider(this.issuer, settings).callback());
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A browser as far as log-in needs one: it keeps cookies by site, follows redirects and sends forms. */
export class Visitor {
  private readonly cookies = new Map<string, Map<string, string>>();
  /** Where it has been, the last place last. */
  readonly visited: string[] = [];

  async open(address: string, form?: Record<string, string>): Promise<Response> {
    const { host } = new URL(address);
    const jar = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, jar);
    this.visited.push(address);
    const answer = await fetch(address, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      body: form && new URLSearchParams(form),
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name, value] = cookie.split(';', 1)[0]!.split(/=(.*)/s) as [string, string];
      if (value === '' || /expires=Thu, 01 Jan 1970|max-age=0/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    const to = answer.headers.get('location');
    return to === null ? answer : this.open(new URL(to, address).href);
  }

  cookie(address: string, name: string): string | undefined {
    return this.cookies.get(new URL(address).host)?.get(name);
  }

  /** Goes to the service's single sign-on and logs in at the provider as somebody. */
  async signOn(address: string, login: string): Promise<Response> {
    await this.open(address);
    const entered = await this.open(this.visited.at(-1)!, { prompt: 'login', login, password: 'any' });
    // Whoever gave his consent before is not asked again.
    return /\/interaction\//.test(this.visited.at(-1)!)
      ? this.open(this.visited.at(-1)!, { prompt: 'consent' })
      : entered;
  }
}
