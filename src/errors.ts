/**
 * Every message the API can answer with. A stage throws one of these; `http/error.filter.ts` spells it in the format
 * asked for. Messages use the client's words and say what would have worked; they never hold SQL, paths or secrets.
 */
import { type CodeOf, codeOfReason, type ErrorCode, type StatusWord, statusCodes, statusOf } from './error-codes.js';
import type { RefusalReason } from './runtime/refusal-reasons.js';
import { type Phrase, phrased } from './texts/phrase.js';
import { cut, short } from './texts/quoted-text.js';

/** An answer that is not a success: a status, a message in the client's words and, rarely, headers. */
export class ApiError extends Error {
  readonly status: StatusWord;
  readonly httpStatus: number;
  /** The message once more, as far as its parts have names. */
  readonly phrase: Phrase;

  constructor(
    readonly code: ErrorCode,
    message: string | Phrase,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly reason?: RefusalReason,
  ) {
    super(short(typeof message === 'string' ? message : phrased(message)));
    this.phrase = typeof message === 'string' ? { token: this.message, parts: {} } : message;
    this.name = 'ApiError';
    this.status = statusOf(code);
    this.httpStatus = statusCodes[this.status];
  }
}

/** With the code of its status where no other is given. */
const refusal =
  <S extends StatusWord>(status: S) =>
  (message: string | Phrase, code: CodeOf<S> = status): ApiError =>
    new ApiError(code, message);
export const badRequest = refusal('BadRequest');
export const forbidden = refusal('Forbidden');
export const conflict = refusal('Conflict');
export const preconditionFailed = refusal('PreconditionFailed');

// --- query text ------------------------------------------------------------------------------------------------------

/** Text that is not well formed. `position` counts characters from 0 in the parameter's decoded value. */
export const malformed = (parameter: string, position: number, expected: string, actual: string): ApiError =>
  badRequest(
    `Error during parameters parsing. ${parameter}: expected ${expected} at ${position}, found ${actual === '' ? 'the end' : `"${cut(actual)}"`}.`,
    'MalformedQuery',
  );

export const tooMuch = (parameter: string, what: string, limit: number): ApiError =>
  badRequest(`${parameter}: ${what}; at most ${limit} are allowed.`, 'TooMuch');

export const notWholeNumber = (parameter: string, input: string): ApiError =>
  badRequest(`${parameter}: '${cut(input)}' is not a whole number of 0 or more.`, 'InvalidParameter');

export const repeatedParameter = (name: string): ApiError =>
  badRequest(`Parameter '${cut(name)}' is given more than once; give it once.`, 'InvalidParameter');

export const arrayParameter = (name: string): ApiError =>
  badRequest(`Parameter '${cut(name)}' is written as an array; write its plain name once.`, 'InvalidParameter');

export const badListName = (name: string): ApiError =>
  badRequest(
    `Parameter '${cut(name)}' is a list of ids; write ${cut(name)}=1,2 or ${cut(name)}[]=1&${cut(name)}[]=2.`,
    'InvalidParameter',
  );

export const missingParameter = (name: string): ApiError =>
  badRequest(`Parameter '${name}' is needed.`, 'InvalidParameter');

export const misspeltParameter = (name: string, suggestion?: string): ApiError =>
  badRequest(
    `Unknown parameter '${cut(name)}'.${suggestion ? ` Did you mean '${suggestion}'?` : ''}`,
    'UnknownParameter',
  );

export const badEncoding = (): ApiError =>
  badRequest('The query text is not valid percent-encoded UTF-8.', 'MalformedQuery');

export const nulCharacter = (where: string): ApiError =>
  badRequest(`${where}: the character NUL is not allowed.`, 'MalformedQuery');

export const unknownAcid = (): ApiError =>
  badRequest("acid: no such context was given to you; ask for one at '/api/v1/Context'.", 'InvalidParameter');

export const queryTooLong = (limit: number): ApiError =>
  new ApiError('UriTooLong', `The query text is longer than ${limit} bytes.`);

export const unknownFormat = (input: string): ApiError =>
  badRequest(
    `Unknown format '${cut(input)}'. Known formats: xml, json; of lists also csv, ndjson.`,
    'InvalidParameter',
  );

export const includeWithExclude = (): ApiError =>
  badRequest('include and exclude cannot be used in one request. Use either of them.', 'InvalidParameter');

// --- names and values ------------------------------------------------------------------------------------------------

