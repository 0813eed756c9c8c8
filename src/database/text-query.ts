/**
 * A query whose answer is taken as the texts that the database sends. What columns it has is known to whoever asks: the driver
 * neither asks for their description, which comes with each answer anew, nor makes results and events of rows.
 */
import pg from 'pg';

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
export type TextRow = (string | null)[];

class TextQuery extends Query {
  private readonly found: TextRow[] = [];

  /** A text alone is taken as it is; of a configuration the driver makes a copy, property by property. */
  constructor(
    { text, name, values }: pg.QueryConfig,
    private readonly answered: Answered,
  ) {
    super(text);
    this.name = name;
    this.values = values;
  }

  override handleError(error: Error): void {
    this.answered(error, []);
  }

  requiresPreparation(): boolean {
    return true;
  }

  override prepare(connection: pg.Connection): void {
    super.prepare(undescribed(connection));
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.found.push(fields);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.answered(null, this.found);
  }
}

const known = new WeakMap<pg.Connection, pg.Connection>();

/** The same connection, on which nothing is described. */
function undescribed(connection: pg.Connection): pg.Connection {
  const made = known.get(connection) ?? Object.create(connection, { describe: { value: () => undefined } });
  known.set(connection, made);
  return made;
}

export function askForTexts(client: pg.PoolClient, config: pg.QueryConfig): Promise<TextRow[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new TextQuery(config, (error, rows) => {
        if (!error) return resolve(rows);
        // Where it was asked tells more than where the answer was read from the socket.
        Error.captureStackTrace(error);
        reject(error);
      }),
    );
  });
}
