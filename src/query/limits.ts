/** Cost limits of one request of either version (docs/contract.md, "Limits"), and of what is kept of requests. */
export const limits = {
  queryBytes: 16 * 1024,
  /** Bytes of the form of a POST of version 2. */
  formBytes: 64 * 1024,
  parameters: 200,
  /** Names in a path, lists inside lists of `include`, and collections inside collections. */
  depth: 10,
  /** Parentheses inside parentheses; of an expression also braces, calls and operators inside one another. */
  nesting: 50,
  conditions: 100,
  listValues: 1000,
  /** Of `include`, or members of an object. */
  includeItems: 200,
  aggregates: 50,
  orders: 10,
  take: 1000,
  defaultTake: 25,
  /** Names, values and operators of one expression; the values of lists do not count. */
  parts: 1000,
  /** The same once every `it` stands for what it means. */
  meaning: 3000,
  /** Before the point of a number: the database has up to 131,072. */
  digits: 10_000,
} as const;

/** What is kept in memory of requests and statements. */
export const cacheLimits = {
  /** Texts of requests, each with its parsed query. */
  queries: 1000,
  /** Items of pages. Clients have a few shapes each; the largest that the other limits allow take some 200 KiB. */
  items: 150,
  /** First parts of statements of the same items. */
  heads: 16,
  texts: 1000,
  textBytes: 16 * 2 ** 20,
} as const;
