/**
 * Shows a refusal as a page to whoever asked for a page; faults of the service are answered and logged as everywhere.
 */
import { type ArgumentsHost, Catch, Inject } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../actor.js';
import type { StatusWord } from '../error-codes.js';
import { ApiError } from '../errors.js';
import { ErrorFilter } from '../http/error.filter.js';
import { mayHoldCredential } from '../http/query-credential.js';
import { type ApiRequest, rawQuery } from '../http/request.js';
import { refusalPage } from './page.js';
import { pageHeaders } from './page-headers.js';
import { Sites } from './sites.js';

@Catch()
export class PageErrorFilter extends ErrorFilter {
  @Inject(Sites) private readonly sites!: Sites;

  override catch(error: unknown, host: ArgumentsHost): void {
    if (!(error instanceof ApiError) || error.httpStatus >= 500) {
      super.catch(error, host);
      return;
    }
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    this.refuse(error, http.getRequest<ApiRequest>(), reply).catch((fault: unknown) => super.catch(fault, host));
  }

  private async refuse(error: ApiError, request: ApiRequest, reply: FastifyReply): Promise<void> {
    if (isStranger(error, request)) {
      await reply.status(303).header('location', this.sites.loginFor(request)).send();
      return;
    }
    // Credentials that the guard refused are not tried again.
    const isKnown = (request.actor as Actor | undefined) !== undefined;
    const site = isKnown ? this.sites.of(request) : this.sites.ofStranger();
    const text = refusalPage(headings[error.status] ?? 'That cannot be shown', error.message, await site);
    await reply.status(error.httpStatus).headers(error.headers).headers(pageHeaders).send(text);
  }
}

/** Who sends no credential, or whose session is over, is shown where to log in; a program keeps its 401. */
const isStranger = ({ status, headers }: ApiError, request: ApiRequest): boolean =>
  status === 'Unauthorized' &&
  'WWW-Authenticate' in headers &&
  /\btext\/html\b/.test(request.headers.accept ?? '') &&
  request.headers.authorization === undefined &&
  !mayHoldCredential(rawQuery(request), 'token') &&
  !mayHoldCredential(rawQuery(request), 'access_token');

const headings: Partial<Record<StatusWord, string>> = {
  NotFound: 'Not found',
  Forbidden: 'Not permitted',
  Unauthorized: 'Please sign in',
  TooManyRequests: 'Please wait',
};
