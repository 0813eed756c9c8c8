/** Who asks, as the pure stages see it. Loaded by `auth/`, read by the scope pass and the write rules. */
import type { WalPosition } from './database/wal-position.js';

export interface Actor {
  /** Id of the user in `general_user`; the System user is one too. */
  readonly userId: number;
  /** Administrators and the System user see and may change everything. */
  readonly isAdministrator: boolean;
  /** The System user: no User, so a reference to a User that points at it shows nothing. */
  readonly isSystem?: boolean;
  /** Observers read, and write nothing but comments. */
  readonly isObserver: boolean;
  /** The credential allows reading only, whatever its owner may do. */
  readonly isReadOnly: boolean;
  /** Of an access token that may not do all that its owner may: its id. */
  readonly accessTokenId?: number;
  /** The credential ends by itself, so that it must not make one that stays. */
  readonly isTemporary?: boolean;
  /** Projects the actor is a member of, directly or through a team on the project. */
  readonly projectIds: readonly number[];
  /** Teams the actor is a member of. */
  readonly teamIds: readonly number[];
  /** A server that has replayed this shows the actor nothing that the rights above forbid. */
  readonly rightsSince?: WalPosition;
  /** Lists hold only what lies in these projects and is of these teams. */
  readonly context?: { readonly projectIds: readonly number[]; readonly teamIds: readonly number[] };
}

/** What of an actor changes the text of a statement; the ids only change its values. */
export type ActorShape = Role | `${Role} in context`;
type Role = 'administrator' | 'member';

export function actorShape({ isAdministrator, context }: Actor): ActorShape {
  const role: Role = isAdministrator ? 'administrator' : 'member';
  return context ? `${role} in context` : role;
}

export const isMember = (shape: ActorShape): boolean => shape === 'member' || shape === 'member in context';

export const isInContext = (shape: ActorShape): boolean => shape.endsWith(' in context');
