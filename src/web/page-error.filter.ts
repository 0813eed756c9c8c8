/** Shows a refusal as a page to whoever asked for a page; faults of the service are answered and logged as everywhere. */
import { type ArgumentsHost, Catch, Inject } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiError, type StatusWord } from '../errors.js';
import { BaseAddress } from '../http/base-address.js';
import { ErrorFilter } from '../http/error.filter.js';
import type { ApiRequest } from '../http/request.js';
import { refusalPage } from './page.js';
import { pageHeaders } from './page-headers.js';
import { siteRoot } from './site-root.js';

@Catch()
export class PageErrorFilter extends ErrorFilter {
  @Inject(BaseAddress) private readonly base!: BaseAddress;

  override catch(error: unknown, host: ArgumentsHost): void {
    if (!(error instanceof ApiError) || error.code >= 500) {
      super.catch(error, host);
      return;
    }
    const http = host.switchToHttp();
    const root = siteRoot(this.base, http.getRequest<ApiRequest>());
    const text = refusalPage(headings[error.status] ?? 'That cannot be shown', error.message, { root });
    void http.getResponse<FastifyReply>().status(error.code).headers(error.headers).headers(pageHeaders).send(text);
  }
}

const headings: Partial<Record<StatusWord, string>> = {
  NotFound: 'Not found',
  Unauthorized: 'Please sign in',
  TooManyRequests: 'Please wait',
};
