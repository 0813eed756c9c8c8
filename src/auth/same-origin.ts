/**
 * Refuses writes that another site makes a browser send with our cookie. A page of ours says so by `Origin` or
 * `Sec-Fetch-Site`; who sends neither says by `X-Requested-With` that no form of another site did it, since a header of
 * its own needs a permission that this service gives to nobody.
 */
import { Injectable } from '@nestjs/common';
import { foreignOrigin } from '../errors.js';
import { BaseAddress } from '../http/base-address.js';
import type { ApiRequest } from '../http/request.js';

@Injectable()
export class SameOrigin {
  constructor(private readonly base: BaseAddress) {}

  /** Errors: 403. */
  check(request: ApiRequest): void {
    if (!isSafe(request.method) && !request.isReading && !this.isOurs(request)) throw foreignOrigin();
  }

  /** Whether another site made this request; for log-in, where there is no session yet to misuse. */
  isForeign(request: ApiRequest): boolean {
    return this.verdict(request) === 'foreign';
  }

  private isOurs(request: ApiRequest): boolean {
    const verdict = this.verdict(request);
    return verdict === 'ours' || (verdict === 'unknown' && request.headers['x-requested-with'] !== undefined);
  }

  private verdict(request: ApiRequest): 'ours' | 'foreign' | 'unknown' {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (origin !== undefined) return this.isOwn(origin, request) ? 'ours' : 'foreign';
    if (site === undefined) return 'unknown';
    return site === 'same-origin' ? 'ours' : 'foreign';
  }

  /** By scheme, host and port where the scheme is certain, else by host and port. */
  private isOwn(origin: string, request: ApiRequest): boolean {
    if (!URL.canParse(origin)) return false;
    const url = new URL(origin);
    const own = this.base.originOf(request);
    if (own !== undefined) return url.origin === own;
    const { host } = new URL(this.base.of(request));
    return url.host !== '' && (url.host === host || url.host === request.headers.host?.toLowerCase());
  }
}

export const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
