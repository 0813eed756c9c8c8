/** Gives callers their service token, and administrators anybody's. */
import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Actor } from '../actor.js';
import { endsByItself, forbidden, readsOnly, unauthorized, unknownLogin } from '../errors.js';
import { Document } from '../http/document.js';
import { type ApiRequest, parametersOf } from '../http/request.js';
import { AccessTokens } from './access-tokens.js';
import { type Account, accountBehind } from './account.js';
import { CurrentActor } from './actor.decorator.js';
import { Actors } from './actors.js';

@Controller('api/v1/Authentication')
export class AuthenticationController {
  constructor(
    private readonly actors: Actors,
    private readonly accessTokens: AccessTokens,
  ) {}

  @Get()
  async token(@CurrentActor() actor: Actor, @Req() request: ApiRequest): Promise<Document> {
    // Whoever has a service token may do whatever its owner may.
    if (actor.isReadOnly) throw readsOnly();
    if (actor.isTemporary) throw endsByItself();
    const login = parametersOf(request).get('login');
    const account = login === undefined ? await this.own(actor) : await this.of(login, actor);
    return new Document('Authentication', { Token: account.serviceToken });
  }

  /** A new one in place of the present one, which nobody can use from then on. */
  @Post()
  @HttpCode(200)
  async renew(@CurrentActor() actor: Actor, @Req() request: ApiRequest): Promise<Document> {
    if (actor.isTemporary) throw endsByItself();
    const login = parametersOf(request).get('login');
    const { userId } = login === undefined ? await this.own(actor) : await this.of(login, actor);
    const renewed = await this.actors.renewToken(userId, { userId: actor.userId, requestId: request.id });
    if (!renewed) throw unauthorized();
    return new Document('Authentication', { Token: renewed.serviceToken });
  }

  /**
   * Loaded anew: the credential of the caller may have died since, and must not buy one that lives. Errors: 401.
   */
  private async own(actor: Actor): Promise<Account> {
    const [former, account] = [accountBehind(actor), await this.actors.load(actor.userId)];
    if (!account || !former?.hasStayed(account)) throw unauthorized();
    const tokenId = former.accessTokenId;
    if (tokenId === undefined) return account;
    if (!account.mayUseAccessTokens || !(await this.accessTokens.isThere(tokenId))) throw unauthorized();
    return account;
  }

  /** The caller may have lost the rights of an administrator since. Errors: 401, 403, 404. */
  private async of(login: string, actor: Actor): Promise<Account> {
    const [own, account] = await Promise.all([this.own(actor), this.actors.load(login)]);
    if (account?.userId === own.userId) return own;
    if (!own.actor.isAdministrator) throw forbidden("Only administrators can have another user's token.");
    if (!account) throw unknownLogin(login);
    return account;
  }
}
