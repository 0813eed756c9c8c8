/** Who asks, as the pure stages see it. Loaded by `auth/`, read by the scope pass and the write rules. */
export interface Actor {
  /** Id of the user in `general_user`; the System user is one too. */
  readonly userId: number;
  /** Administrators and the System user see and may change everything. */
  readonly isAdministrator: boolean;
  /** Observers read, and write nothing but comments. */
  readonly isObserver: boolean;
  /** The credential allows reading only, whatever its owner may do. */
  readonly isReadOnly: boolean;
  /** The credential ends by itself, so that it must not make one that stays. */
  readonly isTemporary?: boolean;
  /** Projects the actor is a member of, directly or through a team on the project. */
  readonly projectIds: readonly number[];
  /** Teams the actor is a member of. */
  readonly teamIds: readonly number[];
  /** Asks for a context: its projects and teams stand in place of those the actor is a member of. */
  readonly isInContext?: boolean;
}

/** What of an actor changes the text of a statement; the ids only change its values. */
export type ActorShape = 'administrator' | 'administrator in context' | 'member';

export function actorShape({ isAdministrator, isInContext }: Actor): ActorShape {
  if (!isAdministrator) return 'member';
  return isInContext ? 'administrator in context' : 'administrator';
}
