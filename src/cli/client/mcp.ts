/**
 * `worktrack mcp`: hands the messages of an agent on standard input to the service, and its answers to standard output.
 * The tools are those of the service, so they are of its version and show what the token may do.
 */
import { ApiRefusal } from '../../client/api.js';
import { textOf } from '../../client/http-api.js';
import { say, spelledJson } from '../output.js';
import { linesOf } from '../standard-input.js';
import { type ClientOptions, type Service, withHost } from './service.js';

/** Messages under way; the rest wait unread. */
const mostAtOnce = 8;

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export async function serveAgent(env: NodeJS.ProcessEnv, options: ClientOptions): Promise<void> {
  await withHost(env, options, async (service) => {
    const underWay = new Set<Promise<void>>();
    const cancelling: Cancelling = new Map();
    for await (const line of linesOf(process.stdin)) {
      if (line?.trim() === '') continue;
      const answering = answer(line, service, cancelling).finally(() => underWay.delete(answering));
      underWay.add(answering);
      if (underWay.size >= mostAtOnce) await Promise.race(underWay);
    }
    await Promise.all(underWay);
  });
}

/** Of the requests under way, by their ids. */
type Cancelling = Map<unknown, AbortController>;

async function answer(line: string | undefined, { api }: Service, cancelling: Cancelling): Promise<void> {
  const message = line === undefined ? undefined : parsed(line);
  if (message === undefined)
    return tell({ id: null, error: { code: -32700, message: 'The line is not JSON in UTF-8 of at most 16 MiB.' } });
  const id = idOf(message);
  const cancelled = cancelledBy(message);
  // Over HTTP, whoever leaves is who cancels.
  if (cancelled !== undefined) return cancelling.get(cancelled)?.abort();
  const leaving = new AbortController();
  if (id !== undefined) cancelling.set(id, leaving);
  try {
    const response = await api.send('/mcp', { method: 'POST', headers, body: line, signal: leaving.signal });
    const text = await textOf(response, 'POST');
    if (text === '') return;
    tell(JSON.parse(text), id);
  } catch (error) {
    if (leaving.signal.aborted) return;
    refuse(id, error instanceof ApiRefusal ? error.message : 'The service gave no answer that can be read.');
  } finally {
    if (cancelling.get(id) === leaving) cancelling.delete(id);
  }
}

function cancelledBy(message: unknown): unknown {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { requestId?: unknown } };
  return method === 'notifications/cancelled' ? params?.requestId : undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Undefined: a notification, which is never answered. What is no message, such as a list of them, has the id null. */
function idOf(message: unknown): unknown {
  const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  return id === undefined && typeof method !== 'string' ? null : id;
}

/** What the service refuses before it reads a message is no message itself. */
function tell(answered: object, id?: unknown): void {
  if ('Message' in answered) refuse(id, String(answered.Message));
  else say(spelledJson({ jsonrpc: '2.0', ...answered }));
}

function refuse(id: unknown, message: string): void {
  if (id !== undefined) say(spelledJson({ jsonrpc: '2.0', id, error: { code: -32000, message } }));
}
