/**
 * Who wants to know of each statement that is sent to the database, and of its end. Nobody, as long as traces go
 * nowhere.
 */
import type pg from 'pg';

/** Called when the statement was answered. */
export type StatementEnd = (error?: unknown) => void;

export interface StatementObserver {
  /** Undefined: this one is of no interest. */
  begin(text: string): StatementEnd | undefined;
}

let observer: StatementObserver | undefined;

export function observeStatements(one: StatementObserver | undefined): void {
  observer = one;
}

type SentQuery = string | { text: string; submit?: unknown; handleReadyForQuery?: unknown; handleError?: unknown };
type Callback = (error: unknown, ...rest: unknown[]) => void;

/**
 * Sends a statement as `send` does. The driver answers by a promise, by a callback, or by events of a query that is
 * handed to it.
 */
export function observed<T>(asked: SentQuery, rest: unknown[], send: (rest: unknown[]) => T): T {
  const end = observer?.begin(typeof asked === 'string' ? asked : asked.text);
  if (!end) return send(rest);
  const callback = rest.at(-1);
  if (typeof callback === 'function') return send([...rest.slice(0, -1), endedBy(callback as Callback, end)]);
  if (typeof asked !== 'string' && typeof asked.submit === 'function') endWith(asked as unknown as DriverQuery, end);
  const answer = send(rest);
  if (answer instanceof Promise) answer.then(() => end(), end);
  return answer;
}

const endedBy =
  (callback: Callback, end: StatementEnd): Callback =>
  (error, ...rest) => {
    end(error ?? undefined);
    callback(error, ...rest);
  };

/** What the driver's types leave out. */
interface DriverQuery {
  handleReadyForQuery(connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
}

function endWith(query: DriverQuery, end: StatementEnd): void {
  const { handleReadyForQuery, handleError } = query;
  query.handleReadyForQuery = (connection) => {
    end();
    handleReadyForQuery.call(query, connection);
  };
  query.handleError = (error, connection) => {
    end(error);
    handleError.call(query, error, connection);
  };
}
