/** What keeps the service from starting: in one line where the person who starts it can help it, else with its place. */
import { closeSync, openSync } from 'node:fs';
import { ConfigError } from './config.js';
import { EmbeddedPostgresError } from './database/embedded/failure.js';
import { MigrationError } from './database/migration-error.js';
import { UnfitConnectionError } from './database/open-client.js';

/** The message is one line for the person who starts the service. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export function startFailure(error: unknown): string {
  if (
    [ConfigError, EmbeddedPostgresError, MigrationError, StartError, UnfitConnectionError].some(
      (kind) => error instanceof kind,
    )
  ) {
    return (error as Error).message;
  }
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: string }).code;
  if (/\bE[MN]FILE\b/.test(error.message) || (code === 'ERR_MODULE_NOT_FOUND' && !canOpenMore())) return tooFewFiles;
  if (code === 'EADDRINUSE') return 'The port is in use already; set PORT to another one.';
  if (isUnreachable(code, error)) return `The database of DATABASE_URL cannot be used: ${error.message || code}.`;
  return error.stack ?? error.message;
}

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

const tooFewFiles =
  'Too few files may be open at once: raise the limit, for example with "ulimit -n 4096" or LimitNOFILE of systemd.';

const isUnreachable = (code: string | undefined, { message }: Error): boolean =>
  code === undefined ? /^Connection terminated/.test(message) : unreachable.has(code) || /^(08|57P)/.test(code);

/** The network's codes and PostgreSQL's: no server there, no such login or database, no right, no room. */
const unreachable = new Set([
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
  '53300',
]);
