/**
 * A value that a statement binds. What spells a condition can change it, but not look at it: so a statement is the same
 * for all filters whose words are read in the same way, and is compiled once for them.
 */
export class Bound<T> {
  private constructor(
    private readonly now: T,
    /** Where the words that it is read from stand among those of the filter. */
    readonly places: readonly number[],
    read: (words: readonly string[]) => T | undefined,
  ) {
    this.#read = read;
  }

  /** The value for other words; undefined where they are read in another way. */
  readonly #read: (words: readonly string[]) => T | undefined;

  /** The same for all words. */
  static constant<T>(value: T): Bound<T> {
    return new Bound(value, [], () => value);
  }

  static of<T>(value: Bound<T> | T): Bound<T> {
    return value instanceof Bound ? value : Bound.constant(value);
  }

  /** `read` gives undefined where the word has to be compiled in another way. */
  static word<T>(value: T, place: number, read: (word: string) => T | undefined): Bound<T> {
    return new Bound(value, [place], (words) => read(words[place]!));
  }

  static list<T>(bounds: readonly Bound<T>[]): Bound<T[]> {
    return new Bound(
      bounds.map(({ now }) => now),
      bounds.flatMap(({ places }) => places),
      (words) => {
        const values = bounds.map((bound) => bound.#read(words));
        return values.includes(undefined) ? undefined : (values as T[]);
      },
    );
  }

  map<U>(change: (value: T) => U): Bound<U> {
    return new Bound(change(this.now), this.places, (words) => {
      const value = this.#read(words);
      return value === undefined ? undefined : change(value);
    });
  }

  /** The value, for the driver, and where it comes from words of the filter. */
  static parameterOf(bound: Bound<unknown>): { value: unknown; bound?: Bound<unknown> } {
    return bound.places.length === 0 ? { value: bound.now } : { value: bound.now, bound };
  }

  /** The same, for other words; undefined where these are read in another way. */
  static reread(bound: Bound<unknown>, words: readonly string[]): unknown {
    return bound.#read(words);
  }
}
