/** What an error of the database means to a client. Undefined: nothing a client could know, a fault of ours. */
import { ApiError, badRequest, conflict, statementTimedOut, tooManyNow, unavailable } from '../errors.js';

export function databaseError(error: unknown): ApiError | undefined {
  const code =
    (error as { code?: unknown } | null)?.code ?? (error as { driverError?: { code?: unknown } })?.driverError?.code;
  const isOfConnecting = typeof error === 'object' && error !== null && ofConnecting.has(error);
  if (typeof code === 'string')
    return byCode[code] ?? byClass[code.slice(0, 2)] ?? (isOfConnecting ? away() : byNetwork[code]);
  return isOfConnecting || isCutOff(error) || isTimedOut(error) ? away() : undefined;
}

const ofConnecting = new WeakSet<object>();

/**
 * No connection was made: the database is away, whatever the server, TLS or the network says, such as that the database
 * takes no connections or that a certificate has expired.
 */
export function noteFailedConnecting(error: unknown): void {
  if (typeof error === 'object' && error !== null) ofConnecting.add(error);
}

/**
 * The connection was lost under a statement, or the service has ended all, as for a client that has left. A protocol
 * violation (08P01) is something else: nobody knows what it stopped.
 */
export function isCutOff(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return code.startsWith('57P') || code === 'ECONNRESET' || code === 'EPIPE';
  return /Connection terminated|Client was closed|not queryable|after calling end on the pool/i.test(String(message));
}

/** Nothing came from the server for so long that the driver gave up. */
export function isTimedOut(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === 'ETIMEDOUT' || /timeout exceeded when trying to connect|query read timeout/i.test(String(message));
}

/** Without `Retry-After`: programs that follow it would store the same twice. */
export const outcomeUnknown = (): ApiError => new OutcomeUnknown();

/** It may be stored, or not. */
export class OutcomeUnknown extends ApiError {
  constructor() {
    super('OutcomeUnknown', outcomeUnknownMessage, {}, 'database');
  }
}

const outcomeUnknownMessage =
  'The connection to the database broke while this was being stored. Whether it is stored is unknown: look before you send it once more. What is sent with an Idempotency-Key may be repeated with the same key and is stored once.';

const itemTooLong = (): ApiError =>
  badRequest(
    'An item of the answer has longer texts or collections than can be put together. Ask for fewer items of collections by innerTake, or for fewer fields by include.',
    'TooMuch',
  );

const away = (): ApiError => unavailable('The database cannot be reached at the moment. Try again.', 1, 'database');

/** What the functions of the migrations fail with: an item is longer than one may be. */
export const tooLongCode = 'WT001';
export const busy = (): ApiError =>
  unavailable('The service is busy: too many requests are under way. Try again in a moment.', 1, 'queue');

/** Of what waits when the service ends. */
export const ending = (): ApiError => unavailable('The service ends. Send the request again in a moment.', 1, 'queue');

const crowdedByOwner = (): ApiError =>
  tooManyNow(
    'user_queue',
    'Too many requests of this user wait for their turn. Send fewer at once, or try again in a moment.',
    1,
  );

/** Of too many that wait: one user's, or all together; or where nobody may wait any more. */
export const crowded = (whose: 'owner' | 'all' | 'end'): ApiError =>
  ({ owner: crowdedByOwner, all: busy, end: ending })[whose]();

/** SQLSTATE codes; the message never repeats the database's own, which names tables. */
const byCode: Readonly<Record<string, ApiError | undefined>> = {
  '57014': statementTimedOut(),
  [tooLongCode]: itemTooLong(),
  '23505': conflict('Another request made the same entity at the same moment, or it exists already.', 'AlreadyExists'),
  '23503': badRequest(
    'The request refers to an entity that does not exist, or that is still referred to.',
    'InvalidValue',
  ),
  '23514': badRequest('The values do not fit together.', 'InvalidValue'),
  '23502': badRequest('A required value is missing.', 'InvalidValue'),
  '22003': badRequest('A number is out of range.', 'InvalidValue'),
  '22P05': badRequest('A text holds a character that cannot be stored.', 'InvalidValue'),
  '22021': badRequest('A text holds a character that cannot be stored.', 'InvalidValue'),
  '22007': badRequest('A date is not one.', 'InvalidValue'),
  '22008': badRequest('A date is out of range.', 'InvalidValue'),
  '54000': badRequest('The values are together longer than can be stored.', 'TooMuch'),
  '53400': badRequest(
    'The request sorts or groups more than the database may keep in files. Ask for less: a narrower filter, or shorter values to sort or group by.',
    'TooMuch',
  ),
  '40001': unavailable('Another request changed the same entities at the same moment. Try again.', 1, 'conflict'),
  '40P01': unavailable('Another request changed the same entities at the same moment. Try again.', 1, 'conflict'),
  '55P03': unavailable('Another request holds the same entities. Try again.', 1, 'conflict'),
  '25006': unavailable('The database takes no writes at the moment. Try again.'),
};

const byClass: Readonly<Record<string, ApiError | undefined>> = {
  '08': away(),
  // What stands between may lose a transaction or a prepared statement.
  '25': unavailable('The database ended the transaction. Try again.'),
  '26': unavailable('The database ended the transaction. Try again.'),
  // Credentials or the database itself are gone.
  '28': away(),
  '3D': away(),
  '53': unavailable('The database is out of resources at the moment. Try again.'),
  '57': away(),
};

const byNetwork: Readonly<Record<string, ApiError | undefined>> = {
  ECONNREFUSED: away(),
  ECONNRESET: away(),
  ETIMEDOUT: away(),
  EPIPE: away(),
  ENOTFOUND: away(),
  EAI_AGAIN: away(),
  ECONNABORTED: away(),
  EHOSTUNREACH: away(),
  ENETUNREACH: away(),
};
