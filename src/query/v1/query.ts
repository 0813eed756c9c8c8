/** What the client said, still as text: names are not looked up and values are not typed. Made by the `parse-*` files. */
import type { Aggregation } from '../aggregates.js';
import type { Page } from '../meaning.js';
import type { Comparison, PartRow } from '../operators.js';

export interface Query {
  selection: Selection;
  where?: Where;
  order: OrderBy[];
  page: Page;
  inner: Page;
}

/** `include`, `exclude` and `append`. `include` undefined means the default fields; an empty list means Id alone. */
export interface Selection {
  include?: IncludeItem[];
  exclude?: NameAt[];
  append: AggregateName[];
}

/** A name and the character it starts at in the parameter's decoded value. */
export interface NameAt {
  name: string;
  at: number;
}

/** `Project[Id,Name]` has inner items; `Project` has none (undefined); `Project[]` has an empty list. */
export interface IncludeItem extends NameAt {
  inner?: IncludeItem[];
  /** Set when the name has the form of an aggregate, such as `Tasks-Count`. */
  aggregate?: AggregateName;
}

/** `Bugs-Effort-Sum`: collection, field (absent where items are counted) and what is reckoned. */
export interface AggregateName extends NameAt {
  collection: string;
  field?: string;
  function: Aggregation;
}

/** A literal keeps its text; `quoted` tells `'5'` from `5`, which matters only for `null` and for messages. */
export interface Literal {
  text: string;
  quoted: boolean;
  at: number;
  /** Which one of the literals of the filter it is. */
  place: number;
}

/** `Project.Name` is `['Project', 'Name']`; `'CustomFields.Release Notes'` is `['CustomFields', 'Release Notes']`. */
export interface PathAt {
  names: string[];
  at: number;
}

/** What `where` says. */
export interface Where {
  filter: Filter;
  /** The texts of its literals, by place. */
  words: readonly string[];
  /** Its text with a NUL in place of each free literal: the same for filters that differ in these alone. No text of a client holds one. */
  shape: string;
  /** The places of the free literals: all but those, such as `null` or `Today`, that may mean something else than themselves. */
  free: readonly number[];
}

export type Filter =
  | { kind: 'compare'; path: PathAt; operator: Comparison; value: Literal }
  | { kind: 'contains'; path: PathAt; negated: boolean; value: Literal; operator: PartRow }
  | { kind: 'in'; path: PathAt; negated: boolean; values: Literal[] }
  | { kind: 'null'; path: PathAt; negated: boolean }
  | { kind: 'and' | 'or'; parts: Filter[] }
  | { kind: 'not'; part: Filter };

export interface OrderBy {
  path: PathAt;
  descending: boolean;
}