export const unknownField = (resource: string, input: string, near?: string): ApiError =>
  noProperty('', resource, input, near);

const noProperty = (before: string, type: string, input: string, near?: string): ApiError => {
  const token = `${before}Property '{property}' does not exist in '{type}'.`;
  const parts = { property: cut(input), type };
  const phrase = near
    ? { token: `${token} Did you mean '{suggestion}'?`, parts: { ...parts, suggestion: near } }
    : { token, parts };
  return badRequest(phrase, 'UnknownField');
};

export const noCollection = (resource: string, name: string): ApiError =>
  badRequest(`'${name}' of '${resource}' is no collection: it comes with the entity, by include.`, 'UnusableField');

export const invalidInclude = (input: string, resource: string, near?: string): ApiError =>
  noProperty("Invalid include field '{property}'. ", resource, input, near);

export const noInnerFields = (input: string, resource: string): ApiError =>
  badRequest(`'${cut(input)}' of '${resource}' is a value and has no inner fields.`, 'UnusableField');

export const collectionInCollection = (outer: string, inner: string, bottomUp: string): ApiError =>
  badRequest(
    `'${outer}[${inner}]' is a collection inside a collection, which one request cannot include. Ask from the bottom to the top, for example ${bottomUp}; or use /api/v2.`,
    'UnusableField',
  );

export const dottedInclude = (input: string, inBrackets: string): ApiError =>
  badRequest(
    `Invalid include field '${cut(input)}'. What to show of an entity stands in brackets: write ${cut(inBrackets)}.`,
    'UnusableField',
  );

export const singleCustomField = (input: string): ApiError =>
  badRequest(
    `'${cut(input)}' cannot be included: custom fields come all together. Write CustomFields, or select single ones with /api/v2.`,
    'UnusableField',
  );

export const nestedCustomFields = (input: string): ApiError =>
  badRequest(
    `'${cut(input)}' cannot be included: custom fields come all together and for the root entity only. Use a separate request, or /api/v2.`,
    'UnusableField',
  );

export const badAggregate = (input: string, why: string): ApiError =>
  badRequest(`Invalid aggregate '${cut(input)}': ${why}.`, 'UnusableField');

export const badLiteral = (field: string, input: string, expected: string): ApiError =>
  badRequest(`${field}: '${cut(input)}' is not ${expected}.`, 'InvalidValue');

export const badOperator = (field: string, operator: string, why: string): ApiError =>
  badRequest(`${field}: '${operator}' cannot be used here, ${why}.`, 'UnusableField');

export const aggregateInWhere = (input: string): ApiError =>
  badRequest(
    `'${cut(input)}' is a computed number and cannot be filtered by in version 1; /api/v2 can.`,
    'UnusableField',
  );

export const collectionInOrder = (input: string): ApiError =>
  badRequest(
    `orderBy: '${cut(input)}' leads through a collection; only values and references can be sorted by.`,
    'UnusableField',
  );

export const notComparable = (input: string): ApiError =>
  badRequest(
    `'${cut(input)}' is an entity; compare one of its fields, for example '${cut(input)}.Id', or use 'is null'.`,
    'UnusableField',
  );

// --- entities --------------------------------------------------------------------------------------------------------

export const invalidId = (input: string): ApiError => badRequest(`Invalid id: ${cut(input)}`, 'InvalidId');

/** `path` names the item of a body that it is about, such as `[3].`. */
export const notFound = (resource: string, id: number | string, path = ''): ApiError =>
  new ApiError('NotFound', {
    token: `${path === '' ? '' : `${path}Id: `}{entityKind} with Id {id} not found or access is forbidden.`,
    parts: { entityKind: resource, id: cut(String(id)) },
  });

/** Of a restore: what is not there and what is not deleted are the same to it. */
export const notDeleted = (resource: string, id: number | string, path = ''): ApiError =>
  new ApiError('NotFound', `${path === '' ? '' : `${path}Id: `}There is no deleted ${resource} with Id ${id}.`);

export interface Named {
  type: string;
  id: number;
  name: string | null;
}

/** What lies in something that is deleted comes back with it, or after it. */
export const ownerIsDeleted = (resource: string, id: number, owner: Named, path = ''): ApiError =>
  new ApiError(
    'Conflict',
    `${path === '' ? '' : `${path}Id: `}${resource} ${id} cannot be restored while ${owner.type} ${owner.id} '${cut(owner.name ?? '')}' is deleted. Restore that first.`,
  );

