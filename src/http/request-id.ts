/** What a request is known by in logs: the id that a client or a proxy gave it, and the trace that it is part of. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Short, and without anything that would have to be escaped. */
const sane = /^[\w.:-]{1,64}$/;

export function requestIdOf({ 'x-request-id': given }: IncomingHttpHeaders): string {
  return typeof given === 'string' && sane.test(given) ? given : randomUUID();
}

/** As W3C Trace Context spells it: version, trace, parent, flags. */
const trace = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;

/** Undefined: it is part of no trace. */
export function traceIdOf({ traceparent }: IncomingHttpHeaders): string | undefined {
  return typeof traceparent === 'string' ? trace.exec(traceparent)?.[1] : undefined;
}
