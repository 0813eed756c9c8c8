/**
 * What the service has to know when a browser comes back from the provider of single sign-on. It is in a cookie, so
 * that the browser may come back to any process.
 */
export interface PendingSignOn {
  /** The provider repeats it in its answer, which is then one to this request. */
  readonly state: string;
  /** The provider repeats it in the id token, which is then made for this log-in. */
  readonly nonce: string;
  /** Of PKCE: proves to the provider that whoever redeems the code has asked for it. */
  readonly verifier: string;
  /** The path that the browser is sent to after the log-in. */
  readonly next: string;
}

const name = 'worktrack_sign_on';

/** Browsers keep no cookie of more than 4 KiB: a longer path is not come back to. */
const longestPath = 2_000;

export function pendingCookie(pending: PendingSignOn, attributes: string): string {
  const { state, nonce, verifier } = pending;
  const next = pending.next.length > longestPath ? '/' : pending.next;
  const value = [state, nonce, verifier, Buffer.from(next).toString('base64url')].join('.');
  return `${name}=${value}; Max-Age=600; ${attributes}`;
}

export const clearedPending = (attributes: string): string => `${name}=; Max-Age=0; ${attributes}`;

export function readPending(header: string | undefined): PendingSignOn | undefined {
  const parts = /(?:^|;)\s*worktrack_sign_on=([A-Za-z0-9_.-]{1,4000})\s*(?:;|$)/.exec(header ?? '')?.[1]?.split('.');
  if (parts?.length !== 4 || parts.slice(0, 3).some((part) => part === '')) return undefined;
  const [state = '', nonce = '', verifier = '', next = ''] = parts;
  return { state, nonce, verifier, next: Buffer.from(next, 'base64url').toString() };
}
