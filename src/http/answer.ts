/** What handlers answer with: finished texts that only need a frame. The interceptors add links and spell the frame. */

import type { Text } from '../bytes/text-bytes.js';
import type { Column } from '../representation/csv.js';

/** One page of a collection. */
export class Page {
  next?: string;
  prev?: string;
  /** Of a page in CSV, whose items are one on each line: what its rows show. */
  columns?: readonly Column[];
  /** The items behind these, one on each line, as they are asked for. */
  rest?: AsyncGenerator<readonly Text[]>;
  /** Why it is not all that there is. */
  warning?: string;

  constructor(
    /** Name of the collection: the root element in XML. */
    readonly collection: string,
    /** The items' texts, glued: none when there are no items, one, or several parts of a long page. */
    readonly items: readonly Text[],
    readonly hasNext: boolean,
    /** Path that links lead to, such as `/api/v1/Bugs/`. */
    readonly path: string,
    /** What links repeat besides the parameters that all lists have, such as `q=login&`. */
    readonly parameters = '',
  ) {}
}

const storedUnread = '199 worktrack "Stored, but it could not be read: the answer tells kind and id alone."';

/** One entity. */
export class Item {
  constructor(
    readonly text: Text,
    /** The version of its row, which its entity tag is made of. */
    readonly version?: string,
    /** It was stored and could not be read: the text tells kind and id alone. */
    readonly isBrief = false,
    readonly warning = isBrief ? storedUnread : undefined,
  ) {}
}

/** The entities of a bulk write, in the order of the request. */
export class Batch {
  constructor(
    readonly collection: string,
    readonly items: readonly string[],
    readonly isBrief = false,
    readonly warning = isBrief ? storedUnread : undefined,
  ) {}
}

/** The kind and id of an entity. */
export interface EntityName {
  readonly type: string;
  readonly id: number;
}

export const briefItem = (entity: EntityName, format: 'json' | 'xml'): Item =>
  new Item(briefText(entity, format), undefined, true);

export const briefBatch = (collection: string, all: readonly EntityName[], format: 'json' | 'xml'): Batch =>
  new Batch(
    collection,
    all.map((entity) => briefText(entity, format)),
    true,
  );

const briefText = ({ type, id }: EntityName, format: 'json' | 'xml'): string =>
  format === 'json' ? `{"ResourceType":"${type}","Id":${id}}` : `<${type} ResourceType="${type}" Id="${id}" />`;

/** What was deleted: named in JSON, an empty answer in XML. */
export class Deleted {
  constructor(
    readonly items: readonly EntityName[],
    readonly isList = false,
  ) {}
}

/** What a write answers with. */
export interface Saved {
  created: boolean;
  answer: Item | Batch;
}
