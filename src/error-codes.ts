/**
 * The words that errors carry for programs, in `Code`: they stay when messages change. Each has one status, whose word,
 * in `Status`, is the code where nothing more is known. docs/errors.md lists them; a test compares.
 */
import type { RefusalReason } from './runtime/refusal-reasons.js';

export const statusCodes = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  Conflict: 409,
  PreconditionFailed: 412,
  PayloadTooLarge: 413,
  UriTooLong: 414,
  UnsupportedMediaType: 415,
  RangeNotSatisfiable: 416,
  ExpectationFailed: 417,
  TooManyRequests: 429,
  RequestHeaderFieldsTooLarge: 431,
  InternalServerError: 500,
  ServiceUnavailable: 503,
} as const;
export type StatusWord = keyof typeof statusCodes;

const furtherCodes = {
  MalformedRequest: 'BadRequest',
  MalformedQuery: 'BadRequest',
  UnknownParameter: 'BadRequest',
  InvalidParameter: 'BadRequest',
  UnknownField: 'BadRequest',
  UnusableField: 'BadRequest',
  InvalidExpression: 'BadRequest',
  InvalidValue: 'BadRequest',
  InvalidId: 'BadRequest',
  InvalidBody: 'BadRequest',
  TooMuch: 'BadRequest',
  UnknownResource: 'NotFound',
  UnknownAddress: 'NotFound',
  AdministratorsOnly: 'Forbidden',
  NotPermitted: 'Forbidden',
  ReadOnlyToken: 'Forbidden',
  ForeignOrigin: 'Forbidden',
  WrongPassword: 'Forbidden',
  InUse: 'Forbidden',
  AlreadyExists: 'Conflict',
  RateLimited: 'TooManyRequests',
  LoginLocked: 'TooManyRequests',
  DatabaseUnavailable: 'ServiceUnavailable',
  FilesUnavailable: 'ServiceUnavailable',
  SignOnUnavailable: 'ServiceUnavailable',
  Busy: 'ServiceUnavailable',
  TookTooLong: 'ServiceUnavailable',
  ChangedMeanwhile: 'ServiceUnavailable',
  OutcomeUnknown: 'ServiceUnavailable',
} as const satisfies Record<string, StatusWord>;

type FurtherCode = keyof typeof furtherCodes;

export type ErrorCode = StatusWord | FurtherCode;

/** The codes of one status. */
export type CodeOf<S extends StatusWord> =
  | S
  | { [C in FurtherCode]: (typeof furtherCodes)[C] extends S ? C : never }[FurtherCode];

export const errorCodes: readonly ErrorCode[] = [
  ...(Object.keys(statusCodes) as StatusWord[]),
  ...(Object.keys(furtherCodes) as FurtherCode[]),
];

export const statusOf = (code: ErrorCode): StatusWord =>
  code in furtherCodes ? furtherCodes[code as FurtherCode] : (code as StatusWord);

/** Of 503; 429 has but those that its makers name. */
const codesOfReasons: Partial<Record<RefusalReason, ErrorCode>> = {
  queue: 'Busy',
  bodies: 'Busy',
  answers: 'Busy',
  transfers: 'Busy',
  password_checks: 'Busy',
  sign_on_provider: 'SignOnUnavailable',
  statement_timeout: 'TookTooLong',
  conflict: 'ChangedMeanwhile',
  database: 'DatabaseUnavailable',
  files: 'FilesUnavailable',
};

export const codeOfReason = (reason: RefusalReason | undefined): ErrorCode =>
  (reason && codesOfReasons[reason]) ?? 'ServiceUnavailable';
