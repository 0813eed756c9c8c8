/** What errors tell of the connection that they came on. */
import { isCutOff } from './database-error.js';

/** Of 08 are what poolers say when they have lost the server. */
export const isConnectionError = (code: string): boolean => code.startsWith('08');

/** As PostgreSQL, and PgBouncer by the name of its setting, refuse a connection beyond the most that there may be. */
export const hasNoRoom = ({ code, message }: { code?: unknown; message?: unknown }): boolean =>
  code === '53300' || /\(max_\w*conn\w*\)/.test(String(message));

/** The connection is lost, and not after a long silence: what changes nothing may be asked again at once. */
export function isBroken(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (isCutOff(error) || (typeof code === 'string' && isConnectionError(code))) && !/timeout/.test(String(error));
}

/** An error with an SQLSTATE that leaves the connection usable. */
export function isStatementError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !isConnectionError(code) && !isCutOff(error);
}
