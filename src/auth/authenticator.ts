/**
 * Finds out who asks: every strategy looks at the request, and all credentials found must be good and of one user.
 * Passport itself stops at the first success, so its strategies are run one by one.
 */
import passport from 'passport';
import type { Actor } from '../actor.js';
import { severalCredentials, unauthorized } from '../errors.js';
import type { ApiRequest } from '../http/request.js';
import type { CredentialStrategy } from './credential-strategy.js';

export class Authenticator {
  // Nest registers strategies with the one Passport of the process, where a second app would replace those of the
  // first.
  private readonly passport = new passport.Passport();

  constructor(private readonly strategies: readonly CredentialStrategy[]) {
    // Passport's types know requests of Express only.
    for (const strategy of strategies) this.passport.use(strategy.name, strategy as unknown as passport.Strategy);
  }

  /**
   * The caller of a request with one credential that was checked a moment ago, as that of most requests. It is
   * synchronous, since a promise costs as much as the check. Undefined: ask `authenticate`. Errors: 400 for a
   * credential that is given twice.
   */
  recall(request: ApiRequest): Actor | undefined {
    let only: CredentialStrategy | undefined;
    for (const strategy of this.strategies) {
      if (!strategy.mayApply(request) || (only && strategy.isAmbient)) continue;
      if (only) return undefined;
      only = strategy;
    }
    return only?.recall?.(request);
  }

  /** Whether the request carries nothing that somebody chose to send as a credential. */
  hasNoCredential(request: ApiRequest): boolean {
    return this.strategies.every((strategy) => strategy.isAmbient || !strategy.mayApply(request));
  }

  async authenticate(request: ApiRequest): Promise<Actor> {
    let caller: Actor | undefined;
    for (const strategy of this.strategies) {
      if (!strategy.mayApply(request) || (caller && strategy.isAmbient)) continue;
      const actor = await this.attempt(strategy.name, request);
      if (actor === 'none') continue;
      if (actor === 'bad') throw unauthorized();
      if (caller && caller.userId !== actor.userId) throw severalCredentials();
      // A credential that may only read is not widened by another one.
      if (!caller?.isReadOnly) caller = actor;
    }
    if (!caller) throw unauthorized();
    return caller;
  }

  /** Passport calls `done` for success, failure and error, and `next` when the strategy passes. */
  private attempt(name: string, request: ApiRequest): Promise<Actor | 'bad' | 'none'> {
    return new Promise((resolve, reject) => {
      const done = (error: unknown, actor?: Actor | false): void =>
        error ? reject(error) : resolve(actor ? actor : 'bad');
      const next = (error?: unknown): void => (error ? reject(error) : resolve('none'));
      this.passport.authenticate(name, { session: false }, done)(request, undefined, next);
    });
  }
}
