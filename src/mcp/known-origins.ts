/**
 * Refuses calls that a page of an unknown site makes a browser send. A site may give its own name the address of this
 * service (DNS rebinding), so that origin and host agree: without BASE_URL only addresses and `localhost` count as our
 * own, which no site can take.
 */
import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { forbidden } from '../errors.js';
import type { ApiRequest } from '../http/request.js';

@Injectable()
export class KnownOrigins {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'baseUrl' | 'corsOrigins'>) {}

  /** Programs that are no browsers send no origin. Errors: 403. */
  check({ headers }: Pick<ApiRequest, 'headers'>): void {
    const { origin, host } = headers;
    if (origin === undefined || this.isKnown(origin, host)) return;
    throw forbidden(
      'The origin of this request is not known here. CORS_ORIGINS names the sites whose scripts may call.',
    );
  }

  private isKnown(origin: string, host: string | undefined): boolean {
    if (this.config.corsOrigins.includes(origin)) return true;
    if (!URL.canParse(origin)) return false;
    const url = new URL(origin);
    if (this.config.baseUrl) return url.origin === new URL(this.config.baseUrl).origin;
    return url.host === host?.toLowerCase() && isOwnName(url.hostname);
  }
}

const isOwnName = (name: string): boolean => name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
