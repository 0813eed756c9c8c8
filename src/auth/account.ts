/** A user who may call: the actor, and the secrets that credentials are checked against. */
import type { Actor } from '../actor.js';
import { parsePosition } from '../database/wal-position.js';
import { isProof, type ProofSource, serviceToken, tokenProof } from './service-tokens.js';

/** A row of the account query, in its words. */
export interface AccountRow {
  id: number;
  kind: 'User' | 'SystemUser';
  password_hash: string | null;
  token_version: number;
  is_administrator: boolean;
  is_observer: boolean | null;
  project_ids: number[];
  team_ids: number[];
  is_locked: boolean;
  may_use_access_tokens: boolean | null;
  token_secret: string;
  /** In the log of the database, where it was read. */
  position: string;
  /** Where it was read for an access token. */
  token_id?: number;
}

/** The secrets are private fields, which neither a log line nor a JSON text can show. */
export class Account implements ProofSource {
  readonly userId: number;
  readonly actor: Actor;
  readonly isSystem: boolean;
  /** Too many wrong passwords were given for it; what is no password works all the same. */
  readonly isLocked: boolean;
  readonly mayUseAccessTokens: boolean;
  readonly tokenVersion: number;
  /** By which the caller came. */
  readonly accessTokenId: number | undefined;
  readonly #passwordHash: string | null;
  readonly #proof: string;
  readonly #takesToken: boolean;

  constructor(row: AccountRow) {
    this.isSystem = row.kind === 'SystemUser';
    this.isLocked = row.is_locked;
    // The System user has no access tokens. Only a role can forbid them, so a user without a role may have them.
    this.mayUseAccessTokens = !this.isSystem && row.may_use_access_tokens !== false;
    this.userId = row.id;
    this.tokenVersion = row.token_version;
    this.accessTokenId = row.token_id;
    this.#passwordHash = row.password_hash;
    this.#proof = tokenProof(row.token_secret, this);
    // The service token of the System user holds only once the user has a password.
    this.#takesToken = !this.isSystem || row.password_hash !== null;
    this.actor = Object.freeze({
      userId: row.id,
      isAdministrator: row.is_administrator || this.isSystem,
      ...(this.isSystem && { isSystem: true }),
      isObserver: row.is_observer ?? false,
      isReadOnly: false,
      projectIds: Object.freeze(row.project_ids),
      teamIds: Object.freeze(row.team_ids),
      rightsSince: parsePosition(row.position),
    });
    behind.set(this.actor, this);
  }

  /** Whether nothing has changed since that a credential depends on. */
  hasStayed({ passwordHash, tokenVersion }: Pick<ProofSource, 'passwordHash' | 'tokenVersion'>): boolean {
    return passwordHash === this.#passwordHash && tokenVersion === this.tokenVersion;
  }

  get passwordHash(): string | null {
    return this.#passwordHash;
  }

  get serviceToken(): string {
    return serviceToken(this.userId, this.#proof);
  }

  takesProof(proof: string): boolean {
    return isProof(proof, this.#proof) && this.#takesToken;
  }
}

const behind = new WeakMap<Actor, Account>();

/**
 * The account that an actor was authenticated with, a second old at most. Whoever makes a new credential compares it
 * with the row as it is now.
 */
export const accountBehind = (actor: Actor): Account | undefined => behind.get(actor);
