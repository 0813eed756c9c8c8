/** Outermost: negotiates the format on the way in; on the way out frames the answer and names its type. */
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { frameJson, frameXml } from '../representation/frame.js';
import { Item, Page } from './answer.js';
import { Document, spellDocument } from './document.js';
import { type Format, negotiable, negotiateFormat } from './format.js';
import { type ApiRequest, parametersOf } from './request.js';

@Injectable()
export class FormatInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const format = negotiateFormat(negotiable(parametersOf(request), request.headers));
    request.format = format;
    return next.handle().pipe(map((answer) => spell(answer, format, http.getResponse<FastifyReply>())));
  }
}

function spell(answer: unknown, format: Format, reply: FastifyReply): unknown {
  const text = textOf(answer, format.name);
  if (text === undefined) return answer;
  reply.header('content-type', format.contentType);
  return text;
}

function textOf(answer: unknown, format: Format['name']): string | undefined {
  if (answer instanceof Item) return answer.text;
  if (answer instanceof Page) {
    return format === 'json' ? frameJson(answer.items, answer) : frameXml(answer.collection, answer.items, answer);
  }
  return answer instanceof Document ? spellDocument(answer, format) : undefined;
}
