/** Refusals as responses: one for each status that the service answers, made from the list of these. */
import { type StatusWord, statusCodes } from '../../error-codes.js';
import { errorMembers } from '../../http/error-members.js';
import { type Content, type Examples, type Operation, type Response, refTo, type Schema } from './openapi-types.js';

const descriptions: Record<StatusWord, string> = {
  BadRequest:
    'Text or body that is not well formed, an unknown name, a value of the wrong type, or a reference to nothing.',
  Unauthorized: 'No or bad credentials.',
  Forbidden: 'The caller may see but not do this.',
  NotFound: 'There is no such entity or address, or not for this caller.',
  MethodNotAllowed: 'The address takes other methods, which the header Allow names.',
  RequestTimeout: 'The request did not arrive in time.',
  Conflict: 'Another request made the same thing, or used the idempotency key for something else.',
  PreconditionFailed: 'If-Match names a version that is no longer the one of the entity.',
  PayloadTooLarge: 'The body is too long.',
  UriTooLong: 'The query text is too long.',
  UnsupportedMediaType: 'The body is of a type, charset or compression that is not taken; the message names what is.',
  RangeNotSatisfiable: 'The range of bytes lies behind the end of the file, whose length Content-Range tells.',
  ExpectationFailed: 'Expect asks for something other than 100-continue.',
  TooManyRequests:
    'Too many requests of this user, or a login that is locked. The header Retry-After tells when to come back.',
  RequestHeaderFieldsTooLarge: 'Address and headers together are too long.',
  InternalServerError: 'A fault of the service; its log knows the ErrorId.',
  ServiceUnavailable: 'The database is away or the service is busy; nothing was stored, unless Retry-After is missing.',
};

const words = Object.keys(statusCodes) as StatusWord[];

export const errorSchema: Schema = {
  type: 'object',
  description: 'A refusal, in the format that was asked for.',
  properties: Object.fromEntries(errorMembers.map(({ name, schema }) => [name, schema])),
  required: errorMembers.filter(({ isRequired }) => isRequired).map(({ name }) => name),
};

export const errorDetailSchema: Schema = {
  type: 'object',
  properties: {
    Type: { type: 'string', const: 'Simple' },
    Message: {
      type: 'object',
      properties: {
        Token: { type: 'string', description: 'The message with the names of its parts, as far as they have some.' },
        Data: { type: 'object', additionalProperties: { type: 'string' }, description: 'The parts by their names.' },
        Value: { type: 'string', description: 'The message.' },
      },
      required: ['Token', 'Data', 'Value'],
    },
  },
  required: ['Type', 'Message'],
};

/** By code, for the components of the document. */
export const refusalResponses = (examples: Examples): Record<string, Response> => ({
  ...Object.fromEntries(words.map((word) => [String(statusCodes[word]), refusal(word, examples[word])])),
  refused: {
    description: `Any other refusal: ${seldom.map((word) => `${statusCodes[word]} ${word}`).join(', ')}.`,
    content: errorContent(refTo('schemas', 'Error')),
  },
});

function refusal(word: StatusWord, example: unknown): Response {
  const schema = { ...refTo('schemas', 'Error'), properties: { Status: { const: word } } };
  return {
    description: descriptions[word],
    ...headersOf(word),
    content: errorContent(schema, example),
  };
}

const errorContent = (schema: Schema, example?: unknown): Content => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
  'application/xml': { schema: { ...schema, xml: { name: 'Error' } } },
});

function headersOf(word: StatusWord): Pick<Response, 'headers'> {
  if (word === 'MethodNotAllowed') return { headers: { Allow: refTo('headers', 'Allow') } };
  if (word === 'Unauthorized') return { headers: { 'WWW-Authenticate': refTo('headers', 'Challenge') } };
  return word === 'TooManyRequests' || word === 'ServiceUnavailable'
    ? { headers: { 'Retry-After': refTo('headers', 'RetryAfter') } }
    : {};
}

/** Refusals that any request may meet. */
const common: readonly StatusWord[] = [
  'BadRequest',
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'TooManyRequests',
  'ServiceUnavailable',
];

const writing: readonly StatusWord[] = [
  ...common,
  'Conflict',
  'PreconditionFailed',
  'PayloadTooLarge',
  'UnsupportedMediaType',
];

/** Operations do not list these one by one. */
const seldom = words.filter((word) => !writing.includes(word));

const responsesOf = (refused: readonly StatusWord[]): Operation['responses'] => ({
  ...Object.fromEntries(
    refused.map((word) => [String(statusCodes[word]), refTo('responses', String(statusCodes[word]))]),
  ),
  default: refTo('responses', 'refused'),
});

/** Shared by operations. */
export const readRefusals = responsesOf(common);
export const writeRefusals = responsesOf(writing);
