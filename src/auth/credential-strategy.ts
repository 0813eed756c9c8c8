/**
 * A Passport strategy for one kind of credential. It passes when the request carries none of its kind, fails when it
 * carries a bad one, and succeeds with the actor.
 */
import passport, { type StrategyCreatedStatic } from 'passport';
import type { Actor } from '../actor.js';
import type { ApiRequest } from '../http/request.js';

export interface CredentialStrategy {
  readonly name: string;
  /** Browsers send it whether or not anybody wants it: it counts only where no other credential is given. */
  readonly isAmbient?: boolean;
  /** Whether the request may carry a credential of this kind: a quick look, so that most strategies need not be run. */
  mayApply(request: ApiRequest): boolean;
  /**
   * The actor, if the credential was checked a moment ago; synchronous. Undefined: not cached, so call `authenticate`.
   */
  recall?(request: ApiRequest): Actor | undefined;
  authenticate(request: ApiRequest): void;
}

/** Passport's base class, typed for requests of Fastify instead of Express. */
export const BaseStrategy = passport.Strategy as unknown as new () => StrategyCreatedStatic & {
  authenticate(request: ApiRequest): void;
};

/** Nothing is answered about why a credential fails: every failure is the same to the client. */
export function answer(strategy: StrategyCreatedStatic, checked: Promise<Actor | undefined>): void {
  checked.then(
    (actor) => (actor ? strategy.success(actor) : strategy.fail(401)),
    (error) => strategy.error(error),
  );
}
