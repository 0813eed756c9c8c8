/**
 * Opens one connection to an address of the settings, of several to the one that takes writes, and makes sure, at the
 * start, that it keeps what the service relies on: directly, or through a pooler as a shared one. What is not kept
 * either way is named in one line.
 */
import { DatabaseClient, notKept } from './client.js';
import { LivenessMonitor } from './liveness.js';
import { firesNothing, liftedLimits, type SessionSettings, type WrongSetting, wrongSettings } from './session.js';
import { SharedClient, settingsOfShared } from './shared-client.js';
import { writableAddressOf } from './writable-address.js';

/** The message is one line for the person who starts the service. */
export class UnfitConnectionError extends Error {
  override readonly name = 'UnfitConnectionError';
}

export interface OpenOptions {
  readonly connectionString: string;
  readonly settings: SessionSettings;
  /** Where the address comes from, for the message. */
  readonly variable?: string;
}

export async function openClient(given: OpenOptions): Promise<DatabaseClient> {
  const options = { ...given, connectionString: await writableAddressOf(given.connectionString) };
  try {
    return (await openDirect(options)) ?? (await openShared(options));
  } catch (error) {
    throw unknownZone(error, options.settings) ?? error;
  }
}

/** Node.js has old names of zones that PostgreSQL does not have, such as IST. */
function unknownZone(error: unknown, { TimeZone }: SessionSettings): Error | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === '22023' && /TimeZone/i.test(String(message))
    ? new UnfitConnectionError(
        `TIME_ZONE is '${TimeZone}', which PostgreSQL does not have; an IANA zone such as UTC or Europe/Berlin would work.`,
      )
    : undefined;
}

/** Where connections outside of the pools lead. */
export interface DatabaseAddress {
  readonly databaseUrl: string;
  /** Whether a pooler deals out the connections by transaction. */
  readonly isShared: boolean;
}

const untimed: SessionSettings = { statement_timeout: '0' };

/**
 * A connection for statements that may not be in a transaction. Behind a pooler it is without settings of its own:
 * those of a session would be left to others, and those of a transaction need one.
 */
export async function openOutsideTransactions({ databaseUrl, isShared }: DatabaseAddress): Promise<DatabaseClient> {
  const connectionString = await writableAddressOf(databaseUrl);
  const client = new DatabaseClient({ connectionString, settings: isShared ? {} : untimed });
  await client.connect();
  if (!isShared) await client.query(`select ${liftedLimits(untimed)}`);
  return client;
}

/** So long a question may wait for a connection of a pooler. */
const answerMs = 10_000;

/** A connection for questions of single statements, which mean the same whatever its settings are. */
export async function openForQuestions(databaseUrl: string): Promise<DatabaseClient> {
  const monitor = new LivenessMonitor(answerMs);
  const client = new DatabaseClient({ connectionString: await writableAddressOf(databaseUrl), monitor });
  await client.connect();
  return client;
}

export const isShared = (client: DatabaseClient): boolean => client instanceof SharedClient;

/**
 * Undefined: a pooler stands in between, which refuses settings at the start, drops them, or may lend its connections
 * to others.
 */
async function openDirect(options: OpenOptions): Promise<DatabaseClient | undefined> {
  const client = new DatabaseClient(options);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    if (rows[0]!.pid === client.processID && !(await wrongSetting(client, options.settings))) {
      await client.query(`select ${liftedLimits(options.settings)}`);
      return client;
    }
    throw Object.assign(new Error('a pooler is in between'), { code: refused });
  } catch (error) {
    client.terminate('', 'not used');
    if ((error as { code?: unknown }).code !== refused) throw error;
    return undefined;
  }
}

/** As poolers refuse what they do not know: "unsupported startup parameter". */
const refused = '08P01';

async function openShared(options: OpenOptions): Promise<DatabaseClient> {
  const client = new SharedClient(options);
  try {
    await client.connect();
    await mustFit(client, options);
    return client;
  } catch (error) {
    client.terminate('', 'not used');
    throw error;
  }
}

async function mustFit(client: SharedClient, { settings, variable }: OpenOptions): Promise<void> {
  // A single statement tells what its settings fail of; that of a transaction does not.
  await client.query('select');
  await client.query('begin').catch((error: Error) => {
    throw unfit(`the database connection does not keep transactions (${error.message})`, variable);
  });
  const wrong = await wrongSetting(client, settingsOfShared(settings));
  if (wrong?.name === firesNothing.name)
    throw unfit(
      `${wrong.name} is '${wrong.held}', so no trigger fires and no foreign key is checked`,
      variable,
      'Reset it for the role and the database.',
    );
  if (wrong) throw unfit(notKept(wrong), variable);
  await client.query('rollback');
}

const wrongSetting = async (client: DatabaseClient, settings: SessionSettings): Promise<WrongSetting | undefined> => {
  const { text, values } = wrongSettings(settings);
  return (await client.query<WrongSetting>(text, values)).rows[0];
};

/** Whether a named statement is still there when another connection is in a transaction meanwhile. */
export async function keepsNames(options: OpenOptions): Promise<boolean> {
  const named = { name: 'wt_named', text: 'select 1' };
  // A pooler with a single connection has none for the first until the other one is done.
  const settings = { ...options.settings, statement_timeout: '1000' };
  const [first, other] = [await openClient({ ...options, settings }), await openClient({ ...options, settings })];
  try {
    await first.query(named);
    await other.query('begin');
    await other.query('select 1');
    return await first.query(named).then(
      () => true,
      () => false,
    );
  } finally {
    await Promise.all([first.end(), other.end()]);
  }
}

const unfit = (
  what: string,
  variable = 'DATABASE_URL',
  advice = 'Connect to PostgreSQL itself, or through a pooler that keeps it.',
): UnfitConnectionError => new UnfitConnectionError(`${variable} cannot be used: ${what}. ${advice}`);
