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
  /** The JSON of a successful answer. Errors: ApiRefusal. */
  call<T>(call: ApiCall): Promise<T>;
}

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

/** Reads an answer. Errors: ApiRefusal. */
export function contentOf<T>(status: number, text: string, retryAfter?: string): T {
  const content = parsed(text) as T & { Message?: unknown; Code?: string };
  if (status < 300 && content !== undefined) return content;
  const message =
    typeof content?.Message === 'string' ? content.Message : `The service answered with status ${status}.`;
  throw new ApiRefusal(status, message, Number(retryAfter) || undefined, content?.Code);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
