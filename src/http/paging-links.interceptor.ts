/** Gives a page its absolute `Next` and `Prev`, with canonical names, in a fixed order, and never with credentials. */
import { Injectable } from '@nestjs/common';
import { Page } from './answer.js';
import { BaseAddress } from './base-address.js';
import { pageBefore, pageBehind } from './pages-beside.js';
import { type ApiRequest, parsedQueryOf } from './request.js';
import type { SharedInterceptor } from './shared-interceptor.js';

@Injectable()
export class PagingLinksInterceptor implements SharedInterceptor {
  constructor(private readonly base: BaseAddress) {}

  leave(answer: unknown, request: ApiRequest): unknown {
    if (answer instanceof Page) link(answer, request, this.base);
    return answer;
  }
}

function link(page: Page, request: ApiRequest, base: BaseAddress): void {
  const asked = request.parsedQuery!.page;
  if (asked.take === 0 || (!page.hasNext && asked.skip === 0)) return;
  const start = `${base.of(request)}${page.path}?${page.parameters}${parsedQueryOf(request).repeated}`;
  if (page.hasNext) page.next = start + pageBehind(asked);
  if (asked.skip > 0) page.prev = start + pageBefore(asked);
}
