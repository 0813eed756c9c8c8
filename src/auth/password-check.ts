/**
 * Finds the account that a login and password belong to. A password that was right before is taken at once, however
 * busy the service is. All others wait for their check by client, whatever the login, and those of one login are
 * checked one after another, so that many at once cannot be tried before the first ones are counted.
 */
import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { WaitingRoom } from '../database/waiting-room.js';
import { ApiError, tooManyAttempts, unavailable } from '../errors.js';
import { checkBounds } from '../passwords/password-hash.js';
import { activity } from '../runtime/activity.js';
import { FairQueue } from '../turns/fair-queue.js';
import type { Account } from './account.js';
import { Actors } from './actors.js';
import { GuessingClients } from './guessing-clients.js';
import { LoginAttempts, loginKey } from './login-attempts.js';
import type { LoginAndPassword } from './parse-basic.js';
import { Passwords } from './passwords.js';
import { ProvenLogins } from './proven-logins.js';

const bounds = { running: checkBounds.running, waiting: 256, waitingOfClient: 64, milliseconds: 10_000 };
const full = (): ApiError => unavailable('Too many logins at once. Try again in a moment.', 1, 'password_checks');

@Injectable()
export class PasswordCheck {
  private readonly clients = new GuessingClients();
  private readonly room = new FairQueue<string>(bounds, full, (client) => this.clients.rank(client));
  private readonly proven = new ProvenLogins();
  /** The latest check of each login. */
  private readonly turns = new Map<string, Promise<unknown>>();
  /** A client that opens many connections at once sends one password many times: one check answers them all. */
  private readonly underWay = new Map<string, Promise<Account | undefined>>();

  constructor(
    private readonly actors: Actors,
    private readonly passwords: Passwords,
    private readonly attempts: LoginAttempts,
    private readonly waiting: WaitingRoom,
  ) {}

  /**
   * Undefined: no active user has this login and this password; nothing shows which of both is wrong. What is a
   * second old may prove a password right, but only what the database holds now may prove it wrong. Errors: 429 for a
   * login that is locked, 503 when too many are checked at once.
   */
  async check(credentials: LoginAndPassword, client: string): Promise<Account | undefined> {
    const recalled = this.recall(credentials);
    if (recalled) return recalled;
    const key = hash('sha256', `${client}\0${credentials.login}\0${credentials.password}`, 'base64');
    const joined = this.underWay.get(key);
    if (joined) return this.waiting.during(`password ${key}`, () => joined);
    const checked = this.checkOnce(credentials, client).finally(() => this.underWay.delete(key));
    this.underWay.set(key, checked);
    return checked;
  }

  refuseWaiting(): void {
    this.room.refuseWaiting();
  }

  /** The account, if it was loaded within the last second and this password was found right before. */
  recall({ login, password }: LoginAndPassword): Account | undefined {
    return this.mayRecall(login) ? this.verified(this.actors.recent(login), password) : undefined;
  }

  /** Whether a password of this login may be taken without a check. */
  mayRecall(login: string): boolean {
    return this.proven.passes(login);
  }

  /** The account, if its password is known to be this one and it is not locked. */
  private verified(account: Account | undefined, password: string): Account | undefined {
    return account && !account.isLocked && this.passwords.isVerified(account, password) ? account : undefined;
  }

  private async checkOnce(credentials: LoginAndPassword, client: string): Promise<Account | undefined> {
    if (this.proven.has(credentials)) {
      const account = this.verified(await this.actors.load(credentials.login), credentials.password);
      if (account) return account;
    }
    return this.checkInTurn(credentials, client);
  }

  private async checkInTurn(credentials: LoginAndPassword, client: string): Promise<Account | undefined> {
    let isTurn = false;
    try {
      return await this.room.run(client, () => {
        isTurn = true;
        return this.inTurn(loginKey(credentials.login), () => this.checkNow(credentials, client));
      });
    } catch (error) {
      if (!isTurn) this.proven.noteRefusal(credentials.login);
      throw error;
    }
  }

  private async checkNow({ login, password }: LoginAndPassword, client: string): Promise<Account | undefined> {
    const seconds = await this.attempts.lockedFor(login);
    if (seconds > 0) throw tooManyAttempts(seconds);
    const account = await this.actors.load(login);
    const isRight = await this.passwords.verify(account, login, password);
    this.clients.note(client, isRight);
    activity.passwordChecks[isRight ? 'right' : 'wrong'] += 1;
    if (isRight) this.proven.add({ login, password });
    else await this.countFailure(login);
    return isRight ? account : undefined;
  }

  private async countFailure(login: string): Promise<void> {
    if (!(await this.attempts.failed(login))) return;
    activity.loginLocks += 1;
    this.actors.forget();
  }

  private async inTurn<T>(login: string, task: () => Promise<T>): Promise<T> {
    const turn = (this.turns.get(login) ?? Promise.resolve()).then(task, task);
    this.turns.set(login, turn);
    try {
      return await turn;
    } finally {
      if (this.turns.get(login) === turn) this.turns.delete(login);
    }
  }
}
