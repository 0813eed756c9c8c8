/**
 * Finds the account that a login and password belong to. Passwords of one login are checked one after another, so that many
 * at once cannot be tried before the first ones are counted; of all logins together only so many as there is room for, and who
 * comes beyond that is refused before anything is asked of the database.
 */
import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError, tooManyAttempts } from '../errors.js';
import type { Account } from './account.js';
import { Actors } from './actors.js';
import { BoundedQueue } from './bounded-queue.js';
import { LoginAttempts, spelling } from './login-attempts.js';
import type { LoginAndPassword } from './parse-basic.js';
import { checkBounds } from './password-hash.js';
import { Passwords } from './passwords.js';

@Injectable()
export class PasswordCheck {
  private readonly room = new BoundedQueue(checkBounds);
  private readonly turns = new Map<string, { queue: BoundedQueue; users: number }>();
  /** A client that opens many connections at once sends one password many times: one check answers them all. */
  private readonly underWay = new Map<string, Promise<Account | undefined>>();

  constructor(
    private readonly actors: Actors,
    private readonly passwords: Passwords,
    private readonly attempts: LoginAttempts,
  ) {}

  /**
   * Undefined: no active user has this login and this password; which of both is wrong is told by nothing. What is a second
   * old may prove a password right, but only what the database holds now may prove it wrong. Errors: 429 for a login that
   * is locked, 503 when too many are checked at once.
   */
  async check({ login, password }: LoginAndPassword): Promise<Account | undefined> {
    const recalled = this.recall({ login, password });
    if (recalled) return recalled;
    const recent = this.actors.recent(login);
    const said = hash('sha256', `${login}\0${password}`, 'base64');
    const joined = this.underWay.get(said);
    if (joined) return joined;
    const checked = this.checkInTurn(login, password, recent).finally(() => this.underWay.delete(said));
    this.underWay.set(said, checked);
    return checked;
  }

  /** The account, if it was loaded within the last second and this password was found right before. */
  recall({ login, password }: LoginAndPassword): Account | undefined {
    const recent = this.actors.recent(login);
    return recent && !recent.isLocked && this.passwords.isVerified(recent, password) ? recent : undefined;
  }

  private async checkInTurn(
    login: string,
    password: string,
    recent: Account | undefined,
  ): Promise<Account | undefined> {
    try {
      return await this.inTurn(spelling(login).toLowerCase(), () =>
        this.room.run(() => this.checkNow(login, password)),
      );
    } catch (error) {
      // Where the right password is remembered it is taken however busy we are, so that a refusal tells it was a wrong one.
      const tells = error instanceof ApiError && error.code === 503 && recent && this.passwords.remembers(recent);
      if (tells) await this.countFailure(login);
      throw error;
    }
  }

  private async checkNow(login: string, password: string): Promise<Account | undefined> {
    const seconds = await this.attempts.lockedFor(login);
    if (seconds > 0) throw tooManyAttempts(seconds);
    const account = await this.actors.load(login);
    if (await this.passwords.verify(account, login, password)) return account;
    await this.countFailure(login);
    return undefined;
  }

  private async countFailure(login: string): Promise<void> {
    if (await this.attempts.failed(login)) this.actors.forget();
  }

  private async inTurn<T>(key: string, task: () => Promise<T>): Promise<T> {
    const turn = this.turns.get(key) ?? { queue: new BoundedQueue({ running: 1, waiting: 128 }), users: 0 };
    this.turns.set(key, turn);
    turn.users += 1;
    try {
      return await turn.queue.run(task);
    } finally {
      turn.users -= 1;
      if (turn.users === 0) this.turns.delete(key);
    }
  }
}
