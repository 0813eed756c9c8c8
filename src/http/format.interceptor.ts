/** Outermost: negotiates the format on the way in; on the way out frames the answer and names its type. */
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { unsupportedMedia } from '../errors.js';
import { type Frame, frameJson, frameXml, jsonFrame, xmlFrame } from '../representation/frame.js';
import { xmlRepresentation } from '../representation/xml.js';
import { Batch, Deleted, Item, Page } from './answer.js';
import { bufferFor } from './answer-buffers.js';
import { unreadable } from './body-parsers.js';
import { Document, spellDocument } from './document.js';
import { type Format, negotiable, negotiateFormat } from './format.js';
import { entityTag, isFresh } from './preconditions.js';
import { type ApiRequest, parametersOf } from './request.js';
import type { SharedInterceptor } from './shared-interceptors.js';

@Injectable()
export class FormatInterceptor implements SharedInterceptor {
  enter(request: ApiRequest): void {
    request.format = negotiateFormat(negotiable(parametersOf(request), request.headers));
    if (request.body === unreadable) throw unsupportedMedia();
  }

  leave(answer: unknown, request: ApiRequest, reply: FastifyReply): unknown {
    return spell(answer, request.format!, request, reply);
  }
}

function spell(answer: unknown, format: Format, request: ApiRequest, reply: FastifyReply): unknown {
  if (answer instanceof Page) {
    reply.header('content-type', format.contentType);
    return framed(reply, answer, format.name);
  }
  if (isBrief(answer)) reply.header('warning', storedUnread);
  const text = textOf(answer, format.name);
  if (text === undefined) return answer;
  if (answer instanceof Item && answer.version !== undefined && isTagged(answer, answer.version, request, reply)) {
    return undefined;
  }
  // Nothing at all has no type either.
  if (text === '') return undefined;
  reply.header('content-type', format.contentType);
  return sent(text);
}

const isBrief = (answer: unknown): boolean => (answer instanceof Item || answer instanceof Batch) && answer.isBrief;

const storedUnread = '199 worktrack "Stored, but it could not be read: the answer tells kind and id alone."';

/** A string is copied more than once on its way out; of a large one every copy counts. */
const large = 256 * 1024;

const sent = (text: string): string | Buffer => (text.length < large ? text : Buffer.from(text));

function framed(reply: FastifyReply, { collection, items, next, prev }: Page, format: Format['name']): string | Buffer {
  const links = { next, prev };
  const frame = format === 'json' ? jsonFrame(links) : xmlFrame(collection, items.length === 0, links);
  const [only = ''] = items;
  return items.length > 1 ? bytesOf(reply, frame, items) : sent(frame.head + only + frame.tail);
}

/** Each piece is written where it belongs, instead of gluing a text first. */
function bytesOf(reply: FastifyReply, { head, separator, tail }: Frame, pieces: readonly string[]): Buffer {
  const texts = pieces.flatMap((piece, at) => [at === 0 ? head : separator, piece]).concat(tail);
  const bytes = bufferFor(
    reply,
    texts.reduce((length, text) => length + Buffer.byteLength(text), 0),
  );
  let end = 0;
  for (const text of texts) end += bytes.write(text, end);
  return bytes.subarray(0, end);
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
  if (answer instanceof Batch) {
    return format === 'json'
      ? frameJson(answer.items.join(','), {})
      : frameXml(answer.collection, answer.items.join(xmlRepresentation.pageSeparator), {});
  }
  if (answer instanceof Deleted) return format === 'json' ? deletedJson(answer) : '';
  return answer instanceof Document ? spellDocument(answer, format) : undefined;
}

function deletedJson({ items, isList }: Deleted): string {
  const told = items.map(({ type, id }) => JSON.stringify({ ResourceType: type, Id: id }));
  return isList ? frameJson(told.join(','), {}) : told[0]!;
}
