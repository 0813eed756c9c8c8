/**
 * What the client asked for, still as text: names are not looked up and values are not typed. Made by the `parse-*`
 * files.
 */
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
  exclude?: string[];
  append: AggregateName[];
}

/** `Project[Id,Name]` has inner items; `Project` has none (undefined); `Project[]` has an empty list. */
export interface IncludeItem {
  name: string;
  inner?: IncludeItem[];
  /** Set when the name has the form of an aggregate, such as `Tasks-Count`. */
  aggregate?: AggregateName;
}

/** `Bugs-Effort-Sum`: collection, field (absent where items are counted) and what is reckoned. */
export interface AggregateName {
  name: string;
  collection: string;
  field?: string;
  function: Aggregation;
}

export interface Literal {
  text: string;
  /** Which one of the literals of the filter it is. */
  place: number;
}

/** `Project.Name` is `['Project', 'Name']`; `'CustomFields.Release Notes'` is `['CustomFields', 'Release Notes']`. */
export type Path = readonly string[];

export interface Where {
  filter: Filter;
  /** The texts of its literals, by place. */
  words: readonly string[];
  /**
   * Its text with a NUL in place of each free literal: the same for filters that differ in these alone. No text of a
   * client holds one.
   */
  shape: string;
  /**
   * The places of the free literals: all but those, such as `null` or `Today`, that may mean something else than
   * themselves.
   */
  free: readonly number[];
}

export type Filter =
  | { kind: 'compare'; path: Path; operator: Comparison; value: Literal }
  | { kind: 'contains'; path: Path; negated: boolean; value: Literal; operator: PartRow }
  | { kind: 'in'; path: Path; negated: boolean; values: Literal[] }
  | { kind: 'null'; path: Path; negated: boolean }
  | { kind: 'and' | 'or'; parts: Filter[] }
  | { kind: 'not'; part: Filter };

export interface OrderBy {
  path: Path;
  descending: boolean;
  /** Where it was asked for. */
  parameter: 'orderBy' | 'orderByDesc';
}
