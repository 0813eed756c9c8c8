/** Outermost: negotiates the format on the way in; on the way out frames the answer and names its type. */
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { frameJson, frameXml } from '../representation/frame.js';
import { Batch, Deleted, Item, Page } from './answer.js';
import { Document, spellDocument } from './document.js';
import { type Format, negotiable, negotiateFormat } from './format.js';
import { entityTag, isFresh } from './preconditions.js';
import { type ApiRequest, parametersOf } from './request.js';

@Injectable()
export class FormatInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const format = negotiateFormat(negotiable(parametersOf(request), request.headers));
    request.format = format;
    return next.handle().pipe(map((answer) => spell(answer, format, request, http.getResponse<FastifyReply>())));
  }
}

function spell(answer: unknown, format: Format, request: ApiRequest, reply: FastifyReply): unknown {
  const text = textOf(answer, format.name);
  if (text === undefined) return answer;
  if (answer instanceof Item && answer.version !== undefined && isTagged(answer, answer.version, request, reply)) {
    return undefined;
  }
  // Nothing at all has no type either.
  if (text === '') return undefined;
  reply.header('content-type', format.contentType);
  return text;
}

/** Gives the answer its entity tag; true when the client has this answer already and gets no body. */
function isTagged({ text }: Item, version: string, request: ApiRequest, reply: FastifyReply): boolean {
  const tag = entityTag(version, text);
  reply.header('etag', tag);
  if ((request.method !== 'GET' && request.method !== 'HEAD') || !isFresh(request, tag)) return false;
  reply.status(304);
  return true;
}

function textOf(answer: unknown, format: Format['name']): string | undefined {
  if (answer instanceof Item) return answer.text;
  if (answer instanceof Page) {
    return format === 'json' ? frameJson(answer.items, answer) : frameXml(answer.collection, answer.items, answer);
  }
  if (answer instanceof Batch) {
    return format === 'json' ? frameJson(answer.items, {}) : frameXml(answer.collection, answer.items, {});
  }
  if (answer instanceof Deleted) return format === 'json' ? deletedJson(answer) : '';
  return answer instanceof Document ? spellDocument(answer, format) : undefined;
}

function deletedJson({ items, isList }: Deleted): string {
  const told = items.map(({ type, id }) => JSON.stringify({ ResourceType: type, Id: id }));
  return isList ? frameJson(told, {}) : told[0]!;
}
