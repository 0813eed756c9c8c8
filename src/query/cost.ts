/**
 * What a statement costs the database before it reads a row: planning it, and keeping its plan. Both grow with the
 * tables it names and with its text; how much was measured (docs/reliability.md).
 */
import { type ApiError, badRequest } from '../errors.js';
import type { Statement } from '../sql.js';

export interface Cost {
  /** Table references, each as often as it is spelled. */
  tables: number;
  /** Sub-selects. */
  selects: number;
  /** Bytes of SQL. */
  bytes: number;
}

/**
 * Planning takes at most 250 ms and 100 MB of a backend's own memory for whatever stays below (docs/reliability.md).
 */
export const costLimits: Cost = { tables: 250, selects: 300, bytes: 192 * 1024 };

/** Our statements quote every table, and values of clients are bound. */
const costOf = (text: string): Cost => ({
  tables: count(text, /\b(?:from|join) "/g),
  selects: count(text, /\(\s*select\b/g),
  bytes: text.length,
});

const count = (text: string, form: RegExp): number => text.match(form)?.length ?? 0;

/** Too short to hold more than is allowed. */
const alwaysCheap = 8 * 1024;

type Spelled = Pick<Statement, 'text'>;

/**
 * The statement itself. `first` is what the first page would take where this one passes over rows: links lead from page
 * to page, so all are allowed or none. Errors: 400 that says of what it has too much.
 */
export function affordable<S extends Spelled>(statement: S, first?: () => Spelled): S {
  const excess = excessOf(statement) && excessOf(first?.() ?? statement);
  if (excess) throw excess;
  return statement;
}

function excessOf({ text }: Spelled): ApiError | undefined {
  if (text.length <= alwaysCheap) return undefined;
  const cost = costOf(text);
  const what = (['tables', 'selects', 'bytes'] as const).find((one) => cost[one] > costLimits[one]);
  return what && tooCostly(what, cost[what], costLimits[what]);
}

const costs = { tables: 'tables', selects: 'look-ups', bytes: 'bytes of SQL' };

/** What the request would be turned into, and how much of that is allowed. */
const tooCostly = (what: keyof typeof costs, amount: number, limit: number): ApiError =>
  badRequest(
    `The request asks for too much at once: it would take ${amount} ${costs[what]}, and at most ${limit} are allowed. Ask for fewer fields, references or conditions, or in several requests.`,
    'TooMuch',
  );

/** Bytes that the plan of a statement takes in each connection that keeps it. */
export const planBytes = (text: string): number => 60 * text.length + 24 * 1024 * costOf(text).tables;
