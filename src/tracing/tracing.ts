/**
 * Traces of OpenTelemetry: a span for each request, in the trace that the request is part of, and below it one for each
 * statement that the request sends to the database, by its operation alone. Loaded only where a collector is
 * configured.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { TracingConfig } from '../config/tracing.js';
import { observeStatements, type StatementEnd } from '../database/statement-observer.js';
import type { ApiRequest } from '../http/request.js';
import { traceContextOf } from '../http/request-id.js';
import { routeOf } from '../http/route-facts.js';
import { whenOver } from '../http/when-over.js';
import { collectorOf } from './collector.js';

export interface Tracing {
  /** Sends what is there, for a moment at most. */
  end(): Promise<void>;
}

const lastSpansMs = 2000;

export function startTracing(fastify: FastifyInstance, config: TracingConfig, logger: Logger): Tracing {
  const provider = collectorOf(config, logger);
  const tracer = provider.getTracer('worktrack');
  const current = new AsyncLocalStorage<Span>();
  traceRequests(fastify, tracer, current);
  observeStatements({ begin: (text) => beginStatement(text, tracer, current.getStore()) });
  return {
    async end() {
      observeStatements(undefined);
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, pause(lastSpansMs, undefined, { ref: false })]);
    },
  };
}

function traceRequests(fastify: FastifyInstance, tracer: Tracer, current: AsyncLocalStorage<Span>): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  fastify.addHook('onRequest', (request, _, done) => {
    const span = beginRequest(request, tracer);
    spans.set(request, span);
    (request as ApiRequest).traceparent = traceparentOf(span);
    current.run(span, done);
  });
  // What reads a body goes on in the events of its connection.
  fastify.addHook('preHandler', (request, _, done) => current.run(spans.get(request)!, done));
  whenOver(fastify, (request, _, { status }) => endRequest(spans.get(request), request, status));
}

function beginRequest(request: FastifyRequest, tracer: Tracer): Span {
  const { method, headers } = request;
  const route = routeOf(request);
  const parent = traceContextOf(headers);
  const context = parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
  const attributes = {
    'http.request.method': method,
    ...(route === undefined ? {} : { 'http.route': route }),
    'worktrack.request_id': request.id,
  };
  const name = route === undefined ? method : `${method} ${route}`;
  return tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, context);
}

function endRequest(span: Span | undefined, { actor }: ApiRequest, statusCode: number): void {
  if (!span) return;
  span.setAttribute('http.response.status_code', statusCode);
  if (actor) span.setAttribute('user.id', String(actor.userId));
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function beginStatement(text: string, tracer: Tracer, parent: Span | undefined): StatementEnd | undefined {
  const [operation] = /[a-z]+/i.exec(text) ?? [];
  if (!parent?.isRecording() || operation === undefined) return undefined;
  const name = operation.toUpperCase();
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': name };
  const options = { kind: SpanKind.CLIENT, attributes };
  const span = tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
  return (error) => {
    if (error) fail(span, error);
    span.end();
  };
}

/** Messages of the database may hold values. */
function fail(span: Span, error: unknown): void {
  const { code } = error as { code?: unknown };
  span.setStatus({ code: SpanStatusCode.ERROR });
  if (typeof code === 'string') span.setAttribute('db.response.status_code', code);
}
