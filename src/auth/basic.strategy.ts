/** Authenticates a request by login and password in its `Authorization: Basic` header. */
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { StrategyCreated } from 'passport';
import { BasicStrategy as HttpBasicStrategy } from 'passport-http';
import type { Actor } from '../actor.js';
import { type Client, clientOf } from '../http/client-address.js';
import type { ApiRequest } from '../http/request.js';
import type { Account } from './account.js';
import { Actors } from './actors.js';
import { CredentialCache } from './credential-cache.js';
import { answer } from './credential-strategy.js';
import { isBasic, type LoginAndPassword, parseBasic } from './parse-basic.js';
import { PasswordCheck } from './password-check.js';
import { Settings } from './settings.js';

@Injectable()
export class BasicStrategy extends PassportStrategy(HttpBasicStrategy, 'basic') {
  private readonly cache = new CredentialCache<{ login: string; account: Account }>();

  constructor(
    private readonly passwords: PasswordCheck,
    private readonly actors: Actors,
    private readonly settings: Settings,
  ) {
    super();
  }

  mayApply({ headers }: Pick<ApiRequest, 'headers'>): boolean {
    return isBasic(headers.authorization);
  }

  /** The System user is asked for more than a password. */
  recall({ headers }: Pick<ApiRequest, 'headers'>): Actor | undefined {
    const header = headers.authorization!;
    const cached = this.cache.get(header);
    if (cached && this.actors.recent(cached.login) === cached.account && this.passwords.mayRecall(cached.login)) {
      return cached.account.actor;
    }
    const credentials = parseBasic(header);
    const account = credentials && this.passwords.recall(credentials);
    if (!account || account.isSystem) return undefined;
    this.cache.set(header, { login: credentials.login, account });
    return account.actor;
  }

  /** In place of the library's, which cuts passwords at their first colon and takes schemes such as `NotBasic`. */
  override authenticate(this: StrategyCreated<this>, request: Pick<ApiRequest, 'headers'> & Client): void {
    const header = request.headers.authorization;
    if (isBasic(header)) answer(this, this.validate(parseBasic(header), clientOf(request)));
    else this.pass();
  }

  /** Where people log in by single sign-on only, the System user's password opens nothing. */
  async validate(credentials: LoginAndPassword | undefined, client: string): Promise<Actor | undefined> {
    const account = credentials && (await this.passwords.check(credentials, client));
    if (account?.isSystem && !(await this.settings.current()).isLoginFormEnabled) return undefined;
    return account?.actor;
  }
}
