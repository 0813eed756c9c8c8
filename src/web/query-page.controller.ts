/**
 * `GET /query`: the page where people put requests together and learn how the API is asked. `GET /query/conditions`:
 * what the page shows of a filter, `?where={text}`, and what could stand in it at `&caret={UTF-16 units before}`.
 */
import { Controller, Get, Inject, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OwnQuery } from '../http/own-query.decorator.js';
import { type ApiRequest, rawQuery } from '../http/request.js';
import type { Model } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { conditionRows, placeAt } from '../query/v1/edited-where.js';
import { PageErrorFilter } from './page-error.filter.js';
import { scriptedPageHeaders } from './page-headers.js';
import { type QueryModel, queryPage } from './query-page.js';
import { Sites } from './sites.js';

@Controller()
@OwnQuery()
@UseFilters(PageErrorFilter)
export class QueryPageController {
  private readonly model: QueryModel;

  constructor(
    @Inject(MODEL) model: Model,
    private readonly sites: Sites,
  ) {
    this.model = { choices: choicesOf(model), generals: generalsOf(model), richTexts: richTextsOf(model) };
  }

  @Get('query')
  async query(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const text = queryPage(this.model, this.sites.baseOf(request), await this.sites.of(request));
    await reply.headers(scriptedPageHeaders).send(text);
  }

  @Get('query/conditions')
  conditions(@Req() request: ApiRequest): object {
    const parameters = new URLSearchParams(rawQuery(request));
    const where = parameters.get('where') ?? '';
    const caret = parameters.get('caret') ?? '';
    return { rows: conditionRows(where), ...(/^\d{1,9}$/.test(caret) && { place: placeAt(where, Number(caret)) }) };
  }
}

function choicesOf(model: Model): Record<string, readonly string[]> {
  const fields = model.resources.flatMap((resource) => resource.fields);
  const named = fields.flatMap((field) =>
    field.kind === 'scalar' && field.choiceName && field.choices ? [[field.choiceName, field.choices] as const] : [],
  );
  return Object.fromEntries(named);
}

function generalsOf(model: Model): string[] {
  const general = model.general;
  return model.resources.filter((resource) => resource.isA(general)).map(({ name }) => name);
}

function richTextsOf(model: Model): string[] {
  const fields = model.resources.flatMap((resource) => resource.fields);
  return [
    ...new Set(fields.flatMap((field) => (field.kind === 'scalar' && field.scalar === 'richText' ? field.name : []))),
  ];
}
