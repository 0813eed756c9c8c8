/**
 * A query whose answer is taken as the texts that the database sends. What columns it has is known to whoever asks: the
 * driver neither asks for their description, which comes with each answer anew, nor makes results and events of rows.
 */
import pg from 'pg';
import { memoryOf } from '../bytes/pooled-bytes.js';
import { bytesOf, release, type Text } from '../bytes/text-bytes.js';
import { type RowTaker, splitterOf } from './row-splitter.js';

/** What the driver's types leave out. In its pipeline it takes no queries but its own and those derived from them. */
interface DriverQuery {
  prepare(connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
}

type Answered = (error: Error | null | undefined, rows: TextRow[]) => void;

const Query = pg.Query as unknown as new (
  text: string,
) => DriverQuery & Pick<pg.QueryConfig, 'name' | 'values'> & pg.Submittable;

/** Columns as they are spelled by the database, such as `t` for true. */
export type TextRow = (Text | null)[];

/** Texts that come. */
export interface Amount {
  readonly bytes: number;
  /** What these take. */
  readonly memory: number;
}

/** Counts the texts of a long answer while they come. */
export interface TextHold {
  /** Nobody waits for the answer. */
  readonly isGone: boolean;
  /** Parts of it may wait though the service ends. */
  isInParts?: boolean;
  /** As the promise, as long as somebody waits for the answer. Errors: 503. */
  whileWanted<T>(promise: Promise<T>): Promise<T>;
  /** Ahead of what may be long: what to wait for, without a connection. */
  enter(): Promise<void> | undefined;
  /** Whether more may come at once; else the query is notified. */
  add(amount: Amount, waiting: { goOn(): void; fail(refusal: Error): void }): boolean;
  /** All of them have come: nobody is notified any more. */
  end(): void;
  /** The texts are gone. */
  leave(): void;
}

/** Bytes that are not worth counting. */
const free = 64 * 1024;

const nothing: Amount = { bytes: 0, memory: 0 };

/** What the driver's types leave out. */
interface DriverClient {
  _getActiveQuery(): unknown;
}

class TextQuery extends Query implements RowTaker {
  private readonly texts: TextRow[] = [];
  private bytes = 0;
  private uncounted = nothing;
  isRefused = false;
  private stream: pg.Connection['stream'] | undefined;

  /** A text alone is taken as it is; of a configuration the driver makes a copy, property by property. */
  constructor(
    { text, name, values }: pg.QueryConfig,
    private readonly client: DriverClient,
    private readonly answered: Answered,
    private readonly hold?: TextHold,
  ) {
    super(text);
    this.name = name;
    this.values = values;
  }

  override handleError(error: Error): void {
    this.hold?.leave();
    this.end(error);
  }

  get isAnswered(): boolean {
    return this.client._getActiveQuery() === this;
  }

  requiresPreparation(): boolean {
    return true;
  }

  override prepare(connection: pg.Connection): void {
    this.stream = connection.stream;
    const splitter = this.hold && splitterOf(this.stream);
    if (splitter) splitter.taker = this;
    super.prepare(undescribed(connection));
  }

  expect(bytes: number): void {
    this.count(bytes, memoryOf(bytes));
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    const [text] = fields;
    if (typeof text === 'string') this.count(bytesOf(text));
    if (this.isRefused) releaseAll([fields]);
    else this.texts.push(fields);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.end(null);
  }

  goOn(): void {
    this.stream?.resume();
  }

  /** What still comes is dropped. */
  fail(refusal: Error): void {
    this.isRefused = true;
    releaseAll(this.texts.splice(0));
    this.stream?.resume();
    this.hold?.leave();
    this.answered(refusal, []);
  }

  private end(error: Error | null): void {
    const splitter = splitterOf(this.stream);
    if (splitter?.taker === this) splitter.taker = undefined;
    if (error) releaseAll(this.texts.splice(0));
    else if (this.bytes > free && !this.isRefused) this.hold?.end();
    // The last row may have found no room.
    this.stream?.resume();
    this.answered(error, this.texts);
  }

  private count(bytes: number, memory = bytes): void {
    this.bytes += bytes;
    this.uncounted = { bytes: this.uncounted.bytes + bytes, memory: this.uncounted.memory + memory };
    if (this.hold && this.bytes > free && !this.isRefused) this.ask(this.hold);
  }

  /** For room for what is not counted yet. */
  private ask(hold: TextHold): void {
    const more = this.uncounted;
    this.uncounted = nothing;
    if (!hold.add(more, this) && !this.isRefused) this.stream?.pause();
  }
}

function releaseAll(rows: TextRow[]): void {
  for (const text of rows.flat()) if (text !== null) release(text);
}

const withoutDescriptions = new WeakMap<pg.Connection, pg.Connection>();

/** The same connection, on which nothing is described. */
function undescribed(connection: pg.Connection): pg.Connection {
  const made =
    withoutDescriptions.get(connection) ?? Object.create(connection, { describe: { value: () => undefined } });
  withoutDescriptions.set(connection, made);
  return made;
}

export function queryTextRows(client: pg.PoolClient, config: pg.QueryConfig, hold?: TextHold): Promise<TextRow[]> {
  return new Promise((resolve, reject) => {
    const answered: Answered = (error, rows) => {
      if (!error) return resolve(rows);
      // Where it was asked tells more than where the answer was read from the socket.
      Error.captureStackTrace(error);
      reject(error);
    };
    client.query(new TextQuery(config, client as unknown as DriverClient, answered, hold));
  });
}
