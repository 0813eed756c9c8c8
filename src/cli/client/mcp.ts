/**
 * `worktrack mcp`: hands the messages of an agent on standard input to the service, and its answers to standard output.
 * The tools are those of the service, so they are of its version and show what the token may do.
 */
import { ApiRefusal, refusalOf } from '../../client/api.js';
import { textOf } from '../../client/http-api.js';
import { say, spelledJson } from '../output.js';
import { linesOf } from '../standard-input.js';
import { type ClientOptions, type Service, withHost } from './service.js';

/** Messages that are sent at the same time; others wait for them. */
const mostAtOnce = 8;

/** Sent or waiting, and letters of theirs. What comes behind so many waits unread, cancellations too. */
const mostHeld = 100;
const mostLetters = 16 * 2 ** 20;

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export async function serveAgent(env: NodeJS.ProcessEnv, options: ClientOptions): Promise<void> {
  await withHost(env, options, async (service) => {
    const held = new Set<Promise<void>>();
    const sending: Sending = { service, places: new Places(), cancelling: new Map() };
    let letters = 0;
    for await (const line of linesOf(process.stdin)) {
      if (line?.trim() === '') continue;
      const length = line?.length ?? 0;
      letters += length;
      const answering = answer(line, sending).finally(() => {
        held.delete(answering);
        letters -= length;
      });
      held.add(answering);
      while (held.size >= mostHeld || letters >= mostLetters) await Promise.race(held);
    }
    await Promise.all(held);
  });
}

interface Sending {
  readonly service: Service;
  readonly places: Places;
  /** Requests that are held, by their ids. */
  readonly cancelling: Map<unknown, AbortController>;
}

/** Whoever came first has the next one. */
class Places {
  private free = mostAtOnce;
  private readonly waiting: (() => void)[] = [];

  async enter(): Promise<void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}

async function answer(line: string | undefined, { service, places, cancelling }: Sending): Promise<void> {
  const message = line === undefined ? undefined : parsed(line);
  if (message === undefined)
    return tell({ id: null, error: { code: -32700, message: 'The line is not JSON in UTF-8 of at most 16 MiB.' } });
  const id = idOf(message);
  const cancelled = cancelledBy(message);
  // Over HTTP, whoever leaves is who cancels.
  if (cancelled !== undefined) return cancelling.get(cancelled)?.abort();
  const leaving = new AbortController();
  if (id !== undefined) cancelling.set(id, leaving);
  await places.enter();
  try {
    const response = await service.api.send('/mcp', { method: 'POST', headers, body: line, signal: leaving.signal });
    const text = await textOf(response, 'POST');
    if (text === '' && response.ok) return;
    const answered = parsed(text);
    if (isMessage(answered)) tell(answered);
    // The service refuses before it reads a message, and proxies know none.
    else refuse(id, refusalOf(response.status, answered, isCall(message) ? 'POST' : 'GET'));
  } catch (error) {
    if (leaving.signal.aborted) return;
    if (!(error instanceof ApiRefusal)) throw error;
    refuse(id, error.message);
  } finally {
    places.leave();
    if (cancelling.get(id) === leaving) cancelling.delete(id);
  }
}

/** Of what is asked, calls of tools alone may change something. */
const isCall = (message: unknown): boolean => (message as { method?: unknown } | null)?.method === 'tools/call';

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

const isMessage = (answered: unknown): answered is object =>
  typeof answered === 'object' && answered !== null && 'jsonrpc' in answered;

const tell = (message: object): void => say(spelledJson({ jsonrpc: '2.0', ...message }));

function refuse(id: unknown, message: string): void {
  if (id !== undefined) say(spelledJson({ jsonrpc: '2.0', id, error: { code: -32000, message } }));
}
