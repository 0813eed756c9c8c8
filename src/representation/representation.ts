/**
 * How values, references and collections are spelled as SQL text expressions. JSON and XML are two of these; nothing
 * else knows the formats.
 */

import type { ScalarKind } from '../model/scalars.js';
import type { CustomFieldType } from '../query/meaning.js';
import type { Piece, Sql } from '../sql.js';

export interface ItemHead {
  /** Name of the element in XML; JSON has none. */
  element: string;
  resourceType: string;
  id: Sql;
  /** The text of Name; undefined when the answer has none. */
  name?: { text: Sql; isNullable: boolean };
}

interface CollectionText {
  /** The items' texts glued in order, empty when there are none. */
  items: Sql;
  /** Whether there are more items than these. */
  isCut: Sql;
  /** The link to the rest, in pieces; what the database puts in needs no escaping in any format. */
  next: readonly Piece[];
}

/** A custom field whose definition is compiled in, or read by the statement. */
export interface CustomFieldText {
  name: Piece;
  type: Piece;
  /** The value, spelled by its type: null where it has none. */
  value(spell: (value: CustomFieldValue) => Sql): Sql;
}

/** The value of fields of one type, or of types that are alike. */
export interface CustomFieldValue {
  type: CustomFieldType;
  /** The stored `jsonb`. */
  value: Sql;
  /** The stored value as text. */
  text: Sql;
  /** For entity fields, the name of what is referred to, or null. */
  targetName?: Sql;
}

export interface Representation {
  readonly format: 'json' | 'xml';
  item(head: ItemHead, members: readonly Piece[]): Piece[];
  /** A member with a value; `nullable` tells whether null must be expected. */
  scalar(name: string, kind: ScalarKind, value: Sql, nullable: boolean): Piece[];
  /** A member that holds another item; `item` is null where there is none. */
  reference(name: string, item: Sql): Piece[];
  collection(name: string, text: CollectionText): Piece[];
  /** The glue between two items of a collection. */
  readonly separator: string;
  /** The same between two items of a page. */
  readonly pageSeparator: string;
  customFields(fields: Sql): Piece[];
  /** One of the custom fields that an item has; the separator stands between two. */
  customField(field: CustomFieldText): Piece[];
}

/** What a representation is made for: the style of dates and the zone they are shown in. */
export interface Spelling {
  dates: 'ms' | 'iso' | 'local';
  /** True when the zone of the service is UTC the year round, which spares the database a look-up a date. */
  utc: boolean;
  /** Of rich texts, the length and so many characters of the beginning are spelled. */
  beginnings?: number;
}
