/** Makes the application: Nest on Fastify, set up alike for the service and for its tests. */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, METHODS } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { AppModule } from './app.module.js';
import { Admission } from './auth/admission.js';
import { PasswordCheck } from './auth/password-check.js';
import { SingleSignOn } from './auth/single-sign-on.js';
import { bodyLimits } from './command/payload.js';
import type { Config } from './config/config.js';
import { WaitingRoom } from './database/waiting-room.js';
import { Pictures } from './files/pictures.js';
import { formBytes } from './files/read-form.js';
import { AnswerRoom, HeldAnswer } from './http/answer-room.js';
import { addBodyParsers } from './http/body-parsers.js';
import { BodyRoom } from './http/body-room.js';
import { BodyTurns } from './http/body-turns.js';
import { canonicalPath } from './http/canonical-path.js';
import { addCompression } from './http/compression.js';
import { handleInTurn } from './http/connections.js';
import { runInterceptorsDirectly } from './http/direct-interceptors.js';
import { closeWhileDraining, Draining } from './http/draining.js';
import { answerEdgeErrors, longestHeaders, type Note, refuseTunnels } from './http/edge-error.js';
import { malformedAddress, malformedRequest, mostHeaders } from './http/edge-error-messages.js';
import { sendError } from './http/error.filter.js';
import { familyConstraint } from './http/family-routes.js';
import { createLogger, LOGGER, logRequest, nestLogger, writeLastLines } from './http/logger.js';
import { LoopTurns } from './http/loop-turns.js';
import { OpenFilesLog } from './http/open-files-log.js';
import { pathWords, wordsOf } from './http/path-words.js';
import { continueWhenRead } from './http/read-body.js';
import { refusedRequest } from './http/refused-request.js';
import type { ApiRequest } from './http/request.js';
import { requestIdOf } from './http/request-id.js';
import { plainTarget } from './http/request-line.js';
import { endUnread } from './http/unread-bodies.js';
import { whenOver } from './http/when-over.js';
import { answerForWhole } from './http/whole-service.js';
import { WritePositions } from './http/write-positions.js';
import type { Model } from './model/model.js';
import { MODEL } from './model/model.token.js';
import { mostConnections } from './runtime/open-files.js';
import type { Tracing } from './tracing/tracing.js';

export async function createApp(config: Config): Promise<NestFastifyApplication> {
  runInterceptorsDirectly();
  let model!: Model;
  const rewriteUrl = (request: IncomingMessage): string => canonicalPath(plainTarget(request), model);
  const words = new Set<string>();
  const logger = createLogger(config, words);
  const note: Note = ({ code }, errorId) => logger.debug({ code, errorId }, 'refused');
  const clientErrorHandler = answerEdgeErrors(note);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(config, logger),
    adapter(config, { rewriteUrl, clientErrorHandler }),
    {
      bodyParser: false,
      logger: config.logLevel === 'debug' ? nestLogger(logger) : false,
      abortOnError: false,
    },
  );
  model = app.get<Model>(MODEL);
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addConstraintStrategy(familyConstraint as never);
  const routed = new Set(fastify.supportedMethods);
  // What takes all methods refuses those as well that no route has.
  for (const method of METHODS) if (!routed.has(method)) fastify.addHttpMethod(method, { hasBody: true });
  for (const word of pathWords(model)) words.add(word);
  handleInTurn(fastify.server, {
    most: mostConnections(),
    onFull: () => app.get(OpenFilesLog).note(),
    refuseWaiting: (all) => refuseWaiting(app, all),
  });
  refuseTunnels(fastify.server, note);
  fastify.server.maxHeadersCount = mostHeaders + 1;
  // HEAD takes the route of GET. Fastify would make a second one for it, which all together take a while at each start.
  fastify.addHook('onRoute', (route) => {
    if (route.method === 'GET') route.method = ['GET', 'HEAD'];
    for (const word of wordsOf(route.url)) words.add(word);
  });
  const answers = app.get(AnswerRoom);
  endUnread(fastify, longestBody(config));
  fastify.addHook('onRequest', (request, reply, done) => {
    setHeaders(reply);
    (request as ApiRequest).hold = new HeldAnswer(answers, reply.raw);
    done(refusedRequest(request, reply));
  });
  answerForWhole(fastify);
  if (config.tracing) {
    const { startTracing } = await import('./tracing/tracing.js');
    tracingOf.set(app, startTracing(fastify as unknown as FastifyInstance, config.tracing, logger));
  }
  const admission = app.get(Admission);
  addBodyParsers(fastify, {
    admit: (request, reply) => admission.admit(request, reply),
    hasNoCredential: (request) => admission.hasNoCredential(request),
    room: app.get(BodyRoom),
    turns: app.get(BodyTurns),
  });
  continueWhenRead(fastify.server);
  addCompression(fastify);
  closeWhileDraining(fastify, app.get(Draining));
  tellPositions(fastify, app.get(WritePositions));
  whenOver(fastify as unknown as FastifyInstance, (request, reply, ended) => {
    logRequest(logger, request, reply, { ...ended, words });
  });
  if (config.corsOrigins.length > 0) await allowOrigins(app, config.corsOrigins);
  if (config.metricsPort !== undefined) {
    const { measure } = await import('./metrics/metrics.js');
    metricsOf.set(app, measure(app));
  }
  await app.init();
  await fastify.ready();
  return app;
}

