/** Cost limits of one version-2 expression, beside those of `query/query.ts`. */
export const expressionLimits = {
  /** Parentheses, braces, calls and operators inside one another. */
  nesting: 50,
  /** Names, values and operators of one text; the values of lists do not count. */
  parts: 1000,
  /** The same once every `it` stands for what it means. */
  meaning: 3000,
  /** Before the point of a number: the database has up to 131,072. */
  digits: 10_000,
  listValues: 1000,
  /** Collections inside collections. */
  collections: 10,
  members: 200,
  /** Bytes of the form of a POST. */
  formBytes: 64 * 1024,
  /** Items of a collection inside an item. */
  inner: 1000,
} as const;
