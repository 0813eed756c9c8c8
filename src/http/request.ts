/** What the edge knows of a request, worked out once and kept with it. */
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../actor.js';
import type { WalPosition } from '../database/wal-position.js';
import { type Parameters, withForm } from '../query/parameters.js';
import type { Query } from '../query/v1/query.js';
import type { HeldAnswer } from './answer-room.js';
import type { Format } from './format.js';
import { type ParsedQuery, parsedQueryFrom } from './parsed-query.js';
import { routeFacts } from './route-facts.js';

/** Lets a request in once more, with the same credentials. */
export interface Readmission {
  again(request: ApiRequest): void | Promise<void>;
}

export interface ApiRequest extends FastifyRequest {
  actor: Actor;
  /** The credential that admitted the request. */
  admission?: Readmission;
  /** The caller is known by the cookie of a session. */
  isSession?: boolean;
  /** Nothing is written, whatever the method. Set by the guard. */
  isReading?: boolean;
  /** Counts the texts of its answer. */
  hold?: HeldAnswer;
  /** There is an answer, and the client was there to take it. */
  isAnswered?: boolean;
  /** The form in the body of a GET, as it came: parameters as those of the address. */
  queryForm?: string;
  /** Only the form in the body may hold the credential. */
  isNamedByForm?: boolean;
  /** What its body holds until there is an answer. */
  leaving?: (() => void)[];
  /** Of the span of the request, where traces are sent to a collector. */
  traceparent?: string;
  /** Of a write, where in the log of the database it is. */
  writtenAt?: WalPosition;
  /** Set by the interceptors. */
  format?: Format;
  parsedQuery?: Query;
  parsed?: ParsedQuery;
}

/** The part of the address behind the question mark, as it came. */
export function rawQuery(request: Pick<FastifyRequest, 'raw'>): string {
  const url = request.raw.url ?? '';
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** The parameters of the address and, behind them, those that only the form of the body has. */
export const queryText = (request: Pick<ApiRequest, 'raw' | 'queryForm'>): string =>
  request.queryForm ? withForm(rawQuery(request), request.queryForm) : rawQuery(request);

/** Where a credential may stand as a parameter. */
export const credentialText = (request: Pick<ApiRequest, 'raw' | 'queryForm' | 'isNamedByForm'>): string =>
  request.isNamedByForm ? queryText(request) : rawQuery(request);

export function parsedQueryOf(request: ApiRequest): ParsedQuery {
  request.parsed ??= parsedQueryFrom(queryText(request), routeFacts(request).parameters);
  return request.parsed;
}

export const parametersOf = (request: ApiRequest): Parameters => parsedQueryOf(request).parameters;
