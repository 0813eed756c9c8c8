/** Authenticates a request by login and password in its `Authorization: Basic` header. */
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { StrategyCreated } from 'passport';
import { BasicStrategy as HttpBasicStrategy } from 'passport-http';
import type { Actor } from '../actor.js';
import type { ApiRequest } from '../http/request.js';
import { Actors } from './actors.js';
import { answer } from './credential-strategy.js';
import { isBasic, type LoginAndPassword, parseBasic } from './parse-basic.js';
import { Passwords } from './passwords.js';

@Injectable()
export class BasicStrategy extends PassportStrategy(HttpBasicStrategy, 'basic') {
  constructor(
    private readonly actors: Actors,
    private readonly passwords: Passwords,
  ) {
    super();
  }

  mayApply({ headers }: Pick<ApiRequest, 'headers'>): boolean {
    return headers.authorization !== undefined;
  }

  /** In place of the library's, which cuts passwords at their first colon and takes schemes such as `NotBasic`. */
  override authenticate(this: StrategyCreated<this>, request: Pick<ApiRequest, 'headers'>): void {
    const header = request.headers.authorization;
    if (isBasic(header)) answer(this, this.validate(parseBasic(header)));
    else this.pass();
  }

  /** What is a second old may prove a password right, but only what the database holds now may prove it wrong. */
  async validate(said: LoginAndPassword | undefined): Promise<Actor | undefined> {
    if (!said) return undefined;
    const { login, password } = said;
    const recent = this.actors.recent(login);
    if (recent && this.passwords.isVerified(recent, password)) return recent.actor;
    const account = await this.actors.load(login);
    return (await this.passwords.verify(account, login, password)) ? account?.actor : undefined;
  }
}
