/**
 * `/api/v2/{Entity}`, `/api/v2/{Entity}/{id}` and `/api/v2/{Entity}/where=…`, by GET or, for long texts, as the form of
 * a POST. `/api/history/v2/{Entity}` is the full history of a kind by another name.
 */
import { Controller, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ReadsOnly } from '../../auth/reads-only.decorator.js';
import { badEncoding, invalidId, notFound, unknownCollection, unknownRoute } from '../../errors.js';
import { type Body, bodyOf } from '../../http/answer-body.js';
import { BaseAddress } from '../../http/base-address.js';
import { rawForm } from '../../http/form.js';
import { formatForError, jsonFormat, type ListFormat, tableHeaders } from '../../http/format.js';
import { OwnQuery } from '../../http/own-query.decorator.js';
import { renewActor } from '../../http/renew-actor.js';
import { type ApiRequest, queryText } from '../../http/request.js';
import { RequestReads } from '../../http/request-reads.js';
import { tableOf } from '../../http/table.js';
import { streamed } from '../../http/whole-list.js';
import { parseId } from '../../model/ids.js';
import type { Model, ResourceType } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';
import { legibleParameter } from '../../query/parameters.js';
import { csvOfItems } from '../../representation/csv.js';
import { nearest } from '../../texts/near.js';
import { type AskV2, QueryV2Service } from './query-v2.service.js';

const paths = ['api/v2/:entity', 'api/v2/:entity/*', 'api/history/v2/:entity', 'api/history/v2/:entity/*'];

@OwnQuery()
@Controller()
export class QueryV2Controller {
  constructor(
    @Inject(MODEL) private readonly model: Model,
    private readonly queries: QueryV2Service,
    private readonly base: BaseAddress,
    private readonly requestReads: RequestReads,
  ) {}

  @Get(paths)
  read(@Req() request: ApiRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Body> {
    return this.answer(request, reply);
  }

  @Post(paths)
  @HttpCode(200)
  @ReadsOnly({ bodies: ['form'] })
  readByForm(@Req() request: ApiRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Body> {
    return this.answer(request, reply, formOf(request));
  }

  private async answer(request: ApiRequest, reply: FastifyReply, form?: string): Promise<Body> {
    const { resource, id, inPath } = this.placeOf(request);
    const texts = { query: queryText(request), form, inPath };
    const { hold } = request;
    const rights = () => ({ actor: request.actor, pool: this.requestReads.of(request) });
    const ask = { resource, id, texts, hold, base: this.base.of(request), ...rights() };
    const askNow = async () => {
      await renewActor(request);
      return { ...ask, ...rights() };
    };
    const list = listFormat(request, texts.query, form ?? '', inPath ?? '');
    if (list === 'csv') return this.table(ask, reply);
    if (list === 'ndjson') return streamed(await this.queries.wholeList(ask, askNow), request, reply);
    reply.header('content-type', jsonFormat.contentType);
    return bodyOf(reply, await this.queries.answer(ask));
  }

  private async table(ask: AskV2, reply: FastifyReply): Promise<Body> {
    const { items, shape, ...links } = await this.queries.page(ask);
    return tableOf(
      items,
      (lines) => csvOfItems(lines, shape),
      reply.headers(tableHeaders(ask.resource.collection, links)),
    );
  }

  private placeOf({ url }: ApiRequest): Pick<AskV2, 'resource' | 'id'> & { inPath?: string } {
    const path = url.split('?', 1)[0]!;
    const [, version, ...segments] = path.split('/').filter((segment) => segment !== '');
    const isPast = version!.toLowerCase() === 'history';
    const [name = '', ...rest] = isPast ? segments.slice(1) : segments;
    const resource = this.resourceNamed(decoded(name), isPast);
    // A text in a condition may hold a slash.
    const tail = decoded(rest.join('/'));
    if (tail === '') return { resource };
    if (/^where=/i.test(tail)) return { resource, inPath: rest.join('/') };
    if (rest.length > 1) throw unknownRoute(path);
    if (!/^\d+$/.test(tail)) throw invalidId(tail);
    const id = parseId(tail);
    if (id === undefined) throw notFound(resource.name, tail);
    return { resource, id };
  }

  private resourceNamed(input: string, isPast: boolean): ResourceType {
    const named = this.model.collection(input);
    const resource = isPast && named ? this.model.collection(`${named.name}History`) : named;
    if (resource) return resource;
    const names = this.model.resources.map(({ name }) => name);
    const past = names.flatMap((name) => /^(.+)(?<!Simple)History$/.exec(name)?.[1] ?? []);
    throw unknownCollection(input, nearest(input, isPast ? past : names));
  }
}

/** By the parameter, else by the header; other formats say nothing here. */
function listFormat({ headers }: ApiRequest, ...texts: string[]): ListFormat | undefined {
  const format = legibleParameter('format', ...texts);
  return formatForError({ format, accept: headers.accept }).list;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badEncoding();
  }
}

/** Undefined: there is no body, and the parameters stand behind the question mark. */
function formOf(request: ApiRequest): string | undefined {
  const { body } = request;
  const isEmpty = body === undefined || body === null || (Buffer.isBuffer(body) && body.length === 0);
  return isEmpty ? undefined : rawForm(request).toString('latin1');
}
