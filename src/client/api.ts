/**
 * The API as a client calls it. Tools of agents and commands are written once, for calls within the service and over
 * HTTP.
 */

export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Begins with a slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Api {
  /** The JSON of a successful answer. `warn` gets the words of its `Warning`, if it has one. Errors: ApiRefusal. */
  call<T>(call: ApiCall, warn?: (text: string) => void): Promise<T>;
}

/** The words of a header `Warning`. */
export const warningIn = (header: string): string | undefined => /^199 \S+ "(.*)"$/.exec(header)?.[1];

/** What the service answered in place of a result. */
export class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Seconds until the next attempt makes sense. */
    readonly retryAfter?: number,
    /** What was wrong, for programs. */
    readonly code?: string,
  ) {
    super(message);
    this.name = 'ApiRefusal';
  }
}

/** Path and query; JSON is asked for where the address has a choice. */
export function addressOf({ path, query = {} }: ApiCall): string {
  const parameters = new URLSearchParams(path.startsWith('/api/v1/') ? { ...query, format: 'json' } : query);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

export interface Asked {
  readonly method?: string;
  /** What `Retry-After` holds. */
  readonly retryAfter?: string;
}

/** Reads an answer. Errors: ApiRefusal. */
export function contentOf<T>(status: number, text: string, { method, retryAfter }: Asked = {}): T {
  const content = parsed(text) as T & { Code?: string };
  if (status < 300 && content !== undefined) return content;
  throw new ApiRefusal(status, refusalOf(status, content, method), Number(retryAfter) || undefined, content?.Code);
}

/** The words of an answer that is no result. */
export function refusalOf(status: number, content: unknown, method?: string): string {
  const { Message, ErrorId } = (content ?? {}) as { Message?: unknown; ErrorId?: unknown };
  if (typeof Message !== 'string') return withoutWords(status, method);
  // Proxies may have the same member.
  return ErrorId === undefined && status >= 500 ? Message + doubtAbout(method) : Message;
}

/** An answer that is none of the service's own: a proxy that waits no longer does not know what became of a request. */
const withoutWords = (status: number, method?: string): string =>
  `The service answered with status ${status}.${status < 300 || status >= 500 ? doubtAbout(method) : ''}`;

/** A client that believes that its write failed would send it again. */
export const doubtAbout = (method = 'GET'): string =>
  method === 'GET' ? '' : ' It may be done all the same: look before you do it again.';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
