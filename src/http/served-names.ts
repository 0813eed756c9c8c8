/**
 * Whether something is at an address whose names only those know who serve them, such as those of documents: a wrong
 * method is 405 there, and 404 where nothing is.
 */
import { Injectable } from '@nestjs/common';

type Knows = (name: string) => boolean;

@Injectable()
export class ServedNames {
  private readonly places: { at: RegExp; knows: Knows }[] = [];

  /** The first group of `at` is the name. */
  register(at: RegExp, knows: Knows): void {
    this.places.push({ at, knows });
  }

  /** Undefined for an address that nobody has registered. */
  has(path: string): boolean | undefined {
    for (const { at, knows } of this.places) {
      const name = at.exec(path)?.[1];
      if (name !== undefined) return knows(name);
    }
    return undefined;
  }
}
