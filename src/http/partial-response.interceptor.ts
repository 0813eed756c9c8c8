/**
 * Innermost: parses what part of the data the client asks for - include, exclude, append, and with them where, order
 * and page - and refuses what does not go together. It is performed in SQL: a column that was not asked for is never
 * read.
 */
import { Injectable } from '@nestjs/common';
import { type ApiRequest, parsedQueryOf } from './request.js';
import type { SharedInterceptor } from './shared-interceptor.js';

@Injectable()
export class PartialResponseInterceptor implements SharedInterceptor {
  enter(request: ApiRequest): void {
    request.parsedQuery = parsedQueryOf(request).query;
  }
}
