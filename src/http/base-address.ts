/** The address that links start with: the configured one, else that of the request. */
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { hostInUrl, isLoopback } from '../runtime/listening-host.js';

type Addressed = Pick<FastifyRequest, 'protocol' | 'host' | 'headers'>;

@Injectable()
export class BaseAddress {
  /** The path that addresses of the service start with, without a slash at the end: empty unless BASE_URL names one. */
  readonly root: string;

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'baseUrl' | 'host' | 'port' | 'trustedProxies'>) {
    this.root = config.baseUrl ? new URL(config.baseUrl).pathname.replace(/\/$/, '') : '';
  }

  /**
   * Fastify takes forwarded headers into account for trusted proxies only; the host was checked when the request came.
   */
  of({ protocol, host }: Pick<Addressed, 'protocol' | 'host'>): string {
    if (this.config.baseUrl) return this.config.baseUrl;
    return `${protocol === 'https' ? 'https' : 'http'}://${host || `${hostInUrl(this.config.host)}:${this.config.port}`}`;
  }

  /** Of each cookie: sent to this service alone, since others may stand below other paths of its host. */
  cookieAttributes(request: Pick<Addressed, 'protocol' | 'host'>): string {
    const secure = this.of(request).startsWith('https:') ? '; Secure' : '';
    return `Path=${this.root || '/'}; HttpOnly; SameSite=Lax${secure}`;
  }

  /** Not made of a host that anybody may write into a request: it is configured, or this machine. */
  isTrusted(request: Pick<Addressed, 'protocol' | 'host'>): boolean {
    return this.config.baseUrl !== undefined || isLoopback(new URL(this.of(request)).hostname);
  }

  /**
   * The origin of our pages, where BASE_URL or a trusted proxy tells the scheme: else TLS may end in front of the
   * service.
   */
  originOf(request: Addressed): string | undefined {
    return this.config.baseUrl || this.isSchemeForwarded(request) ? new URL(this.of(request)).origin : undefined;
  }

  private isSchemeForwarded({ protocol, headers }: Addressed): boolean {
    const forwarded = String(headers['x-forwarded-proto'] ?? '');
    return this.config.trustedProxies.length > 0 && /^https?$/.test(protocol) && forwarded.trim().endsWith(protocol);
  }
}
