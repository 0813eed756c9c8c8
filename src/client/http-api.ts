/** Calls of the API over HTTP, with a token. TLS is as Node has it. */
import { type Api, type ApiCall, ApiRefusal, addressOf, contentOf, doubtAbout, warningIn } from './api.js';

export interface Host {
  /** Without a slash at the end. */
  readonly url: string;
  /** The value of `Authorization`. */
  readonly authorization: string;
}

export const bearer = (token: string): string => `Bearer ${token}`;

export const basic = (login: string, password: string): string =>
  `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

/** Until an answer begins: whole lists take as long as they take, and as their reader takes. */
const patienceMs = 60_000;

export class HttpApi implements Api {
  constructor(private readonly host: Host) {}

  async call<T>(call: ApiCall, warn?: (text: string) => void): Promise<T> {
    const { body, method } = call;
    const answer = await this.send(addressOf(call), {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await textOf(answer, method);
    const warning = warningOf(answer);
    if (warning) warn?.(warning);
    return contentOf<T>(answer.status, text, { method, retryAfter: answer.headers.get('retry-after') ?? undefined });
  }

  /** An answer of whatever status. Errors: ApiRefusal with status 0 where there is none. */
  async send(
    address: string,
    { method = 'GET', headers, body, signal }: Pick<RequestInit, 'method' | 'headers' | 'body' | 'signal'>,
  ): Promise<Response> {
    const { url, authorization } = this.host;
    const all = { accept: 'application/json', ...headers, authorization };
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new DOMException('', 'TimeoutError')), patienceMs);
    try {
      // Elsewhere the token is nobody's business.
      const answer = await fetch(url + address, {
        method,
        body,
        headers: all,
        signal: signal ? AbortSignal.any([late.signal, signal]) : late.signal,
        redirect: 'manual',
      });
      const location = answer.headers.get('location');
      if ([301, 302, 303, 307, 308].includes(answer.status) && location)
        throw new ApiRefusal(answer.status, `${url} leads to ${location}: log in there if you trust it.`);
      return answer;
    } catch (error) {
      if (error instanceof ApiRefusal) throw error;
      const reason = reasonOf(error);
      throw isSentPerhaps(reason)
        ? new ApiRefusal(0, `${url} does not answer: ${reason}.${doubtAbout(method)}`)
        : new ApiRefusal(0, `${url} cannot be reached: ${reason}.${adviceOn(reason)}`);
    } finally {
      clearTimeout(timer);
    }
  }
}

export const warningOf = ({ headers }: Response): string | undefined => warningIn(headers.get('warning') ?? '');

/** The whole of an answer. Errors: ApiRefusal where it breaks off. */
export async function textOf(answer: Response, method = 'GET'): Promise<string> {
  try {
    return await answer.text();
  } catch (error) {
    throw new ApiRefusal(0, `The answer broke off: ${reasonOf(error)}.${doubtAbout(method)}`);
  }
}

/** Otherwise there was no connection to send anything by. */
const isSentPerhaps = (reason: string): boolean =>
  /^(?:UND_ERR_(?!CONNECT_TIMEOUT)|HPE_|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|TimeoutError)/.test(reason);

/** Services of one's own mostly have certificates of one's own. */
const adviceOn = (reason: string): string =>
  /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/.test(reason)
    ? ' Nobody that is trusted here has signed its certificate: name the file of its authority in NODE_EXTRA_CA_CERTS.'
    : '';

function reasonOf(error: unknown): string {
  const { cause, name } = error as { cause?: { code?: string; message?: string }; name: string };
  return cause?.code ?? cause?.message ?? name;
}
