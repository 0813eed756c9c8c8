/**
 * The interceptors that all routes share, run as one. Nest defers each registered interceptor by promises and
 * Observables of its own; for an answer that the database finished, three of them cost a fifth of the requests a
 * second.
 */
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ending } from '../database/database-error.js';
import { nobodyWaits } from './answer-room.js';
import { FormatInterceptor } from './format.interceptor.js';
import { LoopTurns } from './loop-turns.js';
import { hasOwnQuery } from './own-query.decorator.js';
import { PagingLinksInterceptor } from './paging-links.interceptor.js';
import { PartialResponseInterceptor } from './partial-response.interceptor.js';
import type { ApiRequest } from './request.js';
import type { SharedInterceptor } from './shared-interceptor.js';

/** What is handled, and by whom. */
export interface Handled {
  controller: Type;
  request: ApiRequest;
  reply: FastifyReply;
}

@Injectable()
export class SharedInterceptors implements NestInterceptor {
  /** Outermost first. */
  private readonly inwards: readonly SharedInterceptor[];
  private readonly outwards: readonly SharedInterceptor[];

  constructor(
    format: FormatInterceptor,
    links: PagingLinksInterceptor,
    partial: PartialResponseInterceptor,
    private readonly turns: LoopTurns,
  ) {
    this.inwards = [format, links, partial];
    this.outwards = [partial, links, format];
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const handled = { controller: context.getClass(), request: http.getRequest(), reply: http.getResponse() };
    return from(this.around(handled, () => lastValueFrom(next.handle())));
  }

  /** The same as `intercept`, by a promise. */
  async around({ controller, request, reply }: Handled, handle: () => Promise<unknown>): Promise<unknown> {
    const turn = request.actor && this.turns.take(request.actor.userId);
    if (turn) await turn;
    if (turn && request.hold?.isGone) throw nobodyWaits();
    if (turn && this.turns.isOver) throw ending();
    if (hasOwnQuery(controller)) return handle();
    for (const interceptor of this.inwards) interceptor.enter?.(request);
    return this.leave(await handle(), request, reply);
  }

  private leave(answer: unknown, request: ApiRequest, reply: FastifyReply): unknown {
    let changed = answer;
    for (const interceptor of this.outwards) {
      if (interceptor.leave) changed = interceptor.leave(changed, request, reply);
    }
    return changed;
  }
}