const longestBody = ({ filesPerUpload: files, fileBytes }: Config): number =>
  Math.max(bodyLimits.bytes, formBytes({ files, fileBytes }));

/** All that requests wait in for their turn, and answers in parts for the next one. */
function refuseWaiting(app: NestFastifyApplication, all: boolean): void {
  for (const room of [WaitingRoom, BodyRoom, AnswerRoom, BodyTurns, LoopTurns, PasswordCheck, SingleSignOn, Pictures])
    app.get<{ refuseWaiting(all: boolean): void }>(room).refuseWaiting(all);
}

function tellPositions(fastify: FastifyInstance, positions: WritePositions): void {
  if (!positions.areNoted) return;
  fastify.addHook('onSend', (request, reply, _, done) => {
    positions.tell(request, reply);
    done();
  });
}

/** What each is measured by, where it is. */
export const metricsOf = new WeakMap<NestFastifyApplication, { metrics(): Promise<string> }>();

const tracingOf = new WeakMap<NestFastifyApplication, Tracing>();

export async function closeApp(app: NestFastifyApplication): Promise<void> {
  await app.close();
  await tracingOf.get(app)?.end();
  await writeLastLines(app.get(LOGGER));
}

/** Scripts of other sites call with a token; a cookie or a password kept by the browser is never theirs to use. */
async function allowOrigins(app: NestFastifyApplication, origins: readonly string[]): Promise<void> {
  const { default: cors } = await import('@fastify/cors');
  const options = {
    origin: [...origins],
    credentials: false,
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'X-Access-Token',
      'If-Match',
      'If-None-Match',
      'If-Range',
      'Range',
      'Idempotency-Key',
      'X-HTTP-Method-Override',
      'X-Request-Id',
      'X-Read-After',
      'traceparent',
      'MCP-Protocol-Version',
    ],
    exposedHeaders: [
      'Accept-Ranges',
      'Allow',
      'Content-Disposition',
      'Content-Range',
      'ETag',
      'Link',
      'Location',
      'Retry-After',
      'Warning',
      'WWW-Authenticate',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'X-Request-Id',
      'X-Read-After',
    ],
    maxAge: 600,
  };
  // What is no preflight is answered as without this.
  const delegator = async (request: ApiRequest) => ({ ...options, preflight: isPreflight(request) });
  await app.register(cors as never, { delegator });
}

const isPreflight = ({ headers }: ApiRequest): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

type Edge = Required<Pick<FastifyServerOptions, 'rewriteUrl' | 'clientErrorHandler'>>;

function adapter(config: Config, edge: Edge) {
  return new FastifyAdapter({
    ...edge,
    // There are no middlewares, only hooks.
    skipMiddie: true,
    logger: false,
    genReqId: ({ headers }: IncomingMessage) => requestIdOf(headers),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      maxParamLength: 500,
      // The query text is parsed by our own rules, once.
      querystringParser: () => ({}),
    },
    // A missing host is refused by us, in a form that clients can read.
    http: {
      maxHeaderSize: longestHeaders,
      headersTimeout: 10_000,
      requireHostHeader: false,
      // How exact the time-outs are; Node looks every half minute.
      connectionsCheckingInterval: 1000,
    },
    requestTimeout: 30_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    exposeHeadRoutes: false,
    // No route has a schema; without these, Fastify loads two compilers for them.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Comes before all hooks.
    frameworkErrors: ({ code }: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      setHeaders(reply);
      const answer = code === 'FST_ERR_BAD_URL' ? malformedAddress() : malformedRequest();
      sendError(answer, randomUUID(), request as ApiRequest, reply);
    },
  });
}

function noSchemas(): never {
  throw new Error('a schema needs a compiler');
}

/** Answers are the caller's own and of this moment; nothing in between may keep or interpret them. */
function setHeaders(reply: FastifyReply): void {
  reply.headers({
    'x-request-id': reply.request.id,
    'cache-control': 'no-cache, no-store, must-revalidate, private',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    vary: 'Authorization, Accept, Accept-Encoding, Cookie',
  });
}
