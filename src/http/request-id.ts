/** What a request is known by in logs: the id that a client or a proxy gave it, and the trace that it is part of. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Short, and without anything that would have to be escaped. */
const sane = /^[\w.:-]{1,64}$/;

export function requestIdOf({ 'x-request-id': given }: IncomingHttpHeaders): string {
  return typeof given === 'string' && sane.test(given) ? given : randomUUID();
}

/** As W3C Trace Context spells it: version, trace, parent, flags. */
const trace = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/;

export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** Undefined: it is part of no trace. */
export function traceContextOf({ traceparent }: IncomingHttpHeaders): TraceContext | undefined {
  const [, traceId, spanId, flags] = (typeof traceparent === 'string' && trace.exec(traceparent)) || [];
  return flags === undefined
    ? undefined
    : { traceId: traceId!, spanId: spanId!, traceFlags: Number.parseInt(flags, 16) & 1 };
}

/** What is passed on to others that are called for this request: our own span, or else what came. */
export function traceparentOf({ traceparent, headers }: Traced): string | undefined {
  return traceparent ?? (traceContextOf(headers) && (headers.traceparent as string));
}

export const traceIdOf = ({ traceparent, headers }: Traced): string | undefined =>
  traceparent?.slice(3, 35) ?? traceContextOf(headers)?.traceId;

interface Traced {
  readonly headers: IncomingHttpHeaders;
  /** Names the span of the request, where there is one. */
  readonly traceparent?: string;
}
