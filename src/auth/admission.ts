/**
 * Lets a request in: finds its caller, leaves him on the request, and refuses what he may not ask whatever he asks for.
 * That is before its body is read, where it has one: nobody fills the memory of the service without a good credential.
 * The short form of a GET alone, which may hold the credential, is read before.
 */
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../actor.js';
import { readsOnly, unauthorized } from '../errors.js';
import type { ApiRequest, Readmission } from '../http/request.js';
import { routeFacts, routeOf } from '../http/route-facts.js';
import { Authenticator } from './authenticator.js';
import { RateLimit } from './rate-limit.js';
import { isSafe } from './same-origin.js';

@Injectable()
export class Admission implements Readmission {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly rate: RateLimit,
  ) {}

  /** Then only the form of a GET can hold a credential. */
  hasNoCredential(request: ApiRequest): boolean {
    return this.authenticator.hasNoCredential(request);
  }

  /** Synchronous where the credential was checked a moment ago. Errors: 400, 401, 403, 429, 503. */
  admit(request: ApiRequest, reply: FastifyReply): void | Promise<void> {
    if (isAdmitted(request)) return undefined;
    request.isReading = isSafe(request.method) || routeFacts(request).isReading === true;
    const recalled = this.authenticator.recall(request);
    if (recalled) return this.enter(recalled, request, reply);
    return this.authenticator.authenticate(request).then((actor) => this.enter(actor, request, reply));
  }

  /**
   * The credentials must still be good, and of the same user; from here on the request has the rights of this moment.
   */
  again(request: ApiRequest): void | Promise<void> {
    const recalled = this.authenticator.recall(request);
    if (recalled) return renew(request, recalled);
    return this.authenticator.authenticate(request).then((actor) => renew(request, actor));
  }

  private enter(actor: Actor, request: ApiRequest, reply: FastifyReply): void {
    request.actor = actor;
    request.admission = this;
    if (request.hold) request.hold.owner = actor.userId;
    this.rate.count(actor.userId, reply);
    mayAsk(request);
  }
}

function renew(request: ApiRequest, actor: Actor): void {
  if (actor.userId !== request.actor.userId) throw unauthorized();
  request.actor = actor;
  mayAsk(request);
}

function mayAsk(request: ApiRequest): void {
  const { actor, isReading } = request;
  if (actor.isReadOnly && !isReading && !endsItself(request)) throw readsOnly();
}

/** Whoever holds a token may end it, whatever else it allows. */
function endsItself(request: ApiRequest): boolean {
  if (request.method !== 'DELETE' || routeOf(request) !== '/api/v1/AccessTokens/:id') return false;
  return (request.params as { id: string }).id === String(request.actor.accessTokenId);
}

const isAdmitted = ({ actor }: Partial<ApiRequest>): boolean => actor !== undefined;
