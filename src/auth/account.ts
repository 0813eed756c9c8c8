/** What authentication knows of a user who may call: the actor, and the secrets its credentials are checked against. */
import type { Actor } from '../actor.js';
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
  token_secret: string;
}

/** The secrets are private fields, which neither a log line nor a JSON text can show. */
export class Account implements ProofSource {
  readonly userId: number;
  readonly actor: Actor;
  readonly tokenVersion: number;
  readonly #passwordHash: string | null;
  readonly #proof: string;
  readonly #takesToken: boolean;

  constructor(row: AccountRow) {
    const isSystem = row.kind === 'SystemUser';
    this.userId = row.id;
    this.tokenVersion = row.token_version;
    this.#passwordHash = row.password_hash;
    this.#proof = tokenProof(row.token_secret, this);
    // The System user is nobody's until somebody gives it a password.
    this.#takesToken = !isSystem || row.password_hash !== null;
    this.actor = Object.freeze({
      userId: row.id,
      isAdministrator: row.is_administrator || isSystem,
      isObserver: row.is_observer ?? false,
      projectIds: Object.freeze(row.project_ids),
      teamIds: Object.freeze(row.team_ids),
    });
  }

  get passwordHash(): string | null {
    return this.#passwordHash;
  }

  get serviceToken(): string {
    return serviceToken(this.userId, this.#proof);
  }

  takesProof(said: string): boolean {
    return isProof(said, this.#proof) && this.#takesToken;
  }
}
