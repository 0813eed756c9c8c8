/** Outermost: negotiates the format on the way in; on the way out frames the answer and names its type. */
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { release, type Text } from '../bytes/text-bytes.js';
import { charsetNamed } from '../command/charset.js';
import { unsupportedMedia } from '../errors.js';
import { csvRows } from '../representation/csv.js';
import { type Frame, frameJson, jsonFrame, xmlFrame } from '../representation/frame.js';
import { Batch, Deleted, Item, Page } from './answer.js';
import { bodyOf } from './answer-body.js';
import { unreadable } from './body-parsers.js';
import { Document, spellDocument } from './document.js';
import { charsetIn, type Format, negotiable, negotiateFormat, tableHeaders } from './format.js';
import { entityTag, isFresh } from './preconditions.js';
import { type ApiRequest, parametersOf, parsedQueryOf } from './request.js';
import { routeFacts } from './route-facts.js';
import type { SharedInterceptor } from './shared-interceptor.js';
import { tableOf } from './table.js';
import { streamed } from './whole-list.js';

@Injectable()
export class FormatInterceptor implements SharedInterceptor {
  enter(request: ApiRequest): void {
    request.format = negotiateFormat(negotiable(parametersOf(request), request));
    if (request.body === unreadable) {
      const { bodies } = routeFacts(request);
      const charset = charsetIn(request.headers['content-type']) ?? 'utf-8';
      throw unsupportedMedia(bodies, charsetNamed(charset) && !bodies?.includes('form') ? undefined : charset);
    }
  }

  leave(answer: unknown, request: ApiRequest, reply: FastifyReply): unknown {
    return spell(answer, request.format!, request, reply);
  }
}

function spell(answer: unknown, format: Format, request: ApiRequest, reply: FastifyReply): unknown {
  const warnings = warningsOf(answer, request);
  if (warnings.length > 0) reply.header('warning', warnings.join(', '));
  if (answer instanceof Page && answer.rest) return streamed(answer, request, reply);
  if (answer instanceof Page && answer.columns) {
    const { columns, items, collection } = answer;
    return tableOf(items, (lines) => csvRows(columns, lines.drain()), reply.headers(tableHeaders(collection, answer)));
  }
  if (answer instanceof Page) {
    reply.header('content-type', format.contentType);
    return bodyOf(reply, framed(answer, format.name));
  }
  const texts = textsOf(answer, format.name);
  if (texts === undefined) return answer;
  if (answer instanceof Item && answer.version !== undefined && isTagged(answer, answer.version, request, reply)) {
    release(answer.text);
    return undefined;
  }
  // Nothing at all has no type either.
  if (texts[0] === '') return undefined;
  reply.header('content-type', format.contentType);
  return bodyOf(reply, texts);
}

function warningsOf(answer: unknown, request: ApiRequest): string[] {
  if (!(answer instanceof Item || answer instanceof Batch || answer instanceof Page)) return [];
  return [answer.warning, parsedQueryOf(request).warning].filter((warning) => warning !== undefined);
}

/** A page or a batch. */
type Framed = Pick<Page, 'collection' | 'items' | 'next' | 'prev'>;

function framed({ collection, items, next, prev }: Framed, format: Format['name']): Text[] {
  const links = { next, prev };
  return within(format === 'json' ? jsonFrame(links) : xmlFrame(collection, items.length === 0, links), items);
}

/** The texts of a whole answer, in order. */
function within({ head, separator, tail }: Frame, items: readonly Text[]): Text[] {
  const [only = ''] = items;
  if (items.length <= 1 && typeof only === 'string') return [head + only + tail];
  return [...items.flatMap((item, at) => [at === 0 ? head : separator, item]), tail];
}

/** Gives the answer its entity tag; true when the client has this answer already and gets no body. */
function isTagged({ text }: Item, version: string, request: ApiRequest, reply: FastifyReply): boolean {
  const tag = entityTag(version, text, request.format!.contentType);
  reply.header('etag', tag);
  if ((request.method !== 'GET' && request.method !== 'HEAD') || !isFresh(request, tag)) return false;
  reply.status(304);
  return true;
}

function textsOf(answer: unknown, format: Format['name']): readonly Text[] | undefined {
  if (answer instanceof Item) return [answer.text];
  if (answer instanceof Batch) return framed(answer, format);
  if (answer instanceof Deleted) return [format === 'json' ? deletedJson(answer) : ''];
  return answer instanceof Document ? [spellDocument(answer, format)] : undefined;
}

function deletedJson({ items, isList }: Deleted): string {
  const spelled = items.map(({ type, id }) => JSON.stringify({ ResourceType: type, Id: id }));
  return isList ? frameJson(spelled.join(','), {}) : spelled[0]!;
}
