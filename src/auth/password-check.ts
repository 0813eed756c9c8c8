/**
 * Finds the account that a login and password belong to. Passwords of one login are checked one after another, so that many
 * at once cannot be tried before the first ones are counted.
 */
import { Injectable } from '@nestjs/common';
import { tooManyAttempts } from '../errors.js';
import type { Account } from './account.js';
import { Actors } from './actors.js';
import { BoundedQueue } from './bounded-queue.js';
import { LoginAttempts, spelling } from './login-attempts.js';
import type { LoginAndPassword } from './parse-basic.js';
import { Passwords } from './passwords.js';

@Injectable()
export class PasswordCheck {
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
    const recent = this.actors.recent(login);
    if (recent && !recent.isLocked && this.passwords.isVerified(recent, password)) return recent;
    const said = `${login}\0${password}`;
    const joined = this.underWay.get(said);
    if (joined) return joined;
    const checked = this.inTurn(spelling(login).toLowerCase(), () => this.checkNow(login, password)).finally(() =>
      this.underWay.delete(said),
    );
    this.underWay.set(said, checked);
    return checked;
  }

  private async checkNow(login: string, password: string): Promise<Account | undefined> {
    const [seconds, account] = await Promise.all([this.attempts.lockedFor(login), this.actors.load(login)]);
    if (seconds > 0) throw tooManyAttempts(seconds);
    if (await this.passwords.verify(account, login, password)) return account;
    if (await this.attempts.failed(login)) this.actors.forget();
    return undefined;
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
