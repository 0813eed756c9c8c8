/**
 * Cost limits of one request of either version (docs/contract.md, "Limits"), of what is kept of requests, and of what a
 * statement costs the database before it reads a row.
 */
import { type ApiError, badRequest } from '../errors.js';
import type { Statement } from '../sql.js';

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
  /**
   * Texts without a limit of length that are read of a row besides those that are shown, and copies of them that
   * functions and comparisons make: each takes up to 3 MB of a backend, and 50 ms.
   */
  longTexts: 40,
  /** Of a text that is taken apart at its commas. */
  listCharacters: 100_000,
  /** Before the point of a number: the database has up to 131,072. */
  digits: 10_000,
} as const;

/** Bytes that are kept of statements, reckoned at most (`compile/statement-cache.ts`). */
export const cacheLimits = {
  /** Of queries. A page of stories takes some 25 KiB, the longest statement 384 KiB. */
  statements: 48 * 2 ** 20,
  /** Items of pages. */
  items: 32 * 2 ** 20,
  /** Texts of statements; and as much of statements by the shape of their filter. */
  texts: 24 * 2 ** 20,
} as const;

/** For a cache by texts of requests: what is parsed of one takes so many bytes for each of its characters. */
export const keptTexts = (bytesOfCharacter: number) => ({
  max: 1000,
  maxSize: 16 * 2 ** 20,
  sizeCalculation: (_: unknown, text: string): number => 2048 + bytesOfCharacter * text.length,
});

interface Cache<Key, Kept> {
  get(key: Key): Kept | undefined;
  set(key: Key, value: Kept): unknown;
}

/** What a cache has, or else gets now. */
export function kept<Key, Kept>(cache: Cache<Key, Kept>, key: Key, make: () => Kept): Kept {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const made = make();
  cache.set(key, made);
  return made;
}

// --- planning a statement, and keeping its plan: both grow with its tables and its text (docs/reliability.md) --------

interface Cost {
  /** Table references, each as often as it is spelled; of a view those that it reads. */
  tables: number;
  /** Sub-selects. */
  selects: number;
  /** Of these, questions whether a row exists inside three such questions: what is joined is planned in many orders. */
  deep: number;
  /** Each keeps up to `work_mem` until the statement ends, but for those of few rows (`rowsCounted`). */
  sorts: number;
  /** Bytes of SQL. */
  bytes: number;
}

/**
 * Planning takes at most 250 ms and 100 MB of a backend's own memory for whatever stays below (docs/reliability.md).
 */
export const costLimits: Cost = { tables: 250, selects: 300, deep: 50, sorts: 20, bytes: 192 * 1024 };

/** Our statements quote every table, and values of clients are bound. */
function costOf(text: string): Cost {
  const cost = { tables: 0, selects: 0, deep: 0, sorts: 0, bytes: text.length };
  // Of each parenthesis that is open, whether it asks whether a row exists.
  const open: boolean[] = [];
  let depth = 0;
  const sorts: Sort[] = [];
  let rows = 0;
  const endSort = (at: number): void => {
    while (sorts.at(-1)?.depth === open.length) rows += rowsCounted(text, sorts.pop()!.from, at);
  };
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case signs.apostrophe:
        at = endOf(text, "'", at);
        break;
      case signs.quote: {
        const end = endOf(text, '"', at);
        const isTable = text.startsWith('from ', at - 5) || text.startsWith('join ', at - 5);
        if (isTable) cost.tables += tablesOfViews[text.slice(at + 1, end)] ?? 1;
        at = end;
        break;
      }
      case signs.open: {
        opening.lastIndex = at + 1;
        const [word] = opening.exec(text) ?? [];
        if (word === 'distinct') cost.sorts += 1;
        else if (word !== undefined) cost.selects += 1;
        const isQuestion = word?.endsWith('1') === true && text.startsWith('exists ', at - 7);
        if (isQuestion) depth += 1;
        if (isQuestion && depth > 3) cost.deep += 1;
        open.push(isQuestion);
        break;
      }
      case signs.close:
        endSort(at);
        if (open.pop()) depth -= 1;
        break;
      case signs.o:
        if (text.startsWith(sorting, at)) sorts.push({ from: at + sorting.length, depth: open.length });
        break;
      case signs.l:
        if (sorts.length > 0 && text.startsWith('limit ', at)) endSort(at);
    }
  }
  endSort(text.length);
  cost.sorts += rows / rowsOfSort;
  return cost;
}

