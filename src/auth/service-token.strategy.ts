/** Authenticates a request by the service token in its parameter `token`. */
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Actor } from '../actor.js';
import { type ApiRequest, rawQuery } from '../http/request.js';
import { Actors } from './actors.js';
import { answer, BaseStrategy } from './credential-strategy.js';
import { mayHoldCredential, queryCredential } from './query-credential.js';
import { parseServiceToken, type SaidToken } from './service-tokens.js';

@Injectable()
export class ServiceTokenStrategy extends PassportStrategy(BaseStrategy, 'service-token') {
  readonly name = 'service-token';

  constructor(private readonly actors: Actors) {
    super();
  }

  mayApply(request: Pick<ApiRequest, 'raw'>): boolean {
    return mayHoldCredential(rawQuery(request), 'token');
  }

  recall(request: Pick<ApiRequest, 'raw'>): Actor | undefined {
    const said = parseServiceToken(queryCredential(rawQuery(request), 'token') ?? '');
    return said && this.recent(said);
  }

  override authenticate(request: Pick<ApiRequest, 'raw'>): void {
    const token = queryCredential(rawQuery(request), 'token');
    if (token === undefined) this.pass();
    else answer(this, this.validate(token));
  }

  /** As with passwords, only what the database holds now may prove a token wrong. */
  async validate(token: string): Promise<Actor | undefined> {
    const said = parseServiceToken(token);
    if (!said) return undefined;
    const recent = this.recent(said);
    if (recent) return recent;
    const account = await this.actors.load(said.owner);
    return account?.takesProof(said.proof) ? account.actor : undefined;
  }
  private recent({ owner, proof }: SaidToken): Actor | undefined {
    const recent = this.actors.recent(owner);
    return recent?.takesProof(proof) ? recent.actor : undefined;
  }
}
