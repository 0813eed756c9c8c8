/**
 * Innermost: parses what part of the data the client asks for - include, exclude, append, and with them where, order and
 * page - and refuses what does not go together. It is performed in SQL: a column that was not asked for is never read.
 */
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Observable } from 'rxjs';
import { parseQuery } from '../query/parse-query.js';
import type { Query } from '../query/query.js';
import { type ApiRequest, parametersOf, rawQuery } from './request.js';

@Injectable()
export class PartialResponseInterceptor implements NestInterceptor {
  /** Queries by their text; the same text always gives the same object, which plans are kept with. */
  private readonly parsed = new LRUCache<string, Query>({ max: 1000 });

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    request.said = this.queryOf(request);
    return next.handle();
  }

  private queryOf(request: ApiRequest): Query {
    const text = withoutCredentials(rawQuery(request));
    const known = this.parsed.get(text);
    if (known) return known;
    const query = parseQuery(parametersOf(request));
    this.parsed.set(text, query);
    return query;
  }
}

const withoutCredentials = (text: string): string =>
  text.includes('oken=') || text.includes('OKEN=') ? text.replace(/(^|&)(access_)?token=[^&]*/gi, '') : text;
