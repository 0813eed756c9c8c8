/** Gives a page its absolute `Next` and `Prev`, with canonical names, in a fixed order, and never with credentials. */
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import type { KnownParameter, Parameters } from '../query/parameters.js';
import { Page } from './answer.js';
import { BaseAddress } from './base-address.js';
import { type ApiRequest, parametersOf } from './request.js';

@Injectable()
export class PagingLinksInterceptor implements NestInterceptor {
  constructor(private readonly base: BaseAddress) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    return next.handle().pipe(
      map((answer) => {
        if (answer instanceof Page) link(answer, request, this.base);
        return answer;
      }),
    );
  }
}

function link(page: Page, request: ApiRequest, base: BaseAddress): void {
  const { take, skip } = request.said!.page;
  if (take === 0 || (!page.hasNext && skip === 0)) return;
  const start = `${base.of(request)}${page.path}?${repeated(parametersOf(request))}take=${take}&skip=`;
  if (page.hasNext) page.next = `${start}${skip + take}`;
  // The page before does not overlap, except that it starts no earlier than the first item.
  if (skip > 0) page.prev = `${start}${Math.max(0, skip - take)}`;
}

/** Everything that shapes the answer, but no credential. */
const repeatable: [KnownParameter, string][] = [
  ['where', 'where'],
  ['orderby', 'orderBy'],
  ['orderbydesc', 'orderByDesc'],
  ['include', 'include'],
  ['exclude', 'exclude'],
  ['append', 'append'],
  ['resultinclude', 'resultInclude'],
  ['resultexclude', 'resultExclude'],
  ['resultappend', 'resultAppend'],
  ['innertake', 'innerTake'],
  ['innerskip', 'innerSkip'],
  ['dateformat', 'dateformat'],
  ['isodate', 'isodate'],
  ['format', 'format'],
  ['resultformat', 'resultFormat'],
];

const style = repeatable.filter(([known]) => ['dateformat', 'isodate', 'format', 'resultformat'].includes(known));

/** The parameters that only say how an answer looks: all that links within an answer repeat. */
export const repeatedStyle = (parameters: Parameters): string => repeated(parameters, style);

function repeated(parameters: Parameters, names = repeatable): string {
  let text = '';
  for (const [known, canonical] of names) {
    const value = parameters.get(known);
    if (value !== undefined) text += `${canonical}=${encodeURIComponent(value)}&`;
  }
  return text;
}
