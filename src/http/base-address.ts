/** The address that links start with: the configured one, else that of the request. */
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { CONFIG } from '../config.token.js';

@Injectable()
export class BaseAddress {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'baseUrl' | 'host' | 'port'>) {}

  /** Fastify takes forwarded headers into account for trusted proxies only. */
  of(request: Pick<FastifyRequest, 'protocol' | 'host'>): string {
    if (this.config.baseUrl) return this.config.baseUrl;
    const host = isHost(request.host) ? request.host : `${this.config.host}:${this.config.port}`;
    return `${request.protocol === 'https' ? 'https' : 'http'}://${host}`;
  }
}

const isHost = (host: string | undefined): host is string =>
  host !== undefined && host.length <= 255 && /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(host);
