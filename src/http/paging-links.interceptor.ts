/** Gives a page its absolute `Next` and `Prev`, with canonical names, in a fixed order, and never with credentials. */
import { Injectable } from '@nestjs/common';
import { Page } from './answer.js';
import { BaseAddress } from './base-address.js';
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
  const { take, skip } = request.parsedQuery!.page;
  if (take === 0 || (!page.hasNext && skip === 0)) return;
  const start = `${base.of(request)}${page.path}?${page.parameters}${parsedQueryOf(request).repeated}take=${take}&skip=`;
  if (page.hasNext) page.next = `${start}${skip + take}`;
  // The page before does not overlap, except that it starts no earlier than the first item.
  if (skip > 0) page.prev = `${start}${Math.max(0, skip - take)}`;
}