export const unknownEntityType = (path: string, input: string, near?: string): ApiError =>
  badMember(path, `there is no entity type '${cut(input)}'.${near ? ` Did you mean '${near}'?` : ''}`);

export const notRestorable = (path: string, collection: string): ApiError =>
  badMember(path, `${collection} are deleted for good and cannot be restored.`);

export const uselessParameter = (name: string, suggestion: string): ApiError =>
  badRequest(`Parameter '${name}' means nothing here. This list knows ${suggestion}.`, 'UnknownParameter');

export const unknownRoute = (path: string): ApiError =>
  new ApiError('UnknownAddress', `There is nothing at '${cut(path)}'.${isRoot.test(path) ? whereToStart : ''}`);

/** What people try first who know the address of the service alone. */
const isRoot = /^\/api(\/v[12])?\/?$/i;

const whereToStart =
  " '/api/v1/Index/meta' lists the resources, '/api/openapi.json' the operations, and people read '/api/docs'.";

export const unknownCollection = (input: string, near?: string): ApiError =>
  new ApiError(
    'UnknownResource',
    `Unknown resource '${cut(input)}'. ${near ? `Did you mean '${near}'?` : "'/api/v1/Index/meta' lists them."}`,
  );

export const methodNotAllowed = (method: string, allowed: readonly string[]): ApiError =>
  new ApiError('MethodNotAllowed', `${method} is not allowed here. Allowed: ${allowed.join(', ')}.`, {
    Allow: allowed.join(', '),
  });

// --- bodies ----------------------------------------------------------------------------------------------------------

/** What bodies an address takes. Of JSON and XML the older names are taken as well. */
export const bodyTypes = {
  json: 'application/json',
  xml: 'application/xml',
  form: 'application/x-www-form-urlencoded',
  files: 'multipart/form-data',
} as const;

export type BodyType = keyof typeof bodyTypes;

/** `charset` is the one that the body has. */
export function unsupportedMedia(taken: readonly BodyType[] = ['json', 'xml'], charset = 'utf-8'): ApiError {
  const names = alternatives(taken.map((type) => bodyTypes[type]));
  const older = taken.filter((type) => type === 'json' || type === 'xml').map((type) => `text/${type}`);
  const too = older.length > 0 ? ` (${older.join(' and ')} too)` : '';
  const other = /^utf-?8$/i.test(charset) ? '' : `, not in '${cut(charset)}',`;
  return new ApiError(
    'UnsupportedMediaType',
    `Send ${names}${too}, in ${charsetsOf(taken)}${other} and without compression.`,
  );
}

/** Besides UTF-8. JSON and XML may be in them where both are taken. */
const oneByteCharsets = 'ISO-8859-1 or windows-1252';

function charsetsOf(taken: readonly BodyType[]): string {
  if (!taken.includes('xml')) return 'UTF-8';
  const isOfTextsAlone = taken.every((type) => type === 'json' || type === 'xml');
  return isOfTextsAlone ? `UTF-8, ${oneByteCharsets}` : `UTF-8 (JSON and XML in ${oneByteCharsets}, too)`;
}

const alternatives = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');

export const bodyTooLarge = (limit: number): ApiError =>
  new ApiError('PayloadTooLarge', `The body is larger than ${limit} bytes.`);

export const malformedBody = (format: 'JSON' | 'XML', why: string): ApiError =>
  badRequest(`The body is not well-formed ${format}: ${why}`, 'InvalidBody');

export const notUtf8 = (format: 'JSON' | 'XML'): ApiError => malformedBody(format, 'it is not UTF-8.');

/** Where other charsets are read. */
export const undeclaredCharset = (format: 'JSON' | 'XML'): ApiError =>
  malformedBody(format, `it is not UTF-8; what is in ${oneByteCharsets} names that as charset in its Content-Type.`);

export const unreadCharset = (encoding: string): ApiError =>
  malformedBody('XML', `UTF-8, ${oneByteCharsets} is expected, not '${encoding}'.`);

/** A member of a body that cannot be taken; `path` is the way to it, for example `Project.Id` or `[3].Name`. */
export const badMember = (path: string, why: string): ApiError => badRequest(`${path}: ${why}`, 'InvalidValue');

/** A member of a body that the resource does not have. */
export const unknownMember = (path: string, resource: string, near?: string): ApiError =>
  badRequest(`${path}: '${resource}' has no such field.${near ? ` Did you mean '${near}'?` : ''}`, 'UnknownField');

