/** Shows a refusal as a page to whoever asked for a page; faults of the service are answered and logged as everywhere. */
import { type ArgumentsHost, Catch, Inject } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiError, type StatusWord } from '../errors.js';
import { ErrorFilter } from '../http/error.filter.js';
import type { ApiRequest } from '../http/request.js';
import { refusalPage } from './page.js';
import { pageHeaders } from './page-headers.js';
import { Sites } from './sites.js';

@Catch()
export class PageErrorFilter extends ErrorFilter {
  @Inject(Sites) private readonly sites!: Sites;

  override catch(error: unknown, host: ArgumentsHost): void {
    if (!(error instanceof ApiError) || error.code >= 500) {
      super.catch(error, host);
      return;
    }
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    this.refuse(error, http.getRequest<ApiRequest>(), reply).catch((fault: unknown) => super.catch(fault, host));
  }

  private async refuse(error: ApiError, request: ApiRequest, reply: FastifyReply): Promise<void> {
    // Whose credentials were just refused is not asked again.
    const site = error.status === 'Unauthorized' ? this.sites.ofStranger(request) : this.sites.of(request);
    const text = refusalPage(headings[error.status] ?? 'That cannot be shown', error.message, await site);
    await reply.status(error.code).headers(error.headers).headers(pageHeaders).send(text);
  }
}

const headings: Partial<Record<StatusWord, string>> = {
  NotFound: 'Not found',
  Unauthorized: 'Please sign in',
  TooManyRequests: 'Please wait',
};