const signs = { quote: 0x22, apostrophe: 0x27, open: 0x28, close: 0x29, l: 0x6c, o: 0x6f };
const opening = /distinct\b|\s*select\b(?: 1\b)?/y;
const sorting = 'order by ';

/** One that has begun: where what is sorted by begins, and in how many parentheses. */
interface Sort {
  readonly from: number;
  readonly depth: number;
}

const endOf = (text: string, quote: string, at: number): number => {
  const end = text.indexOf(quote, at + 1);
  return end < 0 ? text.length : end;
};

// --- sorts: one that is limited keeps as many rows as it passes over and shows ---------------------------------------

/** A sort that keeps no more does not count. Version 1 keeps one more than it shows. */
const fewRows = 99;

/** In the order of ids sorts count by their rows, so many as one: mostly an index has that order. */
const rowsOfSort = 4000;

/** Limited sorts of numbers of rows that are rounded up to the same have one text. */
const rounded = 50;

/**
 * Says how many rows a sort keeps at most, behind a bound offset, whose number the text does not tell. Empty where it
 * counts as one whatever they are.
 */
export function keptRows(rows: number): string {
  const most = rows <= fewRows ? fewRows : Math.ceil(rows / rounded) * rounded;
  return most < rowsOfSort ? ` /* ${most} rows */` : '';
}

/** What is sorted by ends where the limit begins, or else the parenthesis ends that it stands in. */
function rowsCounted(text: string, from: number, end: number): number {
  limitOfSort.lastIndex = end;
  const { take, isPassing, kept } = limitOfSort.exec(text)?.groups ?? {};
  if (take === undefined || (isPassing && !kept)) return rowsOfSort;
  const rows = Number(kept ?? take);
  if (rows <= fewRows) return 0;
  return orderOfIds.test(text.slice(from, end).trim()) ? Math.min(rowsOfSort, rows) : rowsOfSort;
}

const limitOfSort = /limit (?<take>\d+)\b(?<isPassing>\s+offset \$\d+::bigint(?: \/\* (?<kept>\d+) rows \*\/)?)?/y;
const orderOfIds = /^"\w+"\."id"(?: desc)?$/;

/**
 * Planning takes the tables of a view, as often as that is spelled (`test/sql/views.spec.ts`); where it has all columns
 * of a wide one, as much as one more.
 */
export const tablesOfViews: Readonly<Record<string, number>> = {
  assigned_effort: 3,
  inbound_assignable: 3,
  outbound_assignable: 3,
  project_allocation: 6,
};

/** Too short to hold more than is allowed. */
const alwaysCheap = 4 * 1024;

type Spelled = Pick<Statement, 'text'>;

/**
 * The statement itself. `first` is what the first page would take where this one passes over rows: links lead from page
 * to page, so all are allowed or none. Errors: 400 that says of what it has too much.
 */
export function affordable<S extends Spelled>(statement: S, first?: () => Spelled): S {
  let excess = excessOf(statement);
  if (excess && first) excess = excessOf(first());
  if (excess) throw excess;
  return statement;
}

function excessOf({ text }: Spelled): ApiError | undefined {
  if (text.length <= alwaysCheap) return undefined;
  const cost = costOf(text);
  const what = (['tables', 'selects', 'deep', 'sorts', 'bytes'] as const).find((one) => cost[one] > costLimits[one]);
  return what && tooCostly(what, Math.ceil(cost[what]), costLimits[what]);
}

const costs = {
  tables: 'tables',
  selects: 'look-ups',
  deep: 'look-ups behind four references',
  sorts: 'sorts',
  bytes: 'bytes of SQL',
};

/** What the request would be turned into, and how much of that is allowed. */
const tooCostly = (what: keyof typeof costs, amount: number, limit: number): ApiError =>
  badRequest(
    `The request asks for too much at once: it would take ${amount} ${costs[what]}, and at most ${limit} are allowed. Ask for fewer fields, references or conditions, or in several requests.`,
    'TooMuch',
  );

/** Bytes that the plan of a statement takes in each connection that keeps it. */
export const planBytes = (text: string): number => 60 * text.length + 24 * 1024 * costOf(text).tables;
