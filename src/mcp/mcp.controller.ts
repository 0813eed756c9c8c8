/** `POST /mcp`: the tools of agents, by the Model Context Protocol over HTTP. */
import { Controller, Delete, Get, HttpCode, Inject, Options, Patch, Post, Put, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { charsetNamed } from '../command/charset.js';
import { type BodyBytes, utf8Pieces } from '../command/utf8.js';
import { badMember, forbidden, methodNotAllowed, unsupportedMedia } from '../errors.js';
import { BaseAddress } from '../http/base-address.js';
import { charsetIn, mediaFormat, takes } from '../http/format.js';
import { LOGGER } from '../http/logger.js';
import { LoopTurns } from '../http/loop-turns.js';
import { OwnQuery } from '../http/own-query.decorator.js';
import { isBytes } from '../http/read-body.js';
import type { ApiRequest } from '../http/request.js';
import { type RouteFacts, withoutBody } from '../http/route-facts.js';
import type { Model } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { cut } from '../texts/quoted-text.js';
import { inSlices, type Sliced } from '../turns/slices.js';
import { lostMember } from './distinct-members.js';
import { InjectedApi } from './injected-api.js';
import { KnownOrigins } from './known-origins.js';
import type { Caller } from './tool.js';

type ServerOfMessages = typeof import('./mcp-server.js');

/** Loads what answers messages, part by part: all of it at once keeps the event loop for a tenth of a second. */
async function loadServer(): Promise<ServerOfMessages> {
  await import('zod');
  await import('@modelcontextprotocol/sdk/types.js');
  await import('@modelcontextprotocol/sdk/shared/protocol.js');
  await import('@modelcontextprotocol/sdk/server/index.js');
  return import('./mcp-server.js');
}

/** What the tools ask for is admitted on its own, so that this route itself only reads. */
const facts: RouteFacts = { isReading: true, bodyBytes: 64 * 1024, bodies: ['json'] };

@OwnQuery()
@Controller('mcp')
export class McpController {
  private server: ServerOfMessages | undefined;

  constructor(
    @Inject(MODEL) private readonly model: Model,
    private readonly host: HttpAdapterHost,
    private readonly base: BaseAddress,
    private readonly origins: KnownOrigins,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly turns: LoopTurns,
  ) {}

  @Post()
  @HttpCode(200)
  @RouteConfig(facts)
  async answer(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    this.origins.check(request);
    if (request.isSession) throw forbidden('Agents call with a token or a password: a session is for pages.');
    const message = await messageOf(request);
    const { answerMessage, refusal } = this.server ?? (await this.loaded(request));
    const answer = !takesJson(request)
      ? refusal(406, { code: -32000, message: 'Every answer is JSON: accept application/json.' })
      : message === undefined
        ? refusal(400, { code: -32700, message: 'Parse error: the body is not JSON.' })
        : await answerMessage(webRequest(request), message, this.callerOf(request, reply));
    for (const [name, value] of answer.headers) reply.header(name, value);
    reply.status(answer.status);
    // A text without a letter would have a type.
    return (await answer.text()) || undefined;
  }

  /** All that come meanwhile wait for the same, and go on in turn. */
  private async loaded({ actor }: ApiRequest): Promise<ServerOfMessages> {
    this.server = await loadServer();
    await this.turns.next(actor.userId);
    return this.server;
  }

  private callerOf(request: ApiRequest, { raw }: FastifyReply): Caller {
    const leaving = new AbortController();
    if (raw.closed) leaving.abort();
    else raw.once('close', () => leaving.abort());
    const fastify: FastifyInstance = this.host.httpAdapter.getInstance();
    return {
      api: new InjectedApi(fastify, request, leaving.signal),
      model: this.model,
      base: this.base.of(request),
      isReadOnly: request.actor.isReadOnly === true,
      onFault: (error) => this.logger.error({ err: error, requestId: request.id }, 'tool failed'),
    };
  }

  /** There is no stream to open. */
  @Get()
  stream(@Req() request: ApiRequest): never {
    throw methodNotAllowed(request.method, ['POST']);
  }

  /** There is no session to end. */
  @Delete()
  @RouteConfig(withoutBody)
  end(@Req() request: ApiRequest): never {
    throw methodNotAllowed(request.method, ['POST']);
  }

  @Put()
  @RouteConfig(withoutBody)
  put(@Req() request: ApiRequest): never {
    return this.end(request);
  }

  @Patch()
  @RouteConfig(withoutBody)
  patch(@Req() request: ApiRequest): never {
    return this.end(request);
  }

  @Options()
  @RouteConfig(withoutBody)
  options(@Req() request: ApiRequest): never {
    return this.end(request);
  }
}

/** Undefined: the body is not JSON. */
async function messageOf({ body, headers }: ApiRequest): Promise<unknown> {
  const type = headers['content-type'];
  const charset = charsetIn(type);
  if (!isBytes(body) || mediaFormat(type ?? '')?.name !== 'json' || charsetNamed(charset ?? 'utf-8') !== 'UTF-8')
    throw unsupportedMedia(facts.bodies, charset);
  const text = await inSlices(textOf(body));
  const message = parsed(text);
  const lost = message === undefined ? undefined : lostMember(text);
  if (lost) throw badMember(cut(lost.path), lost.why);
  return message;
}

function* textOf(body: BodyBytes): Sliced<string> {
  const pieces: string[] = [];
  for (const piece of utf8Pieces(body, 'JSON')) {
    pieces.push(piece);
    yield;
  }
  return pieces.join('');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const takesJson = ({ headers: { accept } }: ApiRequest): boolean => !accept || takes(accept, 'application/json');

/** The SDK wants clients to take streams as well, though none is ever sent: whoever takes JSON is answered. */
function webRequest({ headers }: ApiRequest): Request {
  const { 'mcp-protocol-version': version } = headers;
  const passed = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    // One that is not known is repeated in the refusal.
    ...(version && { 'mcp-protocol-version': String(version).slice(0, 100) }),
  };
  return new Request('http://localhost/mcp', { method: 'POST', headers: passed });
}
