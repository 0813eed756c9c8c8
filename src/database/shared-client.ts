/**
 * A connection to a pooler that may lend the connections of PostgreSQL to others, transaction by transaction, and keep
 * no setting from one to the next: each transaction begins with its settings. They travel with its first statement. A
 * single statement is in one group of messages with them, which PostgreSQL runs as a whole or not at all.
 */
import pg from 'pg';
import { type ClientOptions, DatabaseClient } from './client.js';
import { isUntimed, type SessionSettings, untimedTransaction } from './session.js';

/** What the driver's types leave out. */
interface DriverQuery {
  queryMode?: string;
  callback?: (error: Error | null, result: unknown) => void;
  submit(connection: DriverConnection): Error | null;
  handleCommandComplete(...message: unknown[]): void;
}

interface DriverConnection {
  stream: { cork(): void; uncork(): void };
  parse(statement: { text: string }): void;
  bind(portal: object): void;
  execute(portal: object): void;
}

const Query = pg.Query as unknown as new (...asked: unknown[]) => DriverQuery;

const begins = /^\s*(?:begin|start\s+transaction)\b/i;
/** Refused behind any statement that reads. */
const setsLevel = /^\s*set\s+transaction\b/i;
const ends = /^\s*(?:commit|end|abort|rollback(?!\s+to))\b/i;

/** The default of the session comes too late for a transaction that has begun. */
const readCommitted = `set transaction_isolation = 'read committed'`;

export class SharedClient extends DatabaseClient {
  /** `begun`: its settings are still to come. */
  private transaction: 'none' | 'begun' | 'set' = 'none';
  private readonly setting: string;

  constructor(options: ClientOptions) {
    super(options);
    this.setting = settingStatement(settingsOfShared(options.settings ?? {}));
  }

  /** Some poolers refuse what they do not know, others drop it. */
  protected override get startupSettings(): SessionSettings {
    return {};
  }

  override verify(): void {
    // They are set anew all the time.
  }

  override ping(): void {
    // It may wait for a connection of the pooler, which is alive.
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature is a dozen overloads
  override query(asked: any, ...rest: any[]): any {
    const text: string = typeof asked === 'string' ? asked : asked.text;
    const place = this.placeOf(text);
    // Where it fails, so does all behind it.
    if (place === 'first') super.query(this.setting, () => undefined);
    if (place !== 'alone') return super.query(asked, ...rest);
    if (typeof asked.submit === 'function') return super.query(this.withSettings(asked));
    const query = new Query(asked, ...rest);
    // The settings are messages of the extended protocol, which do not mix with the simple one.
    query.queryMode = 'extended';
    if (query.callback) return void super.query(this.withSettings(query) as never);
    return new Promise((resolve, reject) => {
      query.callback = (error, result) => (error ? reject(error) : resolve(result));
      super.query(this.withSettings(query) as never);
    });
  }

  /** In its transaction. */
  private placeOf(text: string): 'alone' | 'first' | 'other' {
    if (text === '') return 'other';
    if (begins.test(text)) this.transaction = 'begun';
    else if (ends.test(text)) this.transaction = 'none';
    else if (this.transaction === 'none') return 'alone';
    else if (this.transaction === 'begun' && !setsLevel.test(text)) {
      this.transaction = 'set';
      return 'first';
    }
    return 'other';
  }

  private withSettings<Q extends DriverQuery>(query: Q): Q {
    const { submit, handleCommandComplete } = query;
    query.submit = (connection) => {
      connection.stream.cork();
      try {
        for (const text of [readCommitted, this.setting]) {
          connection.parse({ text });
          connection.bind({});
          connection.execute({});
        }
        return submit.call(query, connection);
      } finally {
        connection.stream.uncork();
      }
    };
    // The first two are those of the level and the settings; they have no rows.
    query.handleCommandComplete = () => {
      query.handleCommandComplete = () => {
        query.handleCommandComplete = handleCommandComplete;
      };
    };
    return query;
  }
}

/** Without names, a statement is planned for its values each time, which costs nothing more. */
export function settingsOfShared({ plan_cache_mode: _, ...settings }: SessionSettings): SessionSettings {
  return settings;
}

/** One statement without rows that makes all settings until the transaction ends. */
function settingStatement(settings: SessionSettings): string {
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`,
  );
  if (isUntimed(settings)) calls.push(untimedTransaction);
  return `select where concat(${calls.join(', ')}) is null`;
}
