/**
 * What is remembered while a browser is at the provider of single sign-on: in a cookie, so that it may come back to any
 * replica.
 */
import type { CookieScope } from './session-cookie.js';

export interface SignOnTrip {
  /** Tells that the answer is one to our question. */
  readonly state: string;
  /** Tells that the provider's statement was made for this log-in. */
  readonly nonce: string;
  /** Proves to the provider that we are who asked. */
  readonly verifier: string;
  /** Where to go then. */
  readonly next: string;
}

const name = 'worktrack_sign_on';

export function tripCookie({ state, nonce, verifier, next }: SignOnTrip, { secure }: CookieScope): string {
  const value = [state, nonce, verifier, Buffer.from(next).toString('base64url')].join('.');
  return `${name}=${value}; Max-Age=600; ${attributes(secure)}`;
}

export const endedTrip = ({ secure }: CookieScope): string => `${name}=; Max-Age=0; ${attributes(secure)}`;

const attributes = (secure: boolean): string => `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

export function tripOf(header: string | undefined): SignOnTrip | undefined {
  const parts = /(?:^|;)\s*worktrack_sign_on=([A-Za-z0-9_.-]{1,4000})\s*(?:;|$)/.exec(header ?? '')?.[1]?.split('.');
  if (parts?.length !== 4 || parts.slice(0, 3).some((part) => part === '')) return undefined;
  const [state = '', nonce = '', verifier = '', next = ''] = parts;
  return { state, nonce, verifier, next: Buffer.from(next, 'base64url').toString() };
}
