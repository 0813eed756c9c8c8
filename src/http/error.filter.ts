/** Answers every error in the format the client asked for, in one shape, with an id that the log knows it by. */
import { randomUUID } from 'node:crypto';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { databaseError } from '../database/database-error.js';
import {
  ApiError,
  bodyTooLarge,
  FileStoreError,
  filesUnavailable,
  internalFault,
  methodNotAllowed,
  unknownRoute,
  unsupportedMedia,
} from '../errors.js';
import { legibleParameter, type Parameters } from '../query/parameters.js';
import { escapeXml } from '../representation/xml.js';
import { toXmlText } from '../texts/characters.js';
import { methodsOfPage } from './addresses.js';
import { bytesAllowed } from './body-parsers.js';
import { malformedRequest } from './edge-error-messages.js';
import { errorMembers } from './error-members.js';
import { type Format, formatForError, jsonFormat, negotiable } from './format.js';
import { LOGGER } from './logger.js';
import { Refusals } from './refusals.js';
import { type ApiRequest, parametersOf, rawQuery } from './request.js';
import { routeFacts } from './route-facts.js';
import { ServedNames } from './served-names.js';

@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly refusals: Refusals,
    private readonly served: ServedNames,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const answer = apiError(error, request, this.served);
    const errorId = randomUUID();
    // What the database refused was not foreseen by a rule: worth a look, though the client has its answer.
    if (answer !== error && answer.httpStatus < 500)
      this.logger.debug({ err: error, errorId, requestId: request.id }, 'refused');
    // Who has left is refused nothing.
    if (answer.httpStatus === 503 && request.hold?.isGone) this.logger.debug({ requestId: request.id }, 'client gone');
    else if (answer.httpStatus === 503 || answer.httpStatus === 429)
      this.refusals.note({ answer, error, errorId, requestId: request.id });
    else if (answer.httpStatus >= 500)
      this.logger.error({ err: error, errorId, requestId: request.id }, 'request failed');
    sendError(answer, errorId, request, http.getResponse<FastifyReply>());
  }
}

export function sendError(answer: ApiError, errorId: string, request: ApiRequest, reply: FastifyReply): void {
  const format = formatOf(request) ?? formatForError(negotiable(readableParameters(request), request));
  void reply
    .status(answer.httpStatus)
    .headers(headersOf(answer, request))
    .header('content-type', format.contentType)
    .send(errorText(answer, errorId, format));
}

export const errorText = (answer: ApiError, errorId: string, { name }: Format): string =>
  name === 'json' ? jsonError(answer, errorId) : xmlError(answer, errorId);

/** Version 2 and the tools of agents speak JSON and nothing else. */
const formatOf = ({ format, url }: ApiRequest): Format | undefined =>
  /^\/+(?:api\/+(?:history\/+)?v2|mcp)(?:[/?]|$)/i.test(url) ? jsonFormat : format;

/** A browser would ask for a login itself where a page of ours does that better. */
function headersOf({ httpStatus, headers }: ApiError, request: ApiRequest): Readonly<Record<string, string>> {
  if (httpStatus !== 401 || request.headers['x-requested-with'] === undefined) return headers;
  return { ...headers, 'WWW-Authenticate': 'Session realm="Worktrack"' };
}

function apiError(error: unknown, request: ApiRequest, served: ServedNames): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof FileStoreError) return filesUnavailable();
  return edgeError(error, request, served) ?? databaseError(error) ?? internalFault();
}

/** Errors of Fastify and Nest, by what they mean. */
function edgeError(error: unknown, request: ApiRequest, served: ServedNames): ApiError | undefined {
  const status =
    error instanceof HttpException ? error.getStatus() : (error as { statusCode?: number } | null)?.statusCode;
  switch (status) {
    case 404:
      return nothingAt(request.url.split('?', 1)[0]!, request.method, served);
    case 413:
      return bodyTooLarge(bytesAllowed(request));
    case 415:
      return unsupportedMedia(routeFacts(request).bodies);
    default:
      return status !== undefined && status >= 400 && status < 500 ? malformedRequest() : undefined;
  }
}

function nothingAt(path: string, method: string, served: ServedNames): ApiError {
  const methods = served.has(path) === false ? undefined : methodsOfPage(path, method);
  return methods ? methodNotAllowed(method, methods) : unknownRoute(path);
}

/** The query text may be the very thing that is wrong. */
function readableParameters(request: ApiRequest): Pick<Parameters, 'get'> {
  try {
    return parametersOf(request);
  } catch {
    return { get: (name) => legibleParameter(name, rawQuery(request), request.queryForm ?? '') };
  }
}

const jsonError = (answer: ApiError, errorId: string): string =>
  JSON.stringify(Object.fromEntries(errorMembers.map(({ name, of }) => [name, of(answer, errorId)])));

const xmlError = (answer: ApiError, errorId: string): string =>
  `<Error>\n${errorMembers
    .filter(({ isJsonOnly }) => !isJsonOnly)
    .map(({ name, of }) => `  <${name}>${escapeXml(toXmlText(String(of(answer, errorId))))}</${name}>\n`)
    .join('')}</Error>`;
