/** What handlers answer with: finished texts that only need a frame. The interceptors add links and spell the frame. */

/** One page of a collection. */
export class Page {
  next?: string;
  prev?: string;

  constructor(
    /** Name of the collection: the root element in XML. */
    readonly collection: string,
    /** The items' texts, glued: none when there are no items, one, or several pieces of a long page. */
    readonly items: readonly string[],
    readonly hasNext: boolean,
    /** Path that links lead to, such as `/api/v1/Bugs/`. */
    readonly path: string,
  ) {}
}

/** One entity. */
export class Item {
  constructor(
    readonly text: string,
    /** The version of its row, which its entity tag is made of. */
    readonly version?: string,
  ) {}
}

/** The entities of a bulk write, in the order of the request. */
export class Batch {
  constructor(
    readonly collection: string,
    readonly items: readonly string[],
  ) {}
}

/** What was deleted: told in JSON, an empty answer in XML. */
export class Deleted {
  constructor(
    readonly items: readonly { type: string; id: number }[],
    readonly isList = false,
  ) {}
}