export const unwritableText = (path: string): ApiError =>
  badMember(path, 'the text holds a character that XML cannot carry.');

export const tooMany = (count: number, limit: number): ApiError =>
  badRequest(`The body lists ${count} entities; at most ${limit} are allowed in one request.`, 'TooMuch');

/** Everything a validator complains about, answered together. */
export const invalidEntity = (complaints: readonly string[]): ApiError =>
  badRequest(complaints.join('\n'), 'InvalidValue');

export const onlyAdministrators = (may: string): ApiError =>
  forbidden(`Only administrators may ${may}.`, 'AdministratorsOnly');

// --- callers ---------------------------------------------------------------------------------------------------------

export const unauthorized = (): ApiError =>
  new ApiError(
    'Unauthorized',
    'Authentication failed: give the login and password of an active user, or a valid token.',
    {
      'WWW-Authenticate': 'Basic realm="Worktrack", charset="UTF-8"',
    },
  );

export const severalCredentials = (): ApiError =>
  badRequest('More than one credential is given and they belong to different users; give one.');

export const severalTokens = (): ApiError => badRequest('More than one access token is given; give one.');
export const readsOnly = (): ApiError => forbidden('This access token may only read.', 'ReadOnlyToken');

export const endsByItself = (): ApiError =>
  forbidden('This access token ends by itself and gives no token that stays. Use another credential.');

/** A write with the cookie of a session that did not come from a page of this service. */
export const foreignOrigin = (): ApiError =>
  forbidden(
    'Writes with a session come from pages of this service only. Elsewhere use a token, or send the header X-Requested-With.',
    'ForeignOrigin',
  );

export const wrongPassword = (): ApiError =>
  forbidden('CurrentPassword: is not the password of this user.', 'WrongPassword');

export const loginFormDisabled = (): ApiError => forbidden('Logging in by password is disabled; use single sign-on.');

export const signOnFailed = (): ApiError =>
  new ApiError('Unauthorized', 'Single sign-on did not work out. Try it once more.');

export const signOnUnavailable = (): ApiError =>
  unavailable('The provider of single sign-on cannot be reached. Try again in a moment.', 10, 'sign_on_provider');

/** The provider knows somebody that this service does not know. */
export const unknownSignOn = (input?: string): ApiError =>
  forbidden(
    input === undefined
      ? 'The provider of single sign-on does not tell who you are here. Ask an administrator.'
      : `No active user here is known as '${cut(input)}'. Ask an administrator.`,
  );

export const unknownLogin = (login: string): ApiError =>
  new ApiError('NotFound', `User with Login '${cut(login)}' not found or access is forbidden.`);

export const tooManyAttempts = (seconds: number): ApiError =>
  tooManyNow('login_locked', 'Too many failed attempts for this login. Try again later.', seconds, 'LoginLocked');

export const tooManyRequests = (seconds: number): ApiError =>
  tooManyNow('rate_limit', 'Too many requests of this user. Slow down.', seconds, 'RateLimited');

export const tooManyNow = (
  reason: RefusalReason,
  message: string,
  retryAfterSeconds: number,
  code: CodeOf<'TooManyRequests'> = 'TooManyRequests',
): ApiError => new ApiError(code, message, { 'Retry-After': String(retryAfterSeconds) }, reason);

// --- the service -----------------------------------------------------------------------------------------------------

export const unavailable = (message: string, retryAfterSeconds = 1, reason?: RefusalReason): ApiError =>
  new ApiError(codeOfReason(reason), message, { 'Retry-After': String(retryAfterSeconds) }, reason);

export const statementTimedOut = (): ApiError =>
  unavailable(
    'The request took too long and was stopped. Ask for less: a narrower filter, fewer fields, a smaller skip. A write may have waited for another one: try again.',
    1,
    'statement_timeout',
  );

/** The store of files cannot be written or read now: the disk is full, or what keeps the bytes is away. */
export class FileStoreError extends Error {
  override readonly name = 'FileStoreError';

  constructor(override readonly cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}

/** What a FileStoreError is answered with. */
export const filesUnavailable = (): ApiError =>
  unavailable('Files cannot be stored or read at the moment. Try again later.', 30, 'files');

export const internalFault = (): ApiError => new ApiError('InternalServerError', "Oops... Something's wrong.");
