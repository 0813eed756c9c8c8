/** Authenticates a request by the service token in its parameter `token`. */
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Actor } from '../actor.js';
import { mayHoldCredential, queryCredential } from '../http/query-credential.js';
import { type ApiRequest, credentialText } from '../http/request.js';
import type { Account } from './account.js';
import { Actors, type Owner } from './actors.js';
import { CredentialCache } from './credential-cache.js';
import { answer, BaseStrategy } from './credential-strategy.js';
import { type ParsedServiceToken, parseServiceToken } from './service-tokens.js';

type Carrier = Pick<ApiRequest, 'raw' | 'queryForm' | 'isNamedByForm'>;

@Injectable()
export class ServiceTokenStrategy extends PassportStrategy(BaseStrategy, 'service-token') {
  readonly name = 'service-token';

  private readonly cache = new CredentialCache<{ owner: Owner; account: Account }>();

  constructor(private readonly actors: Actors) {
    super();
  }

  mayApply(request: Carrier): boolean {
    return mayHoldCredential(credentialText(request), 'token');
  }

  recall(request: Carrier): Actor | undefined {
    const token = queryCredential(credentialText(request), 'token') ?? '';
    const cached = this.cache.get(token);
    if (cached && this.actors.recent(cached.owner) === cached.account) return cached.account.actor;
    const parsed = parseServiceToken(token);
    const account = parsed && this.recent(parsed);
    if (account) this.cache.set(token, { owner: parsed.owner, account });
    return account?.actor;
  }

  override authenticate(request: Carrier): void {
    const token = queryCredential(credentialText(request), 'token');
    if (token === undefined) this.pass();
    else answer(this, this.validate(token));
  }

  /** As with passwords, only what the database holds now may prove a token wrong. */
  async validate(token: string): Promise<Actor | undefined> {
    const parsed = parseServiceToken(token);
    if (!parsed) return undefined;
    const recent = this.recent(parsed);
    if (recent) return recent.actor;
    const account = await this.actors.load(parsed.owner);
    return account?.takesProof(parsed.proof) ? account.actor : undefined;
  }

  private recent({ owner, proof }: ParsedServiceToken): Account | undefined {
    const recent = this.actors.recent(owner);
    return recent?.takesProof(proof) ? recent : undefined;
  }
}
