/**
 * What keeps the service from starting: in one line where the person who starts it can help it, else with its place.
 */
import { closeSync, openSync } from 'node:fs';
import { type Config, ConfigError } from '../config/config.js';
import { codeOf, EmbeddedPostgresError } from '../database/embedded/failure.js';
import { MigrationError, UnfitDatabaseError } from '../database/migration-error.js';
import { UnfitConnectionError } from '../database/open-client.js';
import { ApiError } from '../errors.js';
import { tooFewFiles } from '../runtime/open-files.js';

/** The message is one line for the person who starts the service. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export const startFailure = (error: unknown): string =>
  helpfulLine(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** A command ends with one line, also where nobody has thought of its failure. */
export function commandFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (helpfulLine(error) ?? `The command failed: ${message.replace(/\.?$/, '.')}`).split('\n')[0]!;
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
function helpfulLine(error: unknown, variable: DatabaseVariable = 'DATABASE_URL'): string | undefined {
  if (isReadOnly(error)) return readOnly(variable);
  if (isWorded(error)) return error.message;
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  if (/\bE[MN]FILE\b/.test(error.message) || (code === 'ERR_MODULE_NOT_FOUND' && !canOpenMore())) return tooFewFiles;
  if (code === 'EADDRINUSE') return portInUse(error, 'PORT');
  if (isUnreachable(code, error))
    return `The database of ${variable} cannot be used: ${error.message.replace(/\.$/, '') || code}.`;
  return undefined;
}

type DatabaseVariable = 'DATABASE_URL' | 'MIGRATE_DATABASE_URL';

const readOnly = (variable: DatabaseVariable): string =>
  `The database of ${variable} takes no writes: it is a replica, or read-only. Set ${variable} to the one that does.`;

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

/** For `catch`: what an embedded database refuses is reported with its directory. */
export const embeddedRefused =
  (dataDir: string) =>
  (error: unknown): never => {
    if (!(error instanceof Error && isUnreachable(codeOf(error), error))) throw error;
    throw new StartError(`The embedded database in DATA_DIR (${dataDir}) cannot be used: ${error.message}.`);
  };

/** For `catch`: what a server of your own refuses is reported with the variable that names it to what migrates. */
export const refusedByServer =
  ({ migrateDatabaseUrl }: Pick<Config, 'migrateDatabaseUrl'>) =>
  (error: unknown): never => {
    const line = migrateDatabaseUrl && helpfulLine(error, 'MIGRATE_DATABASE_URL');
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
  isOfConnecting(error) || isUnreachableBy(code, error);

const isUnreachableBy = (code: string | undefined, { message }: Error): boolean =>
  code === undefined
    ? /^Connection terminated|does not support SSL|\bssl(?:mode|negotiation)=/.test(message)
    : unreachable.has(code) || /^(08|53|57P|58)|^XX00[12]|^ERR_(OSSL|SSL|TLS)_|CERT|^UNABLE_TO_/.test(code);

/** Codes of the network and PostgreSQL: no such port, no server there, no such login or database, no right, no room. */
const unreachable = new Set([
  'ERR_SOCKET_BAD_PORT',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ECONNRESET',
  'EHOSTUNREACH',
  '28000',
  '28P01',
  '3D000',
  '42501',
  '55000',
]);
