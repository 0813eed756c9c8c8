/** Who may see the rows of a resource. Declared on the resource, applied by the scope pass and nowhere else. */
export type Visibility =
  | { kind: 'everyone' }
  | { kind: 'administrators' }
  /**
   * As visible as what the row refers to, by property name; with several, all of them must be visible; the `remembered`
   * even when deleted.
   */
  | { kind: 'through'; references: readonly string[]; remembered?: readonly string[] }
  /** As visible as either what it refers to, or (when that is null) the other. */
  | { kind: 'throughEither'; references: readonly [string, string] }
  /** To the user that this reference names, and to administrators. */
  | { kind: 'owned'; reference: string }
  /** To the users that the references name, and to whoever sees an item of the collection. */
  | { kind: 'correspondence'; references: readonly string[]; collection: string }
  /**
   * Generals: to members of the project that they lie in. A kind that says so itself is seen by more, beside those that
   * its bases say: members of the projects or teams in a collection, or that the reference of its items names; or all.
   */
  | { kind: 'membership'; of?: { collection: string; reference?: string }; isOpen?: boolean };

export const everyone: Visibility = { kind: 'everyone' };
export const administrators: Visibility = { kind: 'administrators' };
export const membership: Visibility = { kind: 'membership' };
export const open: Visibility = { kind: 'membership', isOpen: true };
export const membershipOf = (collection: string, reference?: string): Visibility => ({
  kind: 'membership',
  of: { collection, reference },
});
export const owned = (reference: string): Visibility => ({ kind: 'owned', reference });
export const correspondence = (references: readonly string[], collection: string): Visibility => ({
  kind: 'correspondence',
  references,
  collection,
});
export const through = (...references: string[]): Visibility => ({ kind: 'through', references });
/** What the row shows of another entity is shown to whoever may see that one, also once it is deleted. */
export const throughRemembering = (reference: string, remembered: string): Visibility => ({
  kind: 'through',
  references: [reference],
  remembered: [remembered],
});
export const throughEither = (first: string, second: string): Visibility => ({
  kind: 'throughEither',
  references: [first, second],
});
