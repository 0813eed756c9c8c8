/** Whether a user is the only one that asks: remembers the last two, and when they asked. */

/** So long after its last request a user counts among those that ask. */
const askingMs = 1000;

interface Asker<Owner> {
  readonly owner: Owner | undefined;
  /** Milliseconds. */
  at: number;
}

export class LastAskers<Owner extends string | number> {
  private last: Asker<Owner> = { owner: undefined, at: Number.NEGATIVE_INFINITY };
  private other = this.last;

  note(owner: Owner, at: number): void {
    if (owner === this.last.owner) this.last.at = at;
    else [this.other, this.last] = [this.last, { owner, at }];
  }

  /** Another one asked a moment ago. */
  hasOthers(owner: Owner, now: number): boolean {
    const { at } = owner === this.last.owner ? this.other : this.last;
    return now - at <= askingMs;
  }
}
