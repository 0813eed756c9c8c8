/**
 * Innermost: parses what part of the data the client asks for - include, exclude, append, and with them where, order and
 * page - and refuses what does not go together. It is performed in SQL: a column that was not asked for is never read.
 */
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { type ApiRequest, askedOf } from './request.js';

@Injectable()
export class PartialResponseInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    request.said = askedOf(request).said;
    return next.handle();
  }
}
