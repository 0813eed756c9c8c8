/**
 * What keeps the service from starting: in one line where the person who starts it can help it, else with its place.
 */
import { closeSync, openSync } from 'node:fs';
import { type Config, ConfigError } from '../config/config.js';
import { isCutOff, isTimedOut } from '../database/database-error.js';
import { codeOf, EmbeddedPostgresError } from '../database/embedded/failure.js';
import { MigrationError, UnfitDatabaseError } from '../database/migration-error.js';
import { UnfitConnectionError } from '../database/open-client.js';
import { ApiError } from '../errors.js';
import { tooFewFiles } from '../runtime/open-files.js';

/** The message is one line for the person who starts the service. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** What failed has left nothing behind, which is said after why it failed. */
export class UndoneError extends Error {
  override readonly name = 'UndoneError';

  constructor(
    readonly outcome: string,
    override readonly cause: unknown,
  ) {
    super(`${cause instanceof Error ? cause.message : cause} ${outcome}`);
  }
}

export const startFailure = (error: unknown): string =>
  helpfulLine(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** A command ends with one line, also where nobody has thought of its failure. */
export function commandFailure(error: unknown, database?: Database): string {
  const message = error instanceof Error ? error.message : String(error);
  return (helpfulLine(error, database) ?? `The command failed: ${message.replace(/\.?$/, '.')}`).split('\n')[0]!;
}

/** In words that hold no secret. */
const isWorded = (error: unknown): error is Error =>
  [
    ApiError,
    ConfigError,
    EmbeddedPostgresError,
    MigrationError,
    StartError,
    UnfitConnectionError,
    UnfitDatabaseError,
  ].some((kind) => error instanceof kind);

/** Undefined: nothing that the person who starts it could know. */
function helpfulLine(error: unknown, database: Database = databaseOf('DATABASE_URL')): string | undefined {
  if (error instanceof UndoneError) return `${commandFailure(error.cause, database)} ${error.outcome}`;
  if (isReadOnly(error)) return `${database.name} takes no writes: it is a replica, or read-only.${database.advice}`;
  if (isWorded(error)) return error.message;
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  if (/\bE[MN]FILE\b/.test(error.message) || (code === 'ERR_MODULE_NOT_FOUND' && !canOpenMore())) return tooFewFiles;
  if (code === 'EADDRINUSE') return portInUse(error, 'PORT');
  if (isUnreachable(code, error)) return `${database.name} cannot be used: ${reasonOf(error, database)}.`;
  return undefined;
}

/** As lines name it. */
interface Database {
  readonly name: string;
  /** Where it takes no writes. */
  readonly advice: string;
  /** Where to look when it has ended the connection without a word. */
  readonly log: string;
}

const databaseOf = (variable: 'DATABASE_URL' | 'MIGRATE_DATABASE_URL'): Database => ({
  name: `The database of ${variable}`,
  advice: ` Set ${variable} to the one that does.`,
  log: 'its log',
});

const embeddedIn = (dataDir: string): Database => ({
  name: `The embedded database in DATA_DIR (${dataDir})`,
  advice: '',
  log: 'postgres.log there',
});

/** What the driver says of a connection that broke says nothing to whoever starts the service. */
const reasonOf = (error: Error, { log }: Database): string =>
  /^Connection terminated unexpectedly|not queryable|^(read|write) (ECONNRESET|EPIPE)/.test(error.message)
    ? `the connection was lost; ${log} may say why`
    : error.message.replace(/\.$/, '') || codeOf(error)!;

interface Wrapped {
  readonly code?: unknown;
  readonly driverError?: unknown;
  readonly cause?: unknown;
}

/** Of the driver, of TypeORM, or of a migration. */
function isReadOnly(error: unknown): boolean {
  const { code, driverError, cause } = (error ?? {}) as Wrapped;
  return code === '25006' || [driverError, cause].some((inner) => inner instanceof Error && isReadOnly(inner));
}

/**
 * For `catch`: what an embedded database refuses is reported with its directory, and why it broke, if it did, in place
 * of what followed from that.
 */
export const embeddedRefused =
  (dataDir: string, whyBroken: () => Error | undefined = () => undefined) =>
  (error: unknown): never => {
    const isUndone = error instanceof UndoneError;
    const broken = whyBroken();
    if (broken) throw isUndone ? new UndoneError(error.outcome, broken) : broken;
    const cause = isUndone ? error.cause : error;
    if (!(cause instanceof Error && isUnreachable(codeOf(cause), cause))) throw error;
    throw new StartError(commandFailure(error, embeddedIn(dataDir)));
  };

/** For `catch`: what a server of your own refuses is reported with the variable that names it to what migrates. */
export const refusedByServer =
  ({ migrateDatabaseUrl }: Pick<Config, 'migrateDatabaseUrl'>) =>
  (error: unknown): never => {
    const line = migrateDatabaseUrl && helpfulLine(error, databaseOf('MIGRATE_DATABASE_URL'));
    throw !line || line === (error as Error).message ? error : new StartError(line);
  };

export type PortVariable = 'PORT' | 'METRICS_PORT';

/** `variable` is the setting that the port is of. */
export const portInUse = (error: Error, variable: PortVariable): string =>
  `The port ${(error as { port?: number }).port} is in use already; set ${variable} to another one.`;

/** Where no file can be opened any more, Node says of a module that is there that it cannot be found. */
function canOpenMore(): boolean {
  const opened: number[] = [];
  try {
    for (let more = 0; more < 32; more++) opened.push(openSync('/dev/null', 'r'));
    return true;
  } catch {
    return false;
  } finally {
    for (const one of opened) closeSync(one);
  }
}

/** Whatever the reason, no connection could be made, also by a Unix socket. */
const isOfConnecting = (error: Error): boolean => (error as NodeJS.ErrnoException).syscall === 'connect';

const isUnreachable = (code: string | undefined, error: Error): boolean =>
  isOfConnecting(error) || isCutOff(error) || isTimedOut(error) || isUnfit(code, error);

const isUnfit = (code: string | undefined, { message }: Error): boolean =>
  code === undefined
    ? /does not support SSL|\bssl(?:mode|negotiation)=/.test(message)
    : unreachable.has(code) || /^(08|53|58)|^XX00[12]|^ERR_(OSSL|SSL|TLS)_|CERT|^UNABLE_TO_/.test(code);

/** Codes of the network and PostgreSQL: no such port, no server there, no such login or database, no right, no room. */
const unreachable = new Set([
  'ERR_SOCKET_BAD_PORT',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  '28000',
  '28P01',
  '3D000',
  '42501',
  '55000',
]);
